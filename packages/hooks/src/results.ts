/** No change. The same as returning nothing. */
export interface ContinueResult {
  readonly decision: "continue";
}

/** Directive: fields merged into the payload. Transform: the new content. */
export interface ModifyResult<Value = unknown> {
  readonly decision: "modify";
  readonly value: Value;
}

/** Stop, with a reason. */
export interface BlockResult {
  readonly decision: "block";
  readonly reason: string;
}

/** Pause until a person answers (`pre_tool_call` only). */
export interface AskUserResult {
  readonly decision: "ask_user";
  readonly question: string;
}

export type HookResult = ContinueResult | ModifyResult | BlockResult | AskUserResult;

const CONTINUE: ContinueResult = Object.freeze({ decision: "continue" });

/** No change: what a hook that returns nothing says. */
export function proceed(): ContinueResult {
  return CONTINUE;
}

/**
 * Changes the payload (directive: `{ text }`, `{ context }` or `{ args }`, merged in registration order) or replaces the
 * content (transform: the first one wins). A value with one part that the point does not take is refused whole: a field it
 * does not have, a field of another type, a blank context, no field at all.
 */
export function modify<const Value>(value: Value): ModifyResult<Value> {
  return Object.freeze({ decision: "modify", value });
}

/** Stops the action. The reason is what the model or the sender is told. */
export function block(reason: string): BlockResult {
  return Object.freeze({ decision: "block", reason });
}

/** Asks a person before the tool runs; accepted at `pre_tool_call` only. */
export function askUser(question: string): AskUserResult {
  return Object.freeze({ decision: "ask_user", question });
}
