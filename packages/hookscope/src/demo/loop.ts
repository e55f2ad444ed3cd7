import { setTimeout as wait } from "node:timers/promises";

import type { Received } from "@hookscope/harness";

import { EXIT } from "../errors.ts";
import type { Interruptible } from "../interruptible.ts";
import { duration } from "../timeline/format.ts";
import { writeLines, type OutputFlags, type Terminal } from "../terminal.ts";
import { variationOf, type Variation } from "./variation.ts";

export interface LoopOptions {
  readonly terminal: Terminal;
  readonly flags: OutputFlags;
  /** Of the first turn; each further one has the next. */
  readonly seed: number;
  /** Milliseconds between two turns. */
  readonly pauseMs: number;
  readonly runTurn: (variation: Variation, signal: AbortSignal) => Promise<Received>;
}

/** Turns one after another, each a little different, until the signal ends it. A line for each. */
export async function runLoop(options: LoopOptions, { signal }: Interruptible): Promise<number> {
  const { terminal, flags, seed, pauseMs, runTurn } = options;
  for (let number = seed; !signal.aborted; number += 1) {
    const start = performance.now();
    const received = await runTurn(variationOf(number), signal);
    const line = { seed: number, ...summaryOf(received) };
    const text = `seed ${number}  ${duration(performance.now() - start)}  ${line.outcome}  ${line.turnId ?? ""}`;
    writeLines(terminal.output, [flags.json === true ? JSON.stringify(line) : text.trimEnd()]);
    await wait(pauseMs, undefined, { signal }).catch(() => undefined);
  }
  return EXIT.interrupted;
}

interface Summary {
  /** The turn's stop reason; where there was none, what became of the message. */
  readonly outcome: string;
  readonly turnId: string | null;
  readonly sessionId: string | null;
  readonly traceId: string | null;
}

function summaryOf(received: Received): Summary {
  if (received.outcome !== "turn") return { outcome: received.outcome, turnId: null, sessionId: null, traceId: null };
  const { turnId, sessionId, traceId = null, stopReason } = received.result;
  return { outcome: stopReason, turnId, sessionId, traceId };
}
