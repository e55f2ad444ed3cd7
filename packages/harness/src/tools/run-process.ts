import { spawn } from "node:child_process";

import type { Clock, Timer } from "@hookscope/hooks";

import { ProcessGroup } from "./process-group.ts";

export interface ProcessRequest {
  readonly file: string;
  readonly args: readonly string[];
  /** Written to its standard input; without it there is none. */
  readonly input?: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  /** Bytes kept of each stream, from its start. */
  readonly maxOutputBytes: number;
  readonly signal: AbortSignal | undefined;
  readonly clock: Clock;
}

export interface ProcessOutcome {
  readonly stdout: string;
  readonly stderr: string;
  /** What standard output had beyond what was kept. */
  readonly stdoutOmittedBytes: number;
  /** null where a signal ended it, or its time was over. */
  readonly exitCode: number | null;
  readonly timedOut: boolean;
}

/** How long a group has to end after SIGTERM. */
const KILL_AFTER_MS = 2_000;
/** How long output is waited for after the process has ended. */
const DRAIN_MS = 1_000;

/**
 * Runs a program in a process group of its own. It is over with its exit, or with its time: what is left of the group is
 * ended and not waited for.
 *
 * @throws what starting it failed with; what the signal was aborted with
 */
export async function runProcess(request: ProcessRequest): Promise<ProcessOutcome> {
  const { file, args, input, cwd, env, timeoutMs, maxOutputBytes, signal, clock } = request;
  signal?.throwIfAborted();
  const stdin = input === undefined ? "ignore" : "pipe";
  const child = spawn(file, args, { cwd, env, detached: true, stdio: [stdin, "pipe", "pipe"] });
  const { promise, resolve, reject } = Promise.withResolvers<Pick<ProcessOutcome, "exitCode" | "timedOut">>();
  child.once("error", reject);
  if (child.pid === undefined)
    return promise.then((ended) => ({ ...ended, stdout: "", stderr: "", stdoutOmittedBytes: 0 }));
  const group = new ProcessGroup(child.pid);
  const stdout = collect(child.stdout, maxOutputBytes);
  const stderr = collect(child.stderr, maxOutputBytes);
  // A program need not read what it is given.
  child.stdin?.on("error", () => undefined);
  child.stdin?.end(input);
  const timers: Timer[] = [clock.setTimer(() => resolve({ exitCode: null, timedOut: true }), timeoutMs)];
  const interrupt = (): void => reject(signal?.reason);
  signal?.addEventListener("abort", interrupt, { once: true });
  child.once("exit", (exitCode) => {
    end(group, clock);
    const settle = (): void => resolve({ exitCode, timedOut: false });
    // Its output is whole once nobody holds it open; what left the group may hold it for ever.
    child.once("close", settle);
    timers.push(clock.setTimer(settle, DRAIN_MS));
  });
  try {
    const ended = await promise;
    return { ...ended, stdout: stdout.text(), stderr: stderr.text(), stdoutOmittedBytes: stdout.omittedBytes() };
  } finally {
    for (const timer of timers) timer.cancel();
    signal?.removeEventListener("abort", interrupt);
    child.stdout?.destroy();
    child.stderr?.destroy();
    if (child.exitCode === null && child.signalCode === null) end(group, clock);
  }
}

/** Nobody waits for this; the timer does not keep the process alive, whose exit ends the group too. */
function end(group: ProcessGroup, clock: Clock): void {
  group.signal("SIGTERM");
  if (!group.isAlive) return group.release();
  const timer = clock.setTimer(() => {
    group.signal("SIGKILL");
    group.release();
  }, KILL_AFTER_MS);
  timer.unref?.();
}

interface Collected {
  readonly text: () => string;
  readonly omittedBytes: () => number;
}

function collect(stream: NodeJS.ReadableStream | null, maxBytes: number): Collected {
  const chunks: Buffer[] = [];
  let size = 0;
  let omitted = 0;
  stream?.on("data", (chunk: Buffer) => {
    const kept = chunk.subarray(0, maxBytes - size);
    size += kept.length;
    omitted += chunk.length - kept.length;
    if (kept.length > 0) chunks.push(kept);
  });
  return { text: () => Buffer.concat(chunks).toString("utf8"), omittedBytes: () => omitted };
}
