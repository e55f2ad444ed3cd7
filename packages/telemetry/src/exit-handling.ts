import { writeSync } from "node:fs";

import type { Clock } from "@hookscope/hooks";

import { withinTime } from "./bounded.ts";
import { foreignListeners } from "./foreign-listeners.ts";
import type { EndedBy } from "./open-spans.ts";
import { messageOf, type Warn } from "./warnings.ts";

/** What is to happen to spans when the process ends. */
export interface ExitWork {
  /** Whether anything is open or waiting. */
  isPending(): boolean;
  endOpenSpans(endedBy: EndedBy, message: string): void;
  /** For an end that may turn out not to be one. */
  flush(timeoutMs: number): Promise<"done" | "timeout">;
  /** For an end that is certain. It does not take longer than this, a shutdown that goes on already included. */
  shutdown(timeoutMs: number): Promise<unknown>;
  /** What can be done without waiting. */
  leave(): void;
}

export interface ExitSettings {
  readonly signals: readonly NodeJS.Signals[];
  readonly timeoutMs: number;
  /** False: only `exit` works. */
  readonly listens: boolean;
}

type Callback = () => void | Promise<void>;

/**
 * Lets a process end as it would have ended, a little later: first the callbacks, then the spans that are still open,
 * then the flush. A signal is raised again, so that the parent sees it; an uncaught error is thrown again, so that Node
 * prints it. Where the program itself listens to a signal or to uncaught errors, the end is its own affair.
 */
export class ExitHandling {
  readonly #work: ExitWork;
  readonly #settings: ExitSettings;
  readonly #clock: Clock;
  readonly #warn: Warn;
  readonly #callbacks = new Set<Callback>();
  #isEnding = false;
  /** Once: what a callback does brings the process back to its natural end. */
  #hasToldOfNaturalEnd = false;
  /** The signal a listener of the program is dealing with: the reason, should the process end by it. */
  #lastSignal: NodeJS.Signals | undefined;
  /** The one that ends the process, or came while it was ending; another one does not wait for the flush. */
  #signalAtEnd: NodeJS.Signals | undefined;

  constructor(work: ExitWork, settings: ExitSettings, clock: Clock, warn: Warn) {
    this.#work = work;
    this.#settings = settings;
    this.#clock = clock;
    this.#warn = warn;
    if (!settings.listens) return;
    for (const signal of settings.signals) process.on(signal, this.#onSignal);
    process.on("uncaughtException", this.#onUncaught);
    process.on("beforeExit", this.#onBeforeExit);
    process.on("exit", this.#onExit);
  }

  add(callback: Callback): () => void {
    this.#callbacks.add(callback);
    return () => {
      this.#callbacks.delete(callback);
    };
  }

  async exit(code?: number): Promise<never> {
    this.#isEnding = true;
    this.#signalAtEnd ??= this.#lastSignal;
    await this.#windDown("exit", "the process was told to exit");
    // Given undefined, process.exit would forget process.exitCode.
    return code === undefined ? process.exit() : process.exit(code);
  }

  /** Stops listening, but for an end that is under way: that one goes on to its end. */
  uninstall(): void {
    if (!this.#isEnding) this.#stopListening();
  }

  readonly #onSignal = (signal: NodeJS.Signals): void => {
    if (this.#isEnding) {
      if (this.#signalAtEnd !== undefined) return this.#raise(signal);
      // What goes on is bounded: an uncaught error is still to be printed, spans are still on their way.
      this.#signalAtEnd = signal;
      return;
    }
    if (foreignListeners(signal, this.#onSignal) > 0) {
      this.#lastSignal = signal;
      void this.#work.flush(this.#settings.timeoutMs);
      return;
    }
    this.#isEnding = true;
    this.#signalAtEnd = signal;
    void this.#windDown("signal", `the process got ${signal}`).then(() => this.#raise(signal));
  };

  readonly #onUncaught = (error: unknown): void => {
    if (foreignListeners("uncaughtException", this.#onUncaught) > 0) return;
    if (this.#isEnding) {
      report(error);
      process.exitCode = UNCAUGHT;
      return;
    }
    this.#isEnding = true;
    void this.#windDown("uncaught", "the process ended by an uncaught error").then(() => {
      this.#stopListening();
      setImmediate(() => {
        throw error;
      });
    });
  };

  readonly #onBeforeExit = (): void => {
    const hasUntold = this.#callbacks.size > 0 && !this.#hasToldOfNaturalEnd;
    if (this.#isEnding || !(hasUntold || this.#work.isPending())) return;
    this.#isEnding = true;
    this.#hasToldOfNaturalEnd = true;
    void this.#finishNaturally();
  };

  readonly #onExit = (): void => {
    const signal = this.#lastSignal;
    if (signal === undefined) this.#work.endOpenSpans("exit", "the process exited");
    else this.#work.endOpenSpans("signal", `the process got ${signal}`);
    this.#work.leave();
  };

  async #windDown(endedBy: EndedBy, message: string): Promise<void> {
    const left = await this.#endAll(endedBy, message);
    await this.#work.shutdown(left);
    this.#work.leave();
  }

  /** The process may live on: another listener of `beforeExit` may have found new work. So nothing is shut down. */
  async #finishNaturally(): Promise<void> {
    const left = await this.#endAll("exit", "the process ended");
    const outcome = await this.#work.flush(left);
    this.#isEnding = false;
    const signal = this.#signalAtEnd;
    this.#signalAtEnd = undefined;
    if (signal !== undefined && foreignListeners(signal, this.#onSignal) === 0) return this.#raise(signal);
    // A request that hangs would hold the process for as long as the exporter waits.
    if (outcome === "timeout") process.exit();
  }

  /** @returns the milliseconds left */
  async #endAll(endedBy: EndedBy, message: string): Promise<number> {
    const start = this.#clock.now();
    const callbacks = [...this.#callbacks];
    this.#callbacks.clear();
    if (callbacks.length > 0) {
      const calls = Promise.all(callbacks.map((callback) => this.#call(callback)));
      const outcome = await withinTime(this.#clock, this.#settings.timeoutMs / 2, calls);
      if (outcome === "timeout")
        this.#warn("TELEMETRY_EXIT_CALLBACK_FAILED", "a function given to onExit took too long");
    }
    this.#work.endOpenSpans(endedBy, message);
    return Math.max(this.#settings.timeoutMs / 2, this.#settings.timeoutMs - (this.#clock.now() - start));
  }

  async #call(callback: Callback): Promise<void> {
    try {
      await callback();
    } catch (error) {
      this.#warn("TELEMETRY_EXIT_CALLBACK_FAILED", `a function given to onExit threw: ${messageOf(error)}`);
    }
  }

  #raise(signal: NodeJS.Signals): void {
    this.#work.leave();
    this.#stopListening();
    process.kill(process.pid, signal);
  }

  #stopListening(): void {
    for (const signal of this.#settings.signals) process.off(signal, this.#onSignal);
    process.off("uncaughtException", this.#onUncaught);
    process.off("beforeExit", this.#onBeforeExit);
    process.off("exit", this.#onExit);
  }
}

/** As Node itself ends after an uncaught error, whatever `process.exitCode` was. */
const UNCAUGHT = 1;

/** Through the stream, a text that nobody reads would be the next uncaught error, and so on without end. */
function report(error: unknown): void {
  try {
    writeSync(process.stderr.fd, `${error instanceof Error ? (error.stack ?? messageOf(error)) : messageOf(error)}\n`);
  } catch {
    // Nobody is there to be told.
  }
}
