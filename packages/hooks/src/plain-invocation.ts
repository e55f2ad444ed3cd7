import type { HookInvocation } from "./invocation.ts";
import type { TurnInfo } from "./payloads.ts";
import type { HookSite } from "./site.ts";

/**
 * The record of a hook that returned nothing and has no span: the common case, known whole when the hook returns, since no
 * fold can have anything to say of it. The same keys in the same order as every other record.
 *
 * @param turn redacted
 */
export function plainInvocation(
  site: HookSite,
  index: number,
  pass: 1 | 2,
  turn: TurnInfo | undefined,
  startTime: number,
  durationMs: number,
): HookInvocation {
  const { description } = site;
  return {
    point: description.point,
    hook: description.hook,
    kind: description.kind,
    index,
    pass,
    execution: "ok",
    decision: "continue",
    applied: false,
    notAppliedReason: undefined,
    changedKeys: undefined,
    reason: undefined,
    failurePolicy: description.failurePolicy,
    startTime,
    durationMs,
    error: undefined,
    source: description.source,
    turn,
    traceId: undefined,
    spanId: undefined,
    stream: undefined,
  };
}
