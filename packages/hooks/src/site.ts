import type { SpanAttributes } from "./attributes.ts";
import type { Deadlines } from "./deadlines.ts";
import type { HookContext } from "./hook.ts";
import type { FailurePolicy, HookKind } from "./points.ts";

export interface SiteDescription {
  readonly point: string;
  readonly hook: string;
  readonly kind: HookKind | "mod";
  readonly failurePolicy: FailurePolicy;
  readonly timeoutMs: number;
  readonly source?: string | undefined;
}

/** What is called: `target.call(event, context)`. */
export interface Callable {
  call(event: never, context: HookContext): unknown;
}

/**
 * One hook at one point: all that is the same for every invocation of it, made once at registration, and what is counted
 * for it. A hook at three points has three sites, each suspended by itself.
 */
export class HookSite {
  readonly description: SiteDescription;
  readonly target: Callable;
  readonly deadlines: Deadlines;
  readonly timeoutMs: number;
  readonly spanName: string;
  index = 0;
  attributes: SpanAttributes;
  inFlight = 0;
  lateResults = 0;
  resultsIgnored = 0;
  deltasDropped = 0;
  /** Milliseconds since the epoch; 0 when it is not suspended. */
  suspendedUntil = 0;

  constructor(description: SiteDescription, target: Callable, deadlines: Deadlines) {
    this.description = description;
    this.target = target;
    this.deadlines = deadlines;
    this.timeoutMs = description.timeoutMs;
    this.spanName = `${description.point} ${description.hook}`;
    this.attributes = this.#attributesAt(0);
  }

  moveTo(index: number): void {
    if (index === this.index) return;
    this.index = index;
    this.attributes = this.#attributesAt(index);
  }

  #attributesAt(index: number): SpanAttributes {
    const { point, hook, kind, failurePolicy, timeoutMs, source } = this.description;
    return Object.freeze({
      "agent_hook.point": point,
      "agent_hook.name": hook,
      "agent_hook.kind": kind,
      "agent_hook.index": index,
      "agent_hook.pass": 1,
      "agent_hook.failure_policy": failurePolicy,
      "agent_hook.timeout": timeoutMs / 1000,
      ...(source === undefined ? {} : { "agent_hook.source": source }),
    });
  }
}
