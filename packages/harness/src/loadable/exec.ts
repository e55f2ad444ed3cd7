import { spawn } from "node:child_process";

import type { Clock } from "@hookscope/hooks";
import { context as contextApi } from "@opentelemetry/api";

import { HarnessError } from "../errors.ts";
import { childEnvironment } from "../tools/child-environment.ts";
import { ProcessGroup } from "../tools/process-group.ts";
import type { ExecOptions, ExecResult } from "./mod-api.ts";

const DEFAULT_TIMEOUT_MS = 60_000;
/** Bytes kept of each stream, from its start. */
const MAX_OUTPUT_BYTES = 10 * 1024 * 1024;

export interface ExecRequest extends ExecOptions {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly clock: Clock;
}

/**
 * Runs a program to its end, or to the end of its time: then its whole process group is killed. It gets the trace it belongs
 * to, and of this process's environment only what is no secret.
 *
 * @throws HarnessError MOD_EXEC_FAILED where it cannot be started; what the signal was aborted with
 */
export async function execute(request: ExecRequest): Promise<ExecResult> {
  const { command, args, cwd, clock, signal, timeoutMs = DEFAULT_TIMEOUT_MS } = request;
  signal?.throwIfAborted();
  const child = spawn(command, args, {
    cwd,
    env: childEnvironment({}, contextApi.active()),
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const stdout = collect(child.stdout);
  const stderr = collect(child.stderr);
  const { promise, resolve, reject } = Promise.withResolvers<number | null>();
  child.once("error", (error) => {
    const { code } = error as NodeJS.ErrnoException;
    reject(new HarnessError("MOD_EXEC_FAILED", `"${command}" could not be started (${code ?? error.message}).`));
  });
  if (child.pid === undefined) return promise.then(() => ({ stdout: "", stderr: "", code: null, timedOut: false }));
  const group = new ProcessGroup(child.pid);
  let timedOut = false;
  const kill = (): void => group.signal("SIGKILL");
  const timer = clock.setTimer(() => {
    timedOut = true;
    kill();
  }, timeoutMs);
  signal?.addEventListener("abort", kill, { once: true });
  child.once("exit", (code) => {
    // What it left running would hold its output open for ever.
    kill();
    child.once("close", () => resolve(code));
  });
  try {
    const code = await promise;
    signal?.throwIfAborted();
    return { stdout: stdout(), stderr: stderr(), code, timedOut };
  } finally {
    timer.cancel();
    signal?.removeEventListener("abort", kill);
    group.release();
  }
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
