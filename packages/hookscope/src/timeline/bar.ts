import type { Axis } from "./axis.ts";
import type { Category } from "./facts-type.ts";
import type { Interval } from "./intervals.ts";
import type { Paint, Tone } from "./paint.ts";
import type { Segment } from "./segments.ts";

/** One glyph a category, so that a bar can be read without colour. */
export const GLYPHS: { readonly [Name in Category]: string } = {
  model: "▓",
  tool: "█",
  hook: "◆",
  waiting: "░",
  other: "─",
};

/** In a cell in which several have a share: the larger share, and at equal shares the one named first. */
const CATEGORIES: readonly Category[] = ["waiting", "hook", "tool", "model", "other"];
const TONES: { readonly [Name in Category]: Tone } = {
  model: "model",
  tool: "tool",
  hook: "hook",
  waiting: "waiting",
  other: "quiet",
};

export interface BarRequest {
  readonly interval: Interval;
  /** What to show where nothing of `segments` falls into a cell: a span of no length still gets one cell. */
  readonly category: Category;
  readonly segments: readonly Segment[];
  readonly axis: Axis;
  readonly columns: number;
}

/** Where on the turn's axis a span stands, and whose time it was, cell by cell. Exactly `columns` wide. */
export function bar(request: BarRequest, paint: Paint): string {
  const { interval, axis, columns } = request;
  const first = Math.min(Math.floor(axis.position(interval[0]) * columns), columns - 1);
  const end = Math.min(Math.max(first + 1, Math.round(axis.position(interval[1]) * columns)), columns);
  const cells = cellCategories(request, first, end);
  return `${" ".repeat(first)}${painted(cells, paint)}${" ".repeat(columns - end)}`;
}

export function categoryTone(category: Category): Tone {
  return TONES[category];
}

function cellCategories({ segments, axis, columns, category }: BarRequest, first: number, end: number): Category[] {
  const shares = Array.from({ length: end - first }, () => new Map<Category, number>());
  for (const segment of segments) {
    const from = axis.position(segment.interval[0]) * columns;
    const to = axis.position(segment.interval[1]) * columns;
    for (let cell = Math.max(first, Math.floor(from)); cell < Math.min(end, Math.ceil(to)); cell += 1) {
      const share = Math.min(to, cell + 1) - Math.max(from, cell);
      const sum = shares[cell - first];
      sum?.set(segment.category, (sum.get(segment.category) ?? 0) + share);
    }
  }
  return shares.map((share) => largest(share) ?? category);
}

function largest(shares: ReadonlyMap<Category, number>): Category | undefined {
  let best: Category | undefined;
  for (const category of CATEGORIES) {
    if ((shares.get(category) ?? 0) > (best === undefined ? 0 : (shares.get(best) ?? 0))) best = category;
  }
  return best;
}

function painted(cells: readonly Category[], paint: Paint): string {
  const runs: { readonly category: Category; text: string }[] = [];
  for (const category of cells) {
    const last = runs.at(-1);
    if (last?.category === category) last.text += GLYPHS[category];
    else runs.push({ category, text: GLYPHS[category] });
  }
  return runs.map(({ category, text }) => paint(TONES[category], text)).join("");
}
