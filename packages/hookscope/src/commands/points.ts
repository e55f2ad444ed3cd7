import { HOOK_POINT_NAMES, HOOK_POINTS, type HookPoint } from "@hookscope/hooks";

import { EXIT } from "../errors.ts";
import { createPaint } from "../timeline/paint.ts";
import { fit, wrap } from "../timeline/text.ts";
import { wantsColour, widthOf, writeJson, writeLines, type OutputFlags, type Terminal } from "../terminal.ts";

/** The 22 hook points: what each accepts, and what becomes of the action when a hook fails. */
export function points(terminal: Terminal, flags: OutputFlags): number {
  const { output } = terminal;
  const rows = HOOK_POINT_NAMES.map((name) => {
    const { kind, accepts, failurePolicy, fires, payload } = HOOK_POINTS[name];
    return { name, kind, accepts, failurePolicy, fires, payload };
  });
  if (flags.json === true) {
    writeJson(output, rows);
    return EXIT.done;
  }
  const paint = createPaint(wantsColour(output, terminal, flags));
  const width = widthOf(output, terminal, flags);
  const name = Math.max(...rows.map((row) => row.name.length));
  const cells = (row: PointRow): readonly string[] => [
    fit(row.kind, 9),
    fit(row.accepts.join(", ") || "-", 23),
    row.failurePolicy === "closed" ? "blocks" : "skipped",
  ];
  const isTable = width >= name + TABLE_REST;
  const indented = (text: string): readonly string[] => wrap(text, width - 4, Infinity).map((line) => `    ${line}`);
  const lines = rows.flatMap((row) => [
    ...(isTable
      ? [[paint("strong", fit(row.name, name)), ...cells(row)].join("  ")]
      : [paint("strong", row.name), ...indented(sentenceOf(row))]),
    ...indented(row.fires).map((line) => paint("quiet", line)),
  ]);
  const head = [fit("point", name), fit("kind", 9), fit("accepts", 23), "failure"].join("  ");
  writeLines(output, isTable ? [paint("quiet", head), ...lines] : lines);
  return EXIT.done;
}

type PointRow = Pick<(typeof HOOK_POINTS)[HookPoint], "kind" | "accepts" | "failurePolicy">;

/** Columns of the table beside the name. */
const TABLE_REST = 2 + 9 + 2 + 23 + 2 + "skipped".length;

function sentenceOf({ kind, accepts, failurePolicy }: PointRow): string {
  const accepted = accepts.length === 0 ? "nothing" : accepts.join(", ");
  return `${kind}; accepts ${accepted}; a failure ${failurePolicy === "closed" ? "blocks" : "is skipped"}`;
}
