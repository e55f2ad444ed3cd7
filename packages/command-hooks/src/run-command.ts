import { spawn } from "node:child_process";

import { ProcessGroup } from "@hookscope/harness/internal";
import type { Clock, Timer } from "@hookscope/hooks";

import { CommandHookError } from "./errors.ts";

export interface CommandRequest {
  /** For `/bin/sh -c`. */
  readonly command: string;
  /** Written to its standard input. */
  readonly input: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
  readonly clock: Clock;
}

export interface CommandOutcome {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Bytes kept of each stream, from its start. */
const MAX_OUTPUT_BYTES = 1024 * 1024;
/** How long a group has to end after SIGTERM. */
const KILL_AFTER_MS = 2_000;
/** How long output is waited for after the command has ended. */
const DRAIN_MS = 1_000;

/**
 * Runs a command in a process group of its own. It is over with its exit, or with its time: what it left running is ended
 * and not waited for.
 *
 * @throws CommandHookError COMMAND_HOOK_NOT_STARTED, COMMAND_HOOK_TIMEOUT; what the signal was aborted with
 */
export async function runCommand(request: CommandRequest): Promise<CommandOutcome> {
  const { command, input, cwd, env, timeoutMs, signal, clock } = request;
  signal?.throwIfAborted();
  const child = spawn("/bin/sh", ["-c", command], { cwd, env, detached: true, stdio: "pipe" });
  const { promise, resolve, reject } = Promise.withResolvers<number | null>();
  child.once("error", (error) => reject(notStarted(error)));
  if (child.pid === undefined) return promise.then(() => ({ exitCode: null, stdout: "", stderr: "" }));
  const group = new ProcessGroup(child.pid);
  const stdout = collect(child.stdout);
  const stderr = collect(child.stderr);
  // A command need not read what it is given.
  child.stdin.on("error", () => undefined);
  child.stdin.end(input);
  const timer = clock.setTimer(() => reject(tooSlow(timeoutMs)), timeoutMs);
  const interrupt = (): void => reject(signal?.reason);
  signal?.addEventListener("abort", interrupt, { once: true });
  let drain: Timer | undefined;
  child.once("exit", (exitCode) => {
    group.signal("SIGTERM");
    end(group, clock);
    // Its output is whole once nobody holds it open; what left the group may hold it for ever.
    child.once("close", () => resolve(exitCode));
    drain = clock.setTimer(() => resolve(exitCode), DRAIN_MS);
  });
  try {
    return { exitCode: await promise, stdout: stdout(), stderr: stderr() };
  } catch (error) {
    group.signal("SIGTERM");
    end(group, clock);
    throw error;
  } finally {
    timer.cancel();
    drain?.cancel();
    child.stdout.destroy();
    child.stderr.destroy();
    signal?.removeEventListener("abort", interrupt);
  }
}

/** Nobody waits for this; the timer does not keep the process alive, whose exit ends the group too. */
function end(group: ProcessGroup, clock: Clock): void {
  if (!group.isAlive) return group.release();
  const timer = clock.setTimer(() => {
    group.signal("SIGKILL");
    group.release();
  }, KILL_AFTER_MS);
  timer.unref?.();
}

function collect(stream: NodeJS.ReadableStream): () => string {
  const chunks: Buffer[] = [];
  let size = 0;
  stream.on("data", (chunk: Buffer) => {
    const kept = chunk.subarray(0, MAX_OUTPUT_BYTES - size);
    size += kept.length;
    if (kept.length > 0) chunks.push(kept);
  });
  return () => Buffer.concat(chunks).toString("utf8");
}

function tooSlow(timeoutMs: number): CommandHookError {
  return new CommandHookError(
    "COMMAND_HOOK_TIMEOUT",
    `the command took longer than ${timeoutMs / 1000} s; its processes were ended.`,
  );
}

function notStarted(error: Error): CommandHookError {
  const { code } = error as NodeJS.ErrnoException;
  return new CommandHookError(
    "COMMAND_HOOK_NOT_STARTED",
    `the command could not be started (${code ?? error.message}).`,
    { cause: error },
  );
}
