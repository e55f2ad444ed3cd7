/** Every error this package throws or reports: what it means and what to do about it. The documentation page is made from it. */
export const COMMAND_HOOK_ERRORS: { readonly [Code in CommandHookErrorCode]: string } = {
  COMMAND_HOOKS_INVALID:
    "The configuration of command hooks cannot be used. The message says where and what it must be.",
  COMMAND_HOOK_NOT_STARTED: "A command could not be started. The message says why.",
  COMMAND_HOOK_TIMEOUT: "A command took longer than its limit, and its process group was ended.",
  COMMAND_HOOK_FAILED: "A command ended with an exit code other than 0 and 2, or by a signal. What it guards goes on.",
  COMMAND_HOOK_OUTPUT_INVALID:
    "A command wrote JSON of the wrong shape, or JSON that cannot be read; or, with failClosed, text that is no JSON.",
  COMMAND_HOOK_OUTPUT_CUT:
    "A command wrote JSON of more than 1 MiB to standard output, so what it decided cannot be read. Have it write less.",
};

export type CommandHookErrorCode =
  | "COMMAND_HOOKS_INVALID"
  | "COMMAND_HOOK_NOT_STARTED"
  | "COMMAND_HOOK_TIMEOUT"
  | "COMMAND_HOOK_FAILED"
  | "COMMAND_HOOK_OUTPUT_INVALID"
  | "COMMAND_HOOK_OUTPUT_CUT";

export class CommandHookError extends Error {
  override readonly name = "CommandHookError";
  readonly code: CommandHookErrorCode;

  constructor(code: CommandHookErrorCode, message: string, options?: ErrorOptions) {
    super(`${code}: ${message}`, options);
    this.code = code;
  }
}
