import stringWidth from "string-width";

import type { Axis } from "./axis.ts";
import { bar, categoryTone } from "./bar.ts";
import type { Category, Mark } from "./facts-type.ts";
import { duration } from "./format.ts";
import type { Layout } from "./layout.ts";
import type { Paint, Tone } from "./paint.ts";
import { intervalOf, type SegmentsOf } from "./segments.ts";
import { fit, fitRight, printable, shorten, wrap } from "./text.ts";
import type { Node } from "./tree.ts";

export const MARKS: { readonly [Name in Mark]: { readonly glyph: string; readonly tone: Tone } } = {
  blocked: { glyph: "⊘", tone: "bad" },
  failed: { glyph: "✗", tone: "bad" },
  asked: { glyph: "?", tone: "warning" },
  changed: { glyph: "~", tone: "changed" },
  slow: { glyph: "!", tone: "warning" },
  ignored: { glyph: "-", tone: "quiet" },
  stopped: { glyph: "×", tone: "warning" },
};

/** A node at its place in the tree. */
export interface Row {
  readonly node: Node;
  /** Tree lines before its own label: `│ ├ `. */
  readonly stem: string;
  /** The same for lines below it that belong to it. */
  readonly continuation: string;
  readonly category: Category;
}

/** All rows of a tree, in order. */
export function rowsOf(root: Node): readonly Row[] {
  const rows: Row[] = [];
  const visit = (node: Node, stem: string, below: string, inherited: Category): void => {
    const category = node.facts.category ?? inherited;
    rows.push({ node, stem, continuation: below + (node.children.length > 0 ? "│ " : "  "), category });
    node.children.forEach((child, index) => {
      const last = index === node.children.length - 1;
      visit(child, below + (last ? "└ " : "├ "), below + (last ? "  " : "│ "), category);
    });
  };
  visit(root, "", "", "other");
  return rows;
}

export function labelWidth({ node, stem }: Row): number {
  const [what, name] = node.facts.label;
  return stem.length + stringWidth(printable(name === "" ? what : `${what} ${name}`));
}

export interface RowContext {
  readonly axis: Axis;
  readonly segments: SegmentsOf;
  readonly layout: Layout;
  readonly paint: Paint;
}

/** The row's line, and below it what it has to say where there is no room beside. */
export function renderRow(row: Row, context: RowContext): readonly string[] {
  const { layout, paint } = context;
  const remarks = remarksOf(row);
  const beside = besideText(remarks, row.node.facts.extra, layout.remark);
  const line = mainLine(row, context) + (beside === undefined ? "" : ` ${paint("quiet", beside.text)}`);
  return [line.trimEnd(), ...(beside?.isEverything === true ? [] : belowLines(row, remarks, context))];
}

function mainLine({ node, stem, category }: Row, { axis, segments, layout, paint }: RowContext): string {
  const { facts, span } = node;
  const mark = facts.mark === undefined ? " " : paint(MARKS[facts.mark].tone, MARKS[facts.mark].glyph);
  const drawn = bar(
    { interval: intervalOf(node), category, segments: segments.get(node) ?? [], axis, columns: layout.bar },
    paint,
  );
  const time = fitRight(duration(facts.time ?? span.endTime - span.startTime), layout.time);
  const word = fit(printable(facts.word), layout.outcome);
  return `${mark} ${label(node, stem, category, layout.label, paint)} ${drawn} ${time} ${paint(facts.tone, word)}`;
}

/** What it is may be shortened before its name is; the tree lines take half of the room at most. */
function label(node: Node, stem: string, category: Category, columns: number, paint: Paint): string {
  const lines = stem.length <= columns / 2 ? stem : `…${stem.slice(stem.length - Math.floor(columns / 2) + 1)}`;
  const room = columns - lines.length;
  const [what, name] = node.facts.label.map(printable) as [string, string];
  if (name === "") return paint("quiet", lines) + fit(what, room);
  const leastOfWhat = Math.min(stringWidth(what), Math.floor(room * 0.35));
  const shownName = shorten(name, room - leastOfWhat - 1);
  const shownWhat = shorten(what, room - stringWidth(shownName) - 1);
  const filling = " ".repeat(Math.max(0, room - stringWidth(shownWhat) - 1 - stringWidth(shownName)));
  return `${paint("quiet", lines)}${paint(categoryTone(category), shownWhat)} ${shownName}${filling}`;
}

function remarksOf({ node }: Row): readonly string[] {
  const orphan = node.orphan ? ["its parent span is not in this trace's records"] : [];
  return [...orphan, ...node.facts.details].map(printable).filter((remark) => remark.trim() !== "");
}

function besideText(
  remarks: readonly string[],
  extra: string | undefined,
  columns: number,
): { readonly text: string; readonly isEverything: true } | undefined {
  if (columns === 0) return undefined;
  const candidates = [[...remarks, ...(extra === undefined ? [] : [printable(extra)])], remarks];
  for (const candidate of candidates) {
    const text = candidate.join("; ");
    if (text !== "" && stringWidth(text) <= columns) return { text, isEverything: true };
  }
  return undefined;
}

function belowLines(row: Row, remarks: readonly string[], { layout, paint }: RowContext): readonly string[] {
  const stem = row.continuation.length <= layout.label / 2 ? row.continuation : "";
  const before = `  ${stem}  `;
  return remarks
    .flatMap((remark) => wrap(remark, layout.width - before.length, 4))
    .map((line) => `${paint("quiet", before)}${line}`);
}
