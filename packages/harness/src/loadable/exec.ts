import type { Clock } from "@hookscope/hooks";
import { LONGEST_TIMER_MS } from "@hookscope/hooks/internal";
import { context as contextApi } from "@opentelemetry/api";

import { HarnessError } from "../errors.ts";
import { childEnvironment } from "../tools/child-environment.ts";
import { runProcess } from "../tools/run-process.ts";
import type { ExecOptions, ExecResult } from "./mod-api.ts";

const DEFAULT_TIMEOUT_MS = 60_000;
const MAX_OUTPUT_BYTES = 10 * 1024 * 1024;

export interface ExecRequest extends ExecOptions {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly clock: Clock;
}

/**
 * Runs a program to its end, or to the end of its time. It gets the trace it belongs to, and of this process's environment
 * only what is no secret.
 *
 * @throws HarnessError MOD_EXEC_FAILED where it cannot be started, or its time is none; what the signal was aborted with
 */
export async function execute(request: ExecRequest): Promise<ExecResult> {
  const { command, args, cwd, clock, signal, timeoutMs = DEFAULT_TIMEOUT_MS } = request;
  if (!(timeoutMs > 0 && timeoutMs <= LONGEST_TIMER_MS)) {
    throw new HarnessError(
      "MOD_EXEC_FAILED",
      `"${command}" was not started: timeoutMs is ${timeoutMs}; it must be a number of milliseconds above 0, up to ${LONGEST_TIMER_MS}.`,
    );
  }
  try {
    const {
      exitCode,
      stdoutOmittedBytes: _,
      ...output
    } = await runProcess({
      file: command,
      args,
      cwd,
      env: childEnvironment({}, contextApi.active()),
      timeoutMs,
      maxOutputBytes: MAX_OUTPUT_BYTES,
      signal,
      clock,
    });
    return { ...output, code: exitCode };
  } catch (error) {
    signal?.throwIfAborted();
    const { code, message } = error as NodeJS.ErrnoException;
    throw new HarnessError("MOD_EXEC_FAILED", `"${command}" could not be started (${code ?? message}).`, {
      cause: error,
    });
  }
}
