import { isHookPoint, type Hook, type HookEvent, type HookResult } from "@hookscope/hooks";
import { suggest } from "@hookscope/hooks/internal";

import { HarnessError } from "./errors.ts";
import { HERMES_ONLY_HOOKS } from "./hermes-only-hooks.ts";
import { HERMES_HOOK_NAMES, hermesPayload, type HermesHookName, type HermesPayload } from "./hermes-payloads.ts";
import { hermesResult } from "./hermes-results.ts";
import { TOOL_ALIASES } from "./tool-aliases.ts";

/** Gets all keyword arguments of the Hermes hook as one object, frozen; may be asynchronous. */
export type HermesCallback = (payload: HermesPayload) => unknown;

export type HermesCallbacks = { readonly [Name in HermesHookName]?: HermesCallback };

export interface FromHermesOptions {
  /** Hermes's tool names and the names here, beside `delegate_task`, which is `agent` here: `{ terminal: "shell" }`. */
  readonly toolNames?: Readonly<Record<string, string>>;
}

/**
 * A hook from callbacks written for Hermes: they get the keyword names and tool names of Hermes and may return what its
 * callbacks return. What Hermes ignores silently is ignored here too, and recorded as an invalid result.
 *
 * Different from Hermes: `args` is frozen, so a callback that changes it in place fails, which blocks the call; a block
 * wins over a rewrite at `pre_gateway_dispatch`; a `rule_key` is not kept, as an approval is remembered for the call it was
 * given to.
 *
 * @throws HarnessError HERMES_CALLBACK_INVALID
 */
export function fromHermes(name: string, callbacks: HermesCallbacks, options: FromHermesOptions = {}): Hook {
  const points = Object.keys(callbacks ?? {}).map((hookName) => checkCallback(name, hookName, callbacks));
  if (points.length === 0) throw invalid(name, "has no callbacks");
  const toolName = hermesToolNames(name, { ...TOOL_ALIASES, ...options.toolNames });
  return {
    name,
    points,
    call(event) {
      const callback = callbacks[event.point as HermesHookName] as HermesCallback;
      return callThen(callback(hermesPayload(event, toolName)), (returned) => hermesResult(event, returned));
    },
  };
}

/** At once where the callback is synchronous. */
function callThen(returned: unknown, read: (value: unknown) => HookResult | undefined): ReturnType<Hook["call"]> {
  return isThenable(returned) ? Promise.resolve(returned).then(read) : read(returned);
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === "object" && value !== null && typeof (value as { then?: unknown }).then === "function";
}

function checkCallback(hook: string, name: string, callbacks: HermesCallbacks): HookEvent["point"] {
  if (!Object.hasOwn(HERMES_HOOK_NAMES, name)) throw invalid(hook, `names "${name}", ${describeUnknown(name)}`);
  const callback: unknown = callbacks[name as HermesHookName];
  if (typeof callback !== "function") throw invalid(hook, `has no function at "${name}"`);
  return name as HermesHookName;
}

function describeUnknown(name: string): string {
  const reason = Object.hasOwn(HERMES_ONLY_HOOKS, name) ? HERMES_ONLY_HOOKS[name] : undefined;
  if (reason !== undefined) return `which has no hook point here: ${reason}`;
  if (isHookPoint(name)) return "which Hermes has not; use defineHook for it";
  const near = suggest(name, Object.keys(HERMES_HOOK_NAMES));
  return near === undefined ? "which is no hook of Hermes" : `which is no hook of Hermes: did you mean "${near}"?`;
}

/** From a name here to Hermes's. */
function hermesToolNames(hook: string, toolNames: Readonly<Record<string, string>>): (name: string) => string {
  const names = new Map<string, string>();
  for (const [theirs, ours] of Object.entries(toolNames)) {
    const other = names.get(ours);
    if (other !== undefined) throw invalid(hook, `maps both "${other}" and "${theirs}" to the tool "${ours}"`);
    names.set(ours, theirs);
  }
  return (name) => names.get(name) ?? name;
}

function invalid(hook: string, problem: string): HarnessError {
  return new HarnessError("HERMES_CALLBACK_INVALID", `hook "${hook}" ${problem}${problem.endsWith("?") ? "" : "."}`);
}
