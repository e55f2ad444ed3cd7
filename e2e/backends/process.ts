import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync, readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { BackendError } from "./error.ts";
import { poll } from "./poll.ts";

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
  /** Ends the program and what it started: SIGTERM, and after 10 s SIGKILL. Safe to call twice. */
  stop(): Promise<void>;
  /** Whether it still runs, and the end of its log: for an error. */
  describe(): string;
}

/** Starts a program in a process group of its own and waits, up to four minutes, until it is ready. */
export async function launch(options: Launch): Promise<Running> {
  const supervisor = supervise(options);
  const ended = once(supervisor, "exit");
  const running: Running = {
    stop: async () => {
      supervisor.stdin?.end();
      await ended;
    },
    describe: () =>
      `${options.name} ${isRunning(supervisor) ? "runs" : "HAS ENDED"}; the end of its log:\n${logEnd(options.logFile)}`,
  };
  try {
    await poll(() => isReady(supervisor, options), {
      onTimeout: () =>
        new BackendError(
          "BACKEND_NOT_READY",
          `${options.readyUrl} of ${options.name} did not answer in four minutes:\n${logEnd(options.logFile)}`,
        ),
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

function supervise({ command, env, logFile }: Launch): ChildProcess {
  const log = openSync(logFile, "a");
  const supervisor = spawn(process.execPath, [join(import.meta.dirname, "supervise.ts"), ...command], {
    // Out of the terminal's reach: Ctrl-C ends the test run, which then ends the program.
    detached: true,
    env: { ...process.env, ...env },
    stdio: ["pipe", log, log],
  });
  closeSync(log);
  // A program that ended has nobody who reads that it should.
  supervisor.stdin?.on("error", () => undefined);
  return supervisor;
}

async function isReady(supervisor: ChildProcess, options: Launch): Promise<true | undefined> {
  if (!isRunning(supervisor)) throw exited(options);
  const response = await fetch(options.readyUrl, { signal: AbortSignal.timeout(2000) }).catch(() => undefined);
  await response?.body?.cancel();
  return response?.ok === true ? true : undefined;
}

function isRunning({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode === null && signalCode === null;
}

function exited({ name, logFile }: Launch): BackendError {
  return new BackendError("BACKEND_EXITED", `${name} ended before it was ready:\n${logEnd(logFile, 4000)}`);
}

function logEnd(logFile: string, characters = 1000): string {
  return readFileSync(logFile, "utf8").trim().slice(-characters);
}
