/** Every error this package throws: what it means and what to do about it. The documentation page is made from it. */
export const HOOK_ERRORS: { readonly [Code in HookErrorCode]: string } = {
  HOOK_POINT_UNKNOWN:
    "The name is not one of the 22 hook points. Use the name the message suggests, or list them with HOOK_POINTS.",
  HOOK_POINTS_EMPTY: "A hook names no hook point. Give it at least one.",
  HOOK_NAME_MISSING: "A hook has no name. Names identify hooks in spans, metrics and errors: give it a non-blank one.",
  HOOK_NAME_DUPLICATE: "A hook of that name is registered already. Unregister the first, or choose another name.",
  HOOK_NOT_CALLABLE:
    "A hook has no function to call, or subscribe was given none. Give a hook `call`, or wrap one with a function for each point under `on` in defineHook before you register it.",
  HOOK_TIMEOUT_INVALID:
    "A time limit is not a positive, finite number of milliseconds. There is no value for 'no limit'.",
  HOOK_REINVOKE_INVALID: "`reinvoke` is neither 'never' nor 'if_modified'.",
  HOOK_TURN_MISSING:
    "The hook point belongs to a turn, and no turn was given to dispatch. Pass `turn`; turnInfo() makes one.",
  HOOK_STREAM_CLOSED: "A delta was pushed into a stream that was closed already.",
  HOOK_OPTION_INVALID:
    "An option of createHookBus, dispatch or stream has a value that cannot be used. The message names both.",
  HOOK_BUS_FOREIGN:
    "The loop was given a bus that createHookBus of this very copy of the package did not make. Make it there, and install the package once.",
  HOOK_REDACTOR_INVALID: "A redaction table has a row that cannot be used. The message names the row.",
};

export type HookErrorCode =
  | "HOOK_POINT_UNKNOWN"
  | "HOOK_POINTS_EMPTY"
  | "HOOK_NAME_MISSING"
  | "HOOK_NAME_DUPLICATE"
  | "HOOK_NOT_CALLABLE"
  | "HOOK_TIMEOUT_INVALID"
  | "HOOK_REINVOKE_INVALID"
  | "HOOK_TURN_MISSING"
  | "HOOK_STREAM_CLOSED"
  | "HOOK_OPTION_INVALID"
  | "HOOK_BUS_FOREIGN"
  | "HOOK_REDACTOR_INVALID";

/** Thrown where hooks are registered or the bus is misused; never by what a hook does inside a turn. */
export class HookError extends Error {
  override readonly name = "HookError";
  readonly code: HookErrorCode;

  constructor(code: HookErrorCode, message: string, options?: ErrorOptions) {
    super(`${code}: ${message}`, options);
    this.code = code;
  }
}
