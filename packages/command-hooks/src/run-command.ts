import { runProcess, type ProcessOutcome } from "@hookscope/harness/internal";
import type { Clock } from "@hookscope/hooks";

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

export type CommandOutcome = Omit<ProcessOutcome, "timedOut">;

/** Kept of each stream of a command. */
export const MAX_OUTPUT_BYTES: number = 1024 * 1024;

/** @throws CommandHookError COMMAND_HOOK_NOT_STARTED, COMMAND_HOOK_TIMEOUT; what the signal was aborted with */
export async function runCommand({ command, ...request }: CommandRequest): Promise<CommandOutcome> {
  const { timedOut, ...outcome } = await start(command, request);
  if (!timedOut) return outcome;
  throw new CommandHookError(
    "COMMAND_HOOK_TIMEOUT",
    `the command took longer than ${request.timeoutMs / 1000} s; its processes were ended.`,
  );
}

async function start(command: string, request: Omit<CommandRequest, "command">): Promise<ProcessOutcome> {
  try {
    const args = ["-c", command];
    return await runProcess({ ...request, file: "/bin/sh", args, maxOutputBytes: MAX_OUTPUT_BYTES });
  } catch (error) {
    request.signal?.throwIfAborted();
    const { code, message } = error as NodeJS.ErrnoException;
    throw new CommandHookError("COMMAND_HOOK_NOT_STARTED", `the command could not be started (${code ?? message}).`, {
      cause: error,
    });
  }
}
