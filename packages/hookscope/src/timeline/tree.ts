import type { TimelineSpan } from "./document.ts";
import type { Facts } from "./facts-type.ts";
import { factsOf } from "./facts.ts";

export interface Node {
  readonly span: TimelineSpan;
  readonly facts: Facts;
  readonly children: readonly Node[];
  /** Its parent is named and not there. */
  readonly orphan: boolean;
}

/**
 * The roots of a trace in order of their start, each with what is under it. A turn or a message may have its parent
 * elsewhere; any other span whose parent is missing is an orphan.
 */
export function createForest(spans: readonly TimelineSpan[], slowMs: number): readonly Node[] {
  const known = new Map(spans.map((span) => [span.spanId, span]));
  const unique = [...known.values()].toSorted((left, right) => left.startTime - right.startTime);
  const byParent = Map.groupBy(unique, (span) => (known.has(span.parentSpanId ?? "") ? span.parentSpanId : null));
  const placed = new Set<string>();

  const build = (span: TimelineSpan, isRoot: boolean): Node => {
    placed.add(span.spanId);
    const children = (byParent.get(span.spanId) ?? []).filter(({ spanId }) => !placed.has(spanId));
    const facts = factsOf(span, children, slowMs);
    return {
      span,
      facts,
      children: children.map((child) => build(child, false)),
      orphan: isRoot && span.parentSpanId !== null && !mayHaveForeignParent(span, facts),
    };
  };

  const roots = (byParent.get(null) ?? []).map((span) => build(span, true));
  // Spans that are each other's ancestors hang from no root; shown all the same.
  for (const span of unique) if (!placed.has(span.spanId)) roots.push({ ...build(span, true), orphan: true });
  return roots;
}

/** A node and everything under it, as shown. */
export function flatten(node: Node): readonly Node[] {
  return [node, ...node.children.flatMap(flatten)];
}

function mayHaveForeignParent(span: TimelineSpan, facts: Facts): boolean {
  if (facts.type === "message") return true;
  return facts.type === "turn" && span.attributes["agent_turn.parent_id"] === undefined;
}
