import { existsSync } from "node:fs";

import type { ReportBy, ReportRow } from "@hookscope/metrics";

import { readConfig, type ConfigFlags } from "../config/config.ts";
import { CommandError, EXIT } from "../errors.ts";
import { openLedger } from "../runtime/ledger.ts";
import { wantsColour, widthOf, writeJson, writeLines, type OutputFlags, type Terminal } from "../terminal.ts";
import { compact, dollars } from "../timeline/format.ts";
import { createPaint } from "../timeline/paint.ts";
import { fit, fitRight, printable, shorten } from "../timeline/text.ts";

export interface CostFlags extends OutputFlags, ConfigFlags {
  readonly by?: ReportBy;
  /** From the UTC day of this time on. */
  readonly since?: Date;
}

/** What the ledger says was spent. */
export async function cost(terminal: Terminal, flags: CostFlags): Promise<number> {
  const { by = "model", since, json } = flags;
  const config = await readConfig(terminal, flags);
  const rows = report(config.ledger?.path, by, since);
  if (json === true) writeJson(terminal.output, rows);
  else if (rows.length === 0)
    writeLines(terminal.output, [
      config.ledger === undefined
        ? "No ledger is kept: the configuration says `ledger = false`."
        : "Nothing was spent. `hookscope run` writes down what a turn costs.",
    ]);
  else writeLines(terminal.output, tableOf(rows, by, terminal, flags));
  return EXIT.done;
}

/** `2026-11-30`, a time with a zone, or a span before now: `12h`, `7d`, `4w`. @throws CommandError COMMAND_TIME_INVALID */
export function readSince(text: string, now: number): Date {
  const span = /^(\d{1,5})([hdw])$/.exec(text);
  const time = span === null ? Date.parse(text) : now - Number(span[1]) * (HOURS[span[2] ?? ""] ?? 0) * 3_600_000;
  if (!Number.isNaN(time) && (span !== null || /^\d{4}-\d{2}-\d{2}(?:T.+)?$/.test(text))) return new Date(time);
  throw new CommandError(
    "COMMAND_TIME_INVALID",
    `--since is ${JSON.stringify(text)}; it must be a day, as 2026-11-30, or a span such as 12h, 7d or 4w.`,
  );
}

const HOURS: Readonly<Record<string, number>> = { h: 1, d: 24, w: 168 };

function report(path: string | undefined, by: ReportBy, since: Date | undefined): readonly ReportRow[] {
  if (path === undefined || !existsSync(path)) return [];
  const ledger = openLedger(path);
  try {
    return ledger.report({ by, since });
  } finally {
    ledger.close();
  }
}

function tableOf(rows: readonly ReportRow[], by: ReportBy, terminal: Terminal, flags: OutputFlags): readonly string[] {
  const width = widthOf(terminal.output, terminal, flags);
  const paint = createPaint(wantsColour(terminal.output, terminal, flags));
  const name = Math.min(Math.max(...rows.map(({ key }) => key.length), by.length, 5), Math.max(width - 46, 12));
  const line = (cells: readonly [string, ...string[]]): string => {
    const [first, ...numbers] = cells;
    return shorten([fit(printable(first), name), ...numbers.map((cell) => fitRight(cell, 9))].join("  "), width);
  };
  const cells = (row: ReportRow): [string, ...string[]] => [
    row.key,
    String(row.turns),
    String(row.calls),
    compact(Object.values(row.tokens).reduce((sum, tokens) => sum + tokens, 0)),
    dollars(row.cost_usd),
  ];
  const unpriced = rows.filter((row) => row.unpriced_tokens > 0);
  const tokens = unpriced.reduce((sum, row) => sum + row.unpriced_tokens, 0);
  const total = rows.reduce((sum, row) => sum + row.cost_usd, 0);
  return [
    paint("quiet", line([by, "turns", "calls", "tokens", "cost"])),
    ...rows.map((row) => line(cells(row))),
    ...(rows.length === 1 ? [] : [paint("strong", line(["total", "", "", "", dollars(total)]))]),
    ...(tokens === 0
      ? []
      : [
          paint(
            "warning",
            `${compact(tokens)} tokens have no known price and are not in the cost: see prices under [metrics].`,
          ),
        ]),
  ];
}
