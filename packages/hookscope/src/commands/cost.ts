import { existsSync } from "node:fs";

import type { ReportBy, ReportRow } from "@hookscope/metrics";
import stringWidth from "string-width";

import { readConfig, type ConfigFlags } from "../config/config.ts";
import { CommandError, EXIT } from "../errors.ts";
import { openLedger } from "../runtime/ledger.ts";
import {
  wantsColour,
  widthOf,
  writeJson,
  writeLines,
  writeText,
  type OutputFlags,
  type Terminal,
} from "../terminal.ts";
import { compact, count, dollars } from "../timeline/format.ts";
import { createPaint } from "../timeline/paint.ts";
import { fit, fitRight, printable, shorten, wrap } from "../timeline/text.ts";

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
  else if (config.ledger === undefined)
    writeText(terminal, flags, "No ledger is kept: the configuration says `ledger = false`.");
  else if (rows.length === 0)
    writeText(terminal, flags, "Nothing was spent. `hookscope run` writes down what a turn costs.");
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
  const numbers = NUMBERS.length * 11;
  const widest = Math.max(...rows.map(({ key }) => stringWidth(printable(key))), by.length, 5);
  // Where it is too narrow for columns, the numbers stand below the name.
  const name = width - numbers < LEAST_NAME ? undefined : Math.min(widest, width - numbers);
  const line = (key: string, cells: readonly string[]): readonly string[] =>
    name === undefined
      ? [shorten(printable(key), width), `  ${cells.filter(Boolean).join(", ")}`]
      : [[fit(printable(key), name), ...cells.map((cell) => fitRight(cell, 9))].join("  ").trimEnd()];
  const total = dollars(rows.reduce((sum, row) => sum + row.cost_usd, 0));
  const tokens = rows.reduce((sum, row) => sum + row.unpriced_tokens, 0);
  return [
    ...(name === undefined ? [] : line(by, NUMBERS).map((text) => paint("quiet", text))),
    ...rows.flatMap((row) => line(row.key, name === undefined ? phrases(row) : cells(row))),
    ...(rows.length === 1 ? [] : line("total", ["", "", "", total]).map((text) => paint("strong", text))),
    ...(tokens === 0 ? [] : wrap(unpricedText(tokens), width, Infinity).map((text) => paint("warning", text))),
  ];
}

const NUMBERS: readonly string[] = ["turns", "calls", "tokens", "cost"];
const LEAST_NAME = 12;

function cells(row: ReportRow): readonly string[] {
  const tokens = Object.values(row.tokens).reduce((sum, count) => sum + count, 0);
  return [String(row.turns), String(row.calls), compact(tokens), dollars(row.cost_usd)];
}

function phrases(row: ReportRow): readonly string[] {
  const [, , tokens = "", cost = ""] = cells(row);
  return [count(row.turns, "turn"), count(row.calls, "call"), `${tokens} tokens`, cost];
}

function unpricedText(tokens: number): string {
  return `${compact(tokens)} tokens are not in the cost, since the price of their model is not known: give one in hookscope.toml, in a table [metrics.prices."provider/model"].`;
}
