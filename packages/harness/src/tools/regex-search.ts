import { Worker } from "node:worker_threads";

import type { Clock, Timer } from "@hookscope/hooks";

import { HarnessError } from "../errors.ts";
import { unreadable } from "./file-problem.ts";

export interface FoundLine {
  /** From 1. */
  readonly line: number;
  readonly text: string;
}

export interface RegexSearchOptions {
  readonly pattern: string;
  /** For one text, in milliseconds; what the thread takes to start is not in it. */
  readonly limitMs: number;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/**
 * Searches texts for a regular expression that a model wrote. It may take time without end on some text, and cannot be
 * interrupted, so it runs in a thread of its own that can be stopped.
 */
export class RegexSearch {
  readonly #options: RegexSearchOptions;
  readonly #worker: Worker;
  #isOnline = false;
  #failure: Error | undefined;

  /** @throws HarnessError TOOL_INPUT_INVALID when the pattern is no regular expression */
  constructor(options: RegexSearchOptions) {
    try {
      void new RegExp(options.pattern);
    } catch (error) {
      throw new HarnessError("TOOL_INPUT_INVALID", `"pattern" is no regular expression: ${(error as Error).message}.`, {
        cause: error,
      });
    }
    this.#options = options;
    this.#worker = new Worker(WORKER, {
      eval: true,
      workerData: options.pattern,
      env: {},
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: 128 },
    });
    this.#worker.once("online", () => {
      this.#isOnline = true;
    });
    // An error that nobody hears would end the process.
    this.#worker.on("error", (error: Error) => {
      this.#failure = error;
    });
  }

  /**
   * @throws HarnessError TOOL_INPUT_INVALID past the time limit, TOOL_FILE_UNREADABLE where the thread ended; what the signal
   *   was aborted with
   */
  async linesOf(text: string, max: number, name: string): Promise<readonly FoundLine[]> {
    const { clock, limitMs, signal, pattern } = this.#options;
    signal.throwIfAborted();
    if (this.#failure !== undefined) throw ended(this.#failure, name);
    const { promise, resolve, reject } = Promise.withResolvers<readonly FoundLine[]>();
    const abort = (): void => reject(signal.reason);
    const fail = (error: Error): void => reject(ended(error, name));
    let timer: Timer | undefined;
    const begin = (): void => {
      timer = clock.setTimer(() => reject(tooSlow(pattern, name, limitMs)), limitMs);
    };
    this.#worker.once("message", resolve).once("error", fail);
    if (this.#isOnline) begin();
    else this.#worker.once("online", begin);
    signal.addEventListener("abort", abort, { once: true });
    try {
      this.#worker.postMessage({ text, max });
      return await promise;
    } finally {
      timer?.cancel();
      signal.removeEventListener("abort", abort);
      this.#worker.off("message", resolve).off("error", fail).off("online", begin);
    }
  }

  async close(): Promise<void> {
    await this.#worker.terminate();
  }
}

function ended(error: Error, name: string): HarnessError {
  const { code } = error as NodeJS.ErrnoException;
  return unreadable(name, `cannot be searched: the search ended early (${code ?? error.message})`, error);
}

function tooSlow(pattern: string, name: string, limitMs: number): HarnessError {
  return new HarnessError(
    "TOOL_INPUT_INVALID",
    `the pattern ${JSON.stringify(pattern)} took longer than ${limitMs} ms on "${name}". Make it simpler: no repetition inside a repetition.`,
  );
}

// As text, because a bundle has no file that a thread could start from.
const WORKER = `
const { parentPort, workerData } = require("node:worker_threads");
const pattern = new RegExp(workerData);
parentPort.on("message", ({ text, max }) => {
  const found = [];
  for (let start = 0, number = 1; start <= text.length && found.length < max; number += 1) {
    const newline = text.indexOf("\\n", start);
    const end = newline === -1 ? text.length : newline;
    const line = text.slice(start, text[end - 1] === "\\r" && end > start ? end - 1 : end);
    if (pattern.test(line)) found.push({ line: number, text: line });
    start = end + 1;
  }
  parentPort.postMessage(found);
});
`;
