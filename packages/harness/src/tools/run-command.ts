import { spawn, type ChildProcess } from "node:child_process";

import type { Clock, Timer } from "@hookscope/hooks";

import { HarnessError } from "../errors.ts";
import { OutputWindow } from "./output-window.ts";
import { ProcessGroup } from "./process-group.ts";

export interface CommandOptions {
  readonly command: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  /** How long a process has to end after SIGTERM, before SIGKILL. */
  readonly killAfterMs: number;
  /** How long output is waited for after the shell has ended. */
  readonly drainMs: number;
  readonly maxOutputBytes: number;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  onOutput(window: OutputWindow): void;
}

export interface CommandResult {
  readonly output: string;
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly timedOut: boolean;
}

/**
 * Runs a command by `/bin/sh -c` in a process group of its own, with no input. Ends with the shell: what it left running
 * is ended with it, and what still holds its output open is not waited for.
 *
 * @throws HarnessError TOOL_COMMAND_FAILED; what the signal was aborted with, once the group is told to end and the shell has
 */
export async function runCommand(options: CommandOptions): Promise<CommandResult> {
  options.signal.throwIfAborted();
  let run: CommandRun;
  try {
    run = new CommandRun(options);
  } catch (error) {
    // A zero byte in the command, for example, is refused before anything is started.
    throw couldNotStart(error as Error);
  }
  return run.result;
}

class CommandRun {
  readonly result: Promise<CommandResult>;
  readonly #options: CommandOptions;
  readonly #child: ChildProcess;
  readonly #output: OutputWindow;
  readonly #settle: (result: CommandResult) => void;
  readonly #fail: (error: unknown) => void;
  readonly #timers: Timer[] = [];
  #group: ProcessGroup | undefined;
  #timedOut = false;

  constructor(options: CommandOptions) {
    const { promise, resolve, reject } = Promise.withResolvers<CommandResult>();
    this.result = promise;
    this.#settle = resolve;
    this.#fail = reject;
    this.#options = options;
    this.#output = new OutputWindow(options.maxOutputBytes);
    this.#child = spawn("/bin/sh", ["-c", options.command], {
      cwd: options.cwd,
      env: options.env,
      detached: true,
      stdio: ["ignore", "pipe", "pipe"],
    });
    this.#watch();
  }

  #watch(): void {
    const child = this.#child;
    const { signal, timeoutMs } = this.#options;
    child.once("error", (error) => this.#finish(() => this.#fail(couldNotStart(error))));
    if (child.pid === undefined) return;
    this.#group = new ProcessGroup(child.pid);
    for (const stream of [child.stdout, child.stderr]) stream?.on("data", this.#take);
    signal.addEventListener("abort", this.#stop, { once: true });
    this.#after(timeoutMs, () => {
      this.#timedOut = true;
      this.#stop();
    });
    child.once("exit", () => {
      // `close` comes when nobody holds the output open any more; a process left behind may never let go.
      child.once("close", this.#end);
      this.#after(this.#options.drainMs, this.#end);
    });
  }

  readonly #take = (chunk: Buffer): void => {
    this.#output.push(chunk);
    this.#options.onOutput(this.#output);
  };

  readonly #stop = (): void => {
    this.#group?.signal("SIGTERM");
    this.#after(this.#options.killAfterMs, () => {
      this.#group?.signal("SIGKILL");
      // A process that not even SIGKILL ends is stuck in the kernel.
      this.#after(this.#options.killAfterMs, this.#end);
    });
  };

  readonly #end = (): void => {
    this.#finish(() => {
      const { signal } = this.#options;
      if (signal.aborted) this.#fail(signal.reason);
      else {
        this.#settle({
          output: this.#output.text(),
          exitCode: this.#child.exitCode,
          signal: this.#child.signalCode,
          timedOut: this.#timedOut,
        });
      }
    });
  };

  #finish(settle: () => void): void {
    for (const timer of this.#timers) timer.cancel();
    this.#options.signal.removeEventListener("abort", this.#stop);
    this.#child.off("close", this.#end);
    this.#child.stdout?.destroy();
    this.#child.stderr?.destroy();
    if (this.#group !== undefined) this.#endLeftovers(this.#group);
    settle();
  }

  /** Nobody waits for these; the timer does not keep the process alive, whose exit ends them too. */
  #endLeftovers(group: ProcessGroup): void {
    group.signal("SIGTERM");
    if (!group.isAlive) return group.release();
    const timer = this.#options.clock.setTimer(() => {
      group.signal("SIGKILL");
      group.release();
    }, this.#options.killAfterMs);
    timer.unref?.();
  }

  #after(delayMs: number, callback: () => void): void {
    this.#timers.push(this.#options.clock.setTimer(callback, delayMs));
  }
}

function couldNotStart(error: Error): HarnessError {
  const { code } = error as NodeJS.ErrnoException;
  return new HarnessError("TOOL_COMMAND_FAILED", `the command could not be started (${code ?? error.message}).`, {
    cause: error,
  });
}
