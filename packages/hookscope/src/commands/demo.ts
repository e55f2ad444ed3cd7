import { createInterface } from "node:readline/promises";

import type { Received } from "@hookscope/harness";
import type { HookBus } from "@hookscope/hooks";
import type { TurnDocument } from "@hookscope/telemetry";

import { closeAll } from "../close-all.ts";
import { readConfig, type Config, type ConfigFlags } from "../config/config.ts";
import { ANSWER_AFTER_MS, createDemoApprover, DEFAULT_ANSWER } from "../demo/approver.ts";
import { createDemoBus, runDemoTurn } from "../demo/demo-turn.ts";
import { runLoop } from "../demo/loop.ts";
import { DEMO_PRICES, MESSAGE } from "../demo/script.ts";
import { EVERYTHING } from "../demo/variation.ts";
import { CommandError, EXIT } from "../errors.ts";
import { interruptible } from "../interruptible.ts";
import { startRecording, type Recording } from "../recording.ts";
import { openLedgerForTurns } from "../runtime/ledger.ts";
import { startMetering, type MetricsFlags } from "../runtime/metering.ts";
import { exitCodeOf, showTurn, showUntaken } from "../show-turn.ts";
import { isInteractive, widthOf, writeLines, type OutputFlags, type Terminal } from "../terminal.ts";
import { wrap } from "../timeline/text.ts";

export interface DemoFlags extends OutputFlags, ConfigFlags, MetricsFlags {
  readonly exit?: boolean;
  readonly loop?: boolean;
  /** Seconds between two turns of the loop. */
  readonly every?: number;
  readonly seed?: number;
}

const DEFAULT_PAUSE_S = 5;

/** One scripted turn with real tools and hooks; at a terminal, again and again until the person has seen enough. */
export async function demo(terminal: Terminal, flags: DemoFlags): Promise<number> {
  checkLoopFlags(flags);
  const config = await readConfig(terminal, flags);
  const text = flags.json !== true && flags.loop !== true;
  if (text) writeLines(terminal.output, paragraphs(introduction(terminal), terminal, flags));
  const recording = startRecording(terminal, config);
  const open: (() => Promise<void>)[] = [() => recording.close()];
  try {
    // Made-up prices do not belong into a ledger that nobody asked for.
    const ledger = config.ledger?.asked === true ? openLedgerForTurns(config, recording.say) : undefined;
    const metering = await startMetering({ config, flags, recording, ledger, prices: DEMO_PRICES });
    open.push(() => metering.close());
    const bus = createDemoBus(recording.logger, metering);
    if (flags.loop === true) return await loop(terminal, flags, recording, bus);
    for (;;) {
      const received = await receive(terminal, recording, bus);
      if (received.outcome !== "turn") return showUntaken(received, { terminal, flags, config, recording });
      const { result } = received;
      const document = await recording.document(result.turnId);
      showTurn({ result, document }, { terminal, flags, config, recording });
      const exitCode = exitCodeOf(result);
      if (text && exitCode === EXIT.done) writeLines(terminal.output, ["", ...nextSteps(terminal, config, document)]);
      const again = text && flags.exit !== true && exitCode === EXIT.done && canAskAgain(terminal);
      if (!again || !(await wantsAnother(terminal))) return exitCode;
    }
  } finally {
    await closeAll(open);
  }
}

function checkLoopFlags({ loop, every, seed }: DemoFlags): void {
  const lonely =
    loop === true ? undefined : every !== undefined ? "--every" : seed !== undefined ? "--seed" : undefined;
  if (lonely === undefined) return;
  throw new CommandError("COMMAND_OPTION_INVALID", `${lonely} is for turn after turn: give --loop too.`);
}

function loop(terminal: Terminal, flags: DemoFlags, recording: Recording, bus: HookBus): Promise<number> {
  const { recordContent } = recording.telemetry;
  return interruptible(terminal, recording.telemetry, (context) =>
    runLoop(
      {
        terminal,
        flags,
        seed: flags.seed ?? 1,
        pauseMs: (flags.every ?? DEFAULT_PAUSE_S) * 1_000,
        runTurn: (variation, signal) =>
          runDemoTurn({
            bus,
            variation,
            recordContent,
            approver: { ask: () => Promise.resolve(variation.answer) },
            signal,
          }),
      },
      context,
    ),
  );
}

function receive(terminal: Terminal, recording: Recording, bus: HookBus): Promise<Received> {
  const { recordContent } = recording.telemetry;
  return interruptible(terminal, recording.telemetry, async ({ signal, interrupt }) => {
    const approver = createDemoApprover(terminal, recording.say, interrupt);
    return runDemoTurn({ bus, variation: EVERYTHING, approver, recordContent, signal });
  });
}

function introduction(terminal: Terminal): readonly string[] {
  const seconds = ANSWER_AFTER_MS / 1000;
  const question = isInteractive(terminal)
    ? `You are asked one question; without an answer in ${seconds} s it counts as "${DEFAULT_ANSWER}".`
    : `There is no terminal to ask at, so the one question is answered "${DEFAULT_ANSWER}" at once.`;
  return [
    "Hookscope demo: one agent turn on a throw-away copy of a small project. The model is scripted, so no key is needed; tools, hooks and spans are real.",
    "Watch for: a model call that fails and is tried again, two tool calls at once, a blocked command, changed arguments, a slow hook, a broken hook, a subagent, and mods: one counts rounds, one shortens a command before the policy sees it.",
    question,
    `You say: "${MESSAGE}"`,
    "",
  ];
}

function nextSteps(terminal: Terminal, { endpoint }: Config, document: TurnDocument | undefined): readonly string[] {
  const isClone = ["start", "hookscope"].includes(terminal.environment["npm_lifecycle_event"] ?? "");
  const [command, start] = isClone ? ["npm run -s hookscope --", "npm start"] : ["hookscope", "hookscope demo"];
  const turn = document === undefined ? "" : ` --turn ${document.turn.turnId}`;
  return [
    "Next:",
    `  ${command} timeline${turn}`,
    `  ${command} points`,
    `  ${command} doctor`,
    ...(endpoint === undefined ? [`  OTEL_EXPORTER_OTLP_ENDPOINT=http://localhost:4318 ${start}`] : []),
    `  ${command} run --model anthropic:NAME "What does this project do?"`,
    ...(isClone ? ["  docs/life-of-a-message.md"] : []),
  ];
}

/** Whose output is gone (`| head`) has seen enough. */
function canAskAgain(terminal: Terminal): boolean {
  return isInteractive(terminal) && terminal.output.writable;
}

async function wantsAnother({ input, errors }: Terminal): Promise<boolean> {
  const lines = createInterface({ input, output: errors });
  const closed = new AbortController();
  lines.once("close", () => closed.abort());
  try {
    const answer = await lines.question("\nEnter runs it again, q quits: ", { signal: closed.signal });
    return !/^\s*q/i.test(answer);
  } catch {
    // End of input, or Ctrl-C.
    errors.write("\n");
    return false;
  } finally {
    lines.close();
  }
}

function paragraphs(texts: readonly string[], terminal: Terminal, flags: OutputFlags): readonly string[] {
  const width = Math.min(widthOf(terminal.output, terminal, flags), 100);
  return texts.flatMap((text) => (text === "" ? [""] : wrap(text, width, 9)));
}
