import { printable } from "./timeline/text.ts";

/** Every error the command makes itself: what it means and what to do about it. The documentation page is made from it. */
export const COMMAND_ERRORS: { readonly [Code in CommandErrorCode]: string } = {
  COMMAND_UNKNOWN: "There is no such command. `hookscope --help` lists them.",
  COMMAND_OPTION_UNKNOWN: "The command has no such option. `hookscope <command> --help` lists them.",
  COMMAND_OPTION_INVALID: "An option's value cannot be used. The message says what it may be.",
  COMMAND_ARGUMENT_MISSING: "The command needs an argument, or an option a value. The message names it.",
  COMMAND_ARGUMENT_UNEXPECTED: "The command takes fewer arguments. Put a message of several words in quotes.",
  COMMAND_MODEL_INVALID: "The model is not written as provider:name, or the provider needs a base URL.",
  COMMAND_MODEL_KEY_MISSING: "The provider's key is not in the environment. The message names the variable.",
  COMMAND_TURN_UNKNOWN: "The trace store has no such turn. `hookscope timeline --list` lists those it has.",
  COMMAND_TIME_INVALID: "A time is neither a day, as 2026-11-30, nor a span such as 12h or 7d.",
  COMMAND_PATH_UNUSABLE: "A path given to a command names nothing that can be used. The message says what.",
  NODE_TOO_OLD: "This Node is older than the command needs. The message says which is needed.",
  CONFIG_UNREADABLE: "The configuration file cannot be read. The message says why.",
  CONFIG_INVALID:
    "The configuration file has a mistake, and nothing was started. The message gives the line, and what may stand there.",
  CONFIG_UNTRUSTED:
    "The working directory's hookscope.toml is not read before the workspace is trusted, since it can run code. Look at it, then run `hookscope trust`.",
  PLUGIN_LOAD_FAILED: "A plugin's module cannot be loaded, so nothing was started. The message says why.",
  COMMAND_WORKSPACE_UNUSABLE: "The demo's throw-away copy of its workspace could not be made. See TMPDIR.",
  COMMAND_OUTPUT_FAILED: "Standard output cannot be written, a full disk for example. The message says why.",
  COMMAND_FAILED: "Something unforeseen went wrong. The message is all that is known.",
};

export type CommandErrorCode =
  | "COMMAND_UNKNOWN"
  | "COMMAND_OPTION_UNKNOWN"
  | "COMMAND_OPTION_INVALID"
  | "COMMAND_ARGUMENT_MISSING"
  | "COMMAND_ARGUMENT_UNEXPECTED"
  | "COMMAND_MODEL_INVALID"
  | "COMMAND_MODEL_KEY_MISSING"
  | "COMMAND_TURN_UNKNOWN"
  | "COMMAND_TIME_INVALID"
  | "COMMAND_PATH_UNUSABLE"
  | "NODE_TOO_OLD"
  | "CONFIG_UNREADABLE"
  | "CONFIG_INVALID"
  | "CONFIG_UNTRUSTED"
  | "PLUGIN_LOAD_FAILED"
  | "COMMAND_WORKSPACE_UNUSABLE"
  | "COMMAND_OUTPUT_FAILED"
  | "COMMAND_FAILED";

/** Exit codes. */
export const EXIT = { done: 0, failed: 1, usage: 2, interrupted: 130 } as const;

const USAGE_ERRORS: ReadonlySet<CommandErrorCode> = new Set<CommandErrorCode>([
  "COMMAND_UNKNOWN",
  "COMMAND_OPTION_UNKNOWN",
  "COMMAND_OPTION_INVALID",
  "COMMAND_ARGUMENT_MISSING",
  "COMMAND_ARGUMENT_UNEXPECTED",
  "COMMAND_MODEL_INVALID",
  "COMMAND_TIME_INVALID",
]);

/** Ends a command: one line on standard error, and the exit code. */
export class CommandError extends Error {
  override readonly name = "CommandError";
  readonly code: CommandErrorCode;

  constructor(code: CommandErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }

  get exitCode(): number {
    return USAGE_ERRORS.has(this.code) ? EXIT.usage : EXIT.failed;
  }
}

/** `CODE: message` of any error, on one line that is safe to print. Errors of the packages begin with their code already. */
export function errorLine(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  const message = printable(text.replaceAll(/\s+/g, " ").trim());
  const code = codeOf(error);
  if (code === undefined) return `COMMAND_FAILED: ${message}`;
  return message.startsWith(`${code}: `) ? message : `${code}: ${message}`;
}

/** A stable code of ours, not a system's ENOENT. */
export function codeOf(error: unknown): string | undefined {
  const code: unknown = error instanceof Error && "code" in error ? error.code : undefined;
  return typeof code === "string" && /^[A-Z]+(?:_[A-Z]+)+$/.test(code) && !code.startsWith("ERR_") ? code : undefined;
}
