import { HOOK_POINT_NAMES, HOOK_POINTS } from "@hookscope/hooks";

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
  const head = `${fit("point", name)}  ${fit("kind", 9)}  ${fit("accepts", 23)}  a failure`;
  const lines = rows.flatMap((row) => [
    `${paint("strong", fit(row.name, name))}  ${fit(row.kind, 9)}  ${fit(row.accepts.join(", ") || "-", 23)}  ${row.failurePolicy === "closed" ? "blocks" : "is skipped"}`,
    ...wrap(row.fires, width - 4, 3).map((line) => paint("quiet", `    ${line}`)),
  ]);
  writeLines(output, [paint("quiet", head), ...lines]);
  return EXIT.done;
}
