import type { Received, RunResult } from "@hookscope/harness";
import type { TurnDocument } from "@hookscope/telemetry";

import { show } from "./commands/timeline.ts";
import type { Config } from "./config/config.ts";
import { sentTo } from "./destinations.ts";
import { EXIT } from "./errors.ts";
import type { Recording } from "./recording.ts";
import { wantsColour, widthOf, writeJson, writeLines, type OutputFlags, type Terminal } from "./terminal.ts";
import { renderTimeline } from "./timeline/render.ts";
import { printable, wrap } from "./timeline/text.ts";

export interface FinishedTurn {
  readonly result: RunResult;
  /** undefined where nothing recorded the turn. */
  readonly document: TurnDocument | undefined;
}

export interface ShowContext {
  readonly terminal: Terminal;
  readonly flags: OutputFlags;
  readonly config: Config;
  readonly recording: Recording;
}

/** The reply, then the turn's timeline, and where else its trace is. As JSON: the turn's document alone. */
export function showTurn({ result, document }: FinishedTurn, context: ShowContext): void {
  const { terminal, flags } = context;
  if (flags.json === true) return writeJson(terminal.output, document ?? unrecorded(result));
  const width = widthOf(terminal.output, terminal, flags);
  if (result.finalText !== "") writeLines(terminal.output, [...replyLines(result.finalText, width), ""]);
  if (result.error !== undefined)
    context.recording.say(`hookscope: the turn failed: ${printable(result.error.message)}`);
  if (document === undefined)
    writeLines(
      terminal.output,
      renderTimeline({ traceId: "", spans: [] }, { width, colour: wantsColour(terminal.output, terminal, flags) }),
    );
  else show(document, terminal, flags);
  writeLines(terminal.output, whereTo(document, context));
}

/** A message that no turn was made of: by which hook, and why. */
export function showUntaken(
  received: Exclude<Received, { readonly outcome: "turn" }>,
  { terminal, flags, recording }: ShowContext,
): number {
  if (flags.json === true) writeJson(terminal.output, received);
  if (received.outcome === "interrupted") return EXIT.interrupted;
  recording.say(`hookscope: no turn was run: ${printable(received.reason)} (hook ${printable(received.hook)})`);
  return EXIT.failed;
}

function replyLines(reply: string, width: number): readonly string[] {
  return reply.split("\n").flatMap((line) => (line.trim() === "" ? [""] : wrap(printable(line), width, Infinity)));
}

export function exitCodeOf({ stopReason }: RunResult): number {
  if (stopReason === "interrupted") return EXIT.interrupted;
  return stopReason === "error" ? EXIT.failed : EXIT.done;
}

function whereTo(document: TurnDocument | undefined, { config, recording }: ShowContext): readonly string[] {
  const destinations = sentTo(recording.telemetry);
  if (document === undefined || destinations.length === 0) return [];
  const { traceId } = document;
  const missing = recording.telemetry.queueSize() + sum(recording.telemetry.dropped());
  const where = destinations.join(" and ");
  return [
    "",
    missing === 0
      ? `Sent to ${where}: trace ${traceId}`
      : `Not sent to ${where}: ${missing} spans are waiting or lost.`,
    ...(config.jaegerUrl === undefined ? [] : [`${config.jaegerUrl}/trace/${traceId}`]),
  ];
}

/** The shape of a turn's document, with nothing in it. */
function unrecorded({ turnId, sessionId, stopReason }: RunResult): object {
  return { turn: { turnId, sessionId, outcome: stopReason }, traceId: null, spans: [], invocations: [] };
}

function sum(counts: Readonly<Record<string, number>>): number {
  return Object.values(counts).reduce((total, number) => total + number, 0);
}
