import type { Context } from "@opentelemetry/api";

import type { InvocationCore } from "./core.ts";
import { Guard, type GuardedExecution } from "./guard.ts";
import type { HookInvocation } from "./invocation.ts";
import { OpenInvocation, type Conclusion } from "./open-invocation.ts";
import type { TurnInfo } from "./payloads.ts";
import type { HookSite } from "./site.ts";
import { surroundingsOf } from "./surroundings.ts";

export interface InvokeOnceRequest {
  readonly core: InvocationCore;
  readonly site: HookSite;
  readonly turn: TurnInfo;
  readonly parent: Context;
  readonly signal?: AbortSignal | undefined;
  /** What the return value of a call that went well means. */
  readonly conclude: (value: unknown) => Conclusion;
}

export interface InvokedOnce {
  readonly invocation: HookInvocation;
  /** What it returned, or what it threw. */
  readonly value: unknown;
}

/**
 * One invocation outside a dispatch: a mod's hook. The same guard, span and record as a bus hook's; `event` is what the
 * site's target is called with. Never rejects.
 */
export function invokeOnce(request: InvokeOnceRequest, event: unknown): Promise<InvokedOnce> {
  const { core, site, turn, parent, signal } = request;
  const now = core.clock.now();
  const surroundings = surroundingsOf(core, turn, parent);
  const { totals } = surroundings;
  const open = new OpenInvocation(core, site, 1, surroundings, now);
  totals?.hookStarted(now);
  return new Promise((resolve) => {
    const finish = (): void => {
      signal?.removeEventListener("abort", onAbort);
      resolve({ invocation: open.finish(core, concludeCall(open, request)), value: open.value });
    };
    const guard = new Guard(core.clock, {
      settle(execution: GuardedExecution, value: unknown, endTime: number) {
        open.settle(execution, value, endTime);
        totals?.hookStopped(open.endTime, open.endTime - now);
      },
      resume: finish,
    });
    const onAbort = (): void => guard.abort(signal?.reason);
    if (isAborted(signal)) {
      open.settle("aborted", undefined, now);
      totals?.hookStopped(now, 0);
      finish();
    } else if (guard.run(site, event, open.context, open.contextOfCall(), now)) {
      finish();
    } else {
      signal?.addEventListener("abort", onAbort);
      // It may have fired within the call.
      if (isAborted(signal)) onAbort();
    }
  });
}

/** A function, because a call may change what the compiler believes to know already. */
function isAborted(signal: AbortSignal | undefined): boolean {
  return signal?.aborted === true;
}

function concludeCall(open: OpenInvocation, request: InvokeOnceRequest): Conclusion {
  if (open.execution === "ok") {
    try {
      return request.conclude(open.value);
    } catch {
      // A value that cannot be read: a proxy, a getter that throws.
      return { execution: "invalid_result", decision: "none", applied: false, notAppliedReason: "not_accepted" };
    }
  }
  return {
    execution: open.execution,
    decision: "none",
    applied: false,
    notAppliedReason: open.execution === "aborted" ? undefined : "failed_open",
  };
}
