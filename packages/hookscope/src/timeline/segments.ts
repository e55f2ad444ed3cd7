import type { Category } from "./facts-type.ts";
import { covered, subtract, type Interval } from "./intervals.ts";
import type { Node } from "./tree.ts";

/** A stretch of time in which a span itself worked, and none of its children. */
export interface Segment {
  readonly category: Category;
  readonly interval: Interval;
}

export type SegmentsOf = ReadonlyMap<Node, readonly Segment[]>;

/** By node: its own stretches and those of everything under it. */
export function segmentsByNode(roots: readonly Node[]): SegmentsOf {
  const found = new Map<Node, readonly Segment[]>();
  const visit = (node: Node, inherited: Category): readonly Segment[] => {
    const category = node.facts.category ?? inherited;
    const below = node.children.flatMap((child) => visit(child, category));
    const waitedFor = node.children.filter(({ facts }) => facts.offPath !== true);
    const own = node.facts.offPath === true ? [] : subtract(intervalOf(node), waitedFor.map(intervalOf));
    const segments = [...own.map((interval) => ({ category, interval })), ...below];
    found.set(node, segments);
    return segments;
  };
  for (const root of roots) visit(root, "other");
  return found;
}

export function intervalOf({ span }: Node): Interval {
  return [span.startTime, Math.max(span.startTime, span.endTime)];
}

/** Milliseconds in which at least one span of the category worked. */
export function timeOf(category: Category, segments: readonly Segment[]): number {
  return covered(segments.filter((segment) => segment.category === category).map(({ interval }) => interval));
}
