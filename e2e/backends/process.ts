import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { BackendError } from "./error.ts";
import { poll } from "./poll.ts";

const READY_MS = 60_000;
const STOP_MS = 10_000;

export interface Launch {
  readonly name: string;
  readonly command: readonly [file: string, ...args: string[]];
  readonly env: Readonly<Record<string, string>>;
  /** The program is ready once this answers 2xx. */
  readonly readyUrl: string;
  /** File that takes both of the program's output streams. */
  readonly logFile: string;
}

export interface Running {
  readonly pid: number;
  /** Ends the whole process group: SIGTERM, and after 10 s SIGKILL. Safe to call twice. */
  stop(): Promise<void>;
}

/** Starts a program in a process group of its own and waits, up to 60 s, until it is ready. */
export async function launch(options: Launch): Promise<Running> {
  const log = openSync(options.logFile, "a");
  const [file, ...args] = options.command;
  const child = spawn(file, args, {
    detached: true,
    env: { ...process.env, ...options.env },
    stdio: ["ignore", log, log],
  });
  closeSync(log);
  const failure = once(child, "error").then(([error]) => error as Error);
  if (child.pid === undefined) throw await exited(options, await failure);
  const pid = child.pid;
  const killGroup = (): void => signalGroup(pid, "SIGKILL");
  process.once("exit", killGroup);
  let stopped: Promise<void> | undefined;
  const running: Running = {
    pid,
    stop: () => (stopped ??= stop(child, pid).finally(() => process.off("exit", killGroup))),
  };
  try {
    await poll(() => isReady(child, options), {
      timeoutMs: READY_MS,
      onTimeout: () =>
        new BackendError("BACKEND_NOT_READY", `${options.readyUrl} of ${options.name} did not answer within 60 s`),
    });
    return running;
  } catch (error) {
    await running.stop();
    throw error;
  }
}

/** A folder for one run's files. */
export async function temporaryDirectory(name: string): Promise<{ path: string; remove(): Promise<void> }> {
  const path = await mkdtemp(join(tmpdir(), `hookscope-${name}-`));
  return { path, remove: () => rm(path, { recursive: true, force: true }) };
}

async function isReady(child: ChildProcess, options: Launch): Promise<true | undefined> {
  if (hasEnded(child)) throw await exited(options);
  const response = await fetch(options.readyUrl, { signal: AbortSignal.timeout(2000) }).catch(() => undefined);
  await response?.body?.cancel();
  return response?.ok === true ? true : undefined;
}

async function exited(options: Launch, cause?: Error): Promise<BackendError> {
  const log = (await readFile(options.logFile, "utf8")).trim().slice(-4000);
  return new BackendError("BACKEND_EXITED", `${options.name} ended before it was ready:\n${log || cause?.message}`, {
    cause,
  });
}

async function stop(child: ChildProcess, pid: number): Promise<void> {
  if (!hasEnded(child)) {
    const end = once(child, "exit");
    signalGroup(pid, "SIGTERM");
    const patience = new AbortController();
    await Promise.race([end, delay(STOP_MS, undefined, { signal: patience.signal }).catch(() => undefined)]);
    patience.abort();
    if (!hasEnded(child)) {
      signalGroup(pid, "SIGKILL");
      await end;
    }
  }
  // Whatever the program itself started goes with it.
  signalGroup(pid, "SIGKILL");
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}

function signalGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}
