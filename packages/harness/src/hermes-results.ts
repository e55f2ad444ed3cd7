import { askUser, block, modify, type HookEvent, type HookPoint, type HookResult } from "@hookscope/hooks";

/** What a Hermes callback's return says at a point; undefined where it has no effect in Hermes. */
type Reader = (returned: Fields, raw: unknown, event: HookEvent) => HookResult | undefined;
type Fields = { readonly [name: string]: unknown };

/** The bus's result for what a Hermes callback returned. What Hermes would ignore is one that no point accepts. */
export function hermesResult(event: HookEvent, returned: unknown): HookResult | undefined {
  if (returned === undefined || returned === null) return undefined;
  const read = READERS[event.point];
  const fields = typeof returned === "object" && !Array.isArray(returned) ? (returned as Fields) : {};
  if (read === undefined) return observerResult(fields);
  if (fields["action"] === "allow" && MAY_ALLOW.has(event.point)) return undefined;
  return read(fields, returned, event) ?? ignored(returned);
}

const MAY_ALLOW: ReadonlySet<HookPoint> = new Set(["pre_gateway_dispatch", "post_gateway_admission"]);

const READERS: { readonly [Point in HookPoint]?: Reader } = {
  pre_gateway_dispatch({ action, reason, text }) {
    if (action === "skip") return block(isText(reason) ? reason : "skipped");
    return action === "rewrite" && typeof text === "string" ? modify({ text }) : undefined;
  },
  post_gateway_admission({ action, reply }) {
    if (action !== "handled") return undefined;
    // No reply is one that says nothing.
    if (reply === undefined || reply === null) return block("");
    return isText(reply) && reply.trim() !== "" ? block(reply) : undefined;
  },
  pre_llm_call({ context }, raw) {
    const given = typeof raw === "string" ? raw : context;
    return isText(given) ? modify({ context: given }) : undefined;
  },
  pre_tool_call({ action, message, args }, _, event) {
    switch (action) {
      case "block":
        return isText(message) ? block(message) : undefined;
      case "approve":
        return askUser(isText(message) ? message : `Run ${toolOf(event)}?`);
      case "modify":
        return isFilledObject(args) ? modify({ args }) : undefined;
      default:
        return undefined;
    }
  },
  transform_tool_result: (_, raw) => (typeof raw === "string" ? modify(raw) : undefined),
  transform_llm_output: (_, raw) => (isText(raw) ? modify(raw) : undefined),
  transform_api_error_classification({ reason, retryable }) {
    if (!isText(reason)) return undefined;
    return modify(typeof retryable === "boolean" ? { reason, retryable } : { reason });
  },
};

/** An observer's return is ignored; one that looks like a decision is worth the bus's warning. */
function observerResult({ action, message }: Fields): HookResult | undefined {
  return action === "block" ? block(isText(message) ? message : "") : undefined;
}

/**
 * Something of the same type that says nothing: an object of Hermes could have a field that means something to the bus
 * and nothing to Hermes, such as `decision`.
 */
function ignored(returned: unknown): HookResult {
  const isObject = typeof returned === "object" && !Array.isArray(returned);
  return (isObject ? {} : returned) as HookResult;
}

function toolOf(event: HookEvent): string {
  return event.point === "pre_tool_call" ? event.payload.tool_name : event.point;
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}

function isFilledObject(value: unknown): value is Record<string, never> {
  return typeof value === "object" && value !== null && !Array.isArray(value) && Object.keys(value).length > 0;
}
