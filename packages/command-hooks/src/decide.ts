import type { JsonObject } from "@hookscope/hooks";

import type { UserHookEvent } from "./config.ts";
import { CommandHookError } from "./errors.ts";
import { MAX_OUTPUT_BYTES, type CommandOutcome } from "./run-command.ts";

/** What a command asked for, whatever the event; each event heeds what it can. */
export interface CommandDecision {
  /** The call is refused, or the model is told so after it; at Stop, the turn goes on. */
  readonly block?: string;
  readonly input?: JsonObject;
  /** For the model. */
  readonly context?: string;
  /** The turn is to end. */
  readonly stop?: true;
  /** For the user. */
  readonly message?: string;
}

const DEFAULT_REASON = "Blocked by a command hook.";

/**
 * Reads what a command decided, as Claude Code does: exit code 2 blocks, with standard error as the reason; 0 means what
 * standard output says, as JSON or, at SessionStart, as a text for the model. Elsewhere a text decides nothing; of a guard
 * that fails closed it is an error.
 *
 * @throws CommandHookError COMMAND_HOOK_FAILED, COMMAND_HOOK_OUTPUT_CUT, COMMAND_HOOK_OUTPUT_INVALID
 */
export function readDecision(event: UserHookEvent, outcome: CommandOutcome, failClosed: boolean): CommandDecision {
  const { exitCode, stdout, stderr, stdoutOmittedBytes } = outcome;
  if (exitCode === 2) return { block: stderr.trim() === "" ? DEFAULT_REASON : stderr.trim() };
  if (exitCode !== 0) {
    const how = exitCode === null ? "was ended by a signal" : `ended with exit code ${exitCode}`;
    const said = stderr.trim() === "" ? "" : `: ${stderr.trim()}`;
    throw new CommandHookError("COMMAND_HOOK_FAILED", `the command ${how}${said}`);
  }
  const text = stdout.trim();
  const isJson = text.startsWith("{");
  // Blanks that fill all that was kept may have hidden JSON behind them.
  if (stdoutOmittedBytes > 0 && (isJson || text === "")) throw outputCut(stdoutOmittedBytes);
  if (isJson) return readOutput(event, parse(text));
  if (text !== "" && failClosed)
    throw outputInvalid("it wrote text to standard output where JSON or nothing is expected");
  return event === "SessionStart" && text !== "" ? { context: text } : {};
}

function outputCut(omittedBytes: number): CommandHookError {
  return new CommandHookError(
    "COMMAND_HOOK_OUTPUT_CUT",
    `standard output was cut at ${MAX_OUTPUT_BYTES} bytes, ${omittedBytes} were left out, so what it decided cannot be read.`,
  );
}

function parse(text: string): JsonObject {
  try {
    return JSON.parse(text) as JsonObject;
  } catch (error) {
    throw outputInvalid(`what it wrote begins like JSON and is none: ${(error as Error).message}`);
  }
}

function readOutput(event: UserHookEvent, output: JsonObject): CommandDecision {
  const specific = readObject(output, "hookSpecificOutput") ?? {};
  const named = specific["hookEventName"];
  if (named !== undefined && named !== event) {
    throw outputInvalid(`hookSpecificOutput.hookEventName is ${JSON.stringify(named)}, and the event is ${event}`);
  }
  const message = readText(output, "systemMessage");
  const context = readText(specific, "additionalContext");
  const input = event === "PreToolUse" ? readObject(specific, "updatedInput") : undefined;
  const stops = readBoolean(output, "continue") === false;
  const block = stops ? (readText(output, "stopReason") ?? DEFAULT_REASON) : readBlock(event, output, specific);
  return {
    ...(block === undefined ? {} : { block }),
    ...(input === undefined ? {} : { input }),
    ...(context === undefined ? {} : { context }),
    ...(stops ? { stop: true as const } : {}),
    ...(message === undefined ? {} : { message }),
  };
}

function readBlock(event: UserHookEvent, output: JsonObject, specific: JsonObject): string | undefined {
  const permission = event === "PreToolUse" ? readText(specific, "permissionDecision") : undefined;
  switch (permission) {
    case "deny":
      return readText(specific, "permissionDecisionReason") ?? DEFAULT_REASON;
    case "ask":
    case "defer": {
      const question = readText(specific, "permissionDecisionReason");
      return `${question ?? "A command hook wants a person to approve this."} A command hook cannot ask, so it is refused.`;
    }
    case "allow":
      return undefined;
    case undefined:
      break;
    default:
      throw outputInvalid(`permissionDecision is "${permission}"; it is allow, deny, ask or defer`);
  }
  const decision = readText(output, "decision");
  if (decision === "block") return readText(output, "reason") ?? DEFAULT_REASON;
  if (decision === undefined || decision === "approve") return undefined;
  throw outputInvalid(`decision is "${decision}"; it is block or approve`);
}

function readText(from: JsonObject, name: string): string | undefined {
  const value = from[name];
  if (value === undefined || value === null || value === "") return undefined;
  if (typeof value === "string") return value;
  throw outputInvalid(`${name} is no text`);
}

function readBoolean(from: JsonObject, name: string): boolean | undefined {
  const value = from[name];
  if (value === undefined || typeof value === "boolean") return value;
  throw outputInvalid(`${name} is neither true nor false`);
}

function readObject(from: JsonObject, name: string): JsonObject | undefined {
  const value = from[name];
  if (value === undefined || value === null) return undefined;
  if (typeof value === "object" && !Array.isArray(value)) return value as JsonObject;
  throw outputInvalid(`${name} is no object`);
}

function outputInvalid(problem: string): CommandHookError {
  return new CommandHookError("COMMAND_HOOK_OUTPUT_INVALID", `${problem}.`);
}
