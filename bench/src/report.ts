import type { Measured, MeasuredAim } from "./measure.ts";

/** A table of the report. The first cell of each row is a text, the others are numbers with their units. */
export interface Table {
  readonly title: string;
  /** What a reader must know to read it. */
  readonly note?: string;
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** A table of times, with ratios to its first line. */
export function timesTable(title: string, measured: readonly Measured[], note?: string): Table {
  const hasAims = measured.some(({ aims }) => aims !== undefined && aims.length > 0);
  return {
    title,
    ...(note === undefined ? {} : { note }),
    head: ["what", "ns", "ratio", ...(hasAims ? ["aim"] : [])],
    rows: measured.map(({ name, nanoseconds, ratio, aims = [] }) => [
      name,
      Math.round(nanoseconds).toLocaleString("en"),
      toRatio(ratio),
      ...(hasAims ? [aims.map(describeAim).join("; ")] : []),
    ]),
  };
}

export function toMarkdown(tables: readonly Table[]): string {
  return tables.map(tableToMarkdown).join("\n\n");
}

export function toRatio(ratio: number): string {
  return `${ratio.toFixed(2)}x`;
}

/** `at most 1.10x of line 1: met`, with the ratio where it is not to the first line. */
function describeAim({ atMost, of, ratio }: MeasuredAim): string {
  const outcome = ratio <= atMost ? "met" : "not met";
  return `at most ${toRatio(atMost)} of line ${of + 1}: ${of === 0 ? outcome : `${outcome}, ${toRatio(ratio)}`}`;
}

function tableToMarkdown({ title, note, head, rows }: Table): string {
  return [
    `### ${title}`,
    "",
    ...(note === undefined ? [] : [note, ""]),
    toRow(head),
    toRow(head.map((_, index) => (index === 0 || head[index] === "aim" ? "---" : "--:"))),
    ...rows.map(toRow),
  ].join("\n");
}

function toRow(cells: readonly string[]): string {
  return `| ${cells.join(" | ")} |`;
}
