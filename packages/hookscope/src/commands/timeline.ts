import type { TraceStore, TurnDocument, TurnSummary } from "@hookscope/telemetry";

import { readConfig, type ConfigFlags } from "../config/config.ts";
import { CommandError, EXIT } from "../errors.ts";
import {
  wantsColour,
  widthOf,
  writeJson,
  writeLines,
  writeText,
  type OutputFlags,
  type Terminal,
} from "../terminal.ts";
import { count, duration } from "../timeline/format.ts";
import { createPaint, type Paint } from "../timeline/paint.ts";
import { renderTimeline } from "../timeline/render.ts";
import { fit, fitRight, printable, shorten } from "../timeline/text.ts";
import { openTraceStore } from "../trace-store.ts";

export interface TimelineFlags extends OutputFlags, ConfigFlags {
  readonly turn?: string;
  readonly session?: string;
  readonly list?: boolean;
}

/** The last turn, a named one, or a list of them, from the local trace store. */
export async function timeline(terminal: Terminal, flags: TimelineFlags): Promise<number> {
  const store = openTraceStore(await readConfig(terminal, flags));
  try {
    if (flags.list === true) list(store, terminal, flags);
    else show(find(store, flags), terminal, flags);
    return EXIT.done;
  } finally {
    store.close();
  }
}

export function show(document: TurnDocument, terminal: Terminal, flags: OutputFlags): void {
  const { output } = terminal;
  if (flags.json === true) return writeJson(output, document);
  const colour = wantsColour(output, terminal, flags);
  writeLines(output, renderTimeline(document, { width: widthOf(output, terminal, flags), colour }));
}

function find(store: TraceStore, { turn, session }: TimelineFlags): TurnDocument {
  const turnId = turn ?? store.turns({ limit: 1, ...(session === undefined ? {} : { session }) })[0]?.turnId;
  const document = turnId === undefined ? undefined : store.turn(turnId);
  if (document !== undefined) return document;
  if (turn !== undefined) throw unknown(`there is no turn "${turn}"`);
  throw unknown(session === undefined ? "no turn was recorded yet" : `no turn of session "${session}" was recorded`);
}

function unknown(what: string): CommandError {
  const advice = "`hookscope demo` records one; `hookscope timeline --list` lists those that are there.";
  return new CommandError("COMMAND_TURN_UNKNOWN", `${what}. ${advice}`);
}

function list(store: TraceStore, terminal: Terminal, flags: TimelineFlags): void {
  const { output } = terminal;
  const turns = store.turns(flags.session === undefined ? {} : { session: flags.session });
  if (flags.json === true) return writeJson(output, turns);
  if (turns.length === 0) return writeText(terminal, flags, "No turn was recorded yet. `hookscope demo` records one.");
  const paint = createPaint(wantsColour(output, terminal, flags));
  const width = widthOf(output, terminal, flags);
  const head = `${fit("started (UTC)", 19)}  ${fit("turn", ID)}  ${fitRight("time", 7)}${width >= ONE_LINE_WIDTH ? "  outcome, agent" : ""}`;
  writeLines(output, [
    ...(width < TABLE_WIDTH ? [] : [paint("quiet", head)]),
    ...turns.flatMap((turn) => turnLines(turn, width, paint)),
  ]);
}

/** A turn's id is a UUID, and must be read whole. */
const ID = 36;
const TABLE_WIDTH = 19 + 2 + ID + 2 + 7;
/** Below these columns what became of a turn stands on a line of its own. */
const ONE_LINE_WIDTH = 110;

function turnLines(turn: TurnSummary, width: number, paint: Paint): readonly string[] {
  const started = new Date(turn.startTime).toISOString().slice(0, 19).replace("T", " ");
  const time = fitRight(duration(turn.endTime - turn.startTime), 7);
  const id = printable(turn.turnId);
  const before = width < TABLE_WIDTH ? `${started}  ${time}` : `${started}  ${fit(id, ID)}  ${time}`;
  const remarks = [
    ...(turn.hasBlock === true ? [`${turn.blockedToolCalls ?? 1} BLOCKED`] : []),
    ...(turn.hasFailure === true ? [count(turn.hookFailures ?? 1, "hook FAILED", "hooks FAILED")] : []),
  ];
  const about = [turn.outcome, turn.agent, ...remarks].filter((part) => part !== undefined).join(", ");
  const tone = remarks.length > 0 ? "warning" : "plain";
  const oneLine = width >= ONE_LINE_WIDTH;
  const text = paint(tone, shorten(printable(about), width - (oneLine ? before.length : 0) - 2));
  if (oneLine) return [`${before}  ${text}`];
  return width < TABLE_WIDTH ? [shorten(id, width), `  ${before}`, `  ${text}`] : [before, `  ${text}`];
}
