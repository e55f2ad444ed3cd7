import { context as contextApi, type Context } from "@opentelemetry/api";

import { CallContext } from "./call-context.ts";
import type { Clock } from "./clock.ts";
import type { DeadlineEntry } from "./deadlines.ts";
import type { HookSite } from "./site.ts";

export type GuardedExecution = "ok" | "error" | "timeout" | "aborted";

export interface GuardOwner {
  /** The call's outcome: `value` is what it returned, or what it threw. */
  settle(execution: GuardedExecution, value: unknown, now: number): void;
  /** Follows `settle` where the call did not settle at once. */
  resume(): void;
}

/**
 * Calls a hook: the one place in the repository that does. It bounds the call's time and catches its error, and settles
 * exactly once. One guard makes one call after another; once a call was abandoned (timed out or aborted) its guard is
 * spent, so that a late result can reach nothing but the count of late results.
 */
export class Guard implements DeadlineEntry {
  deadline = 0;
  previous: DeadlineEntry | undefined = undefined;
  next: DeadlineEntry | undefined = undefined;
  readonly #clock: Clock;
  readonly #owner: GuardOwner;
  #site: HookSite | undefined;
  #context: CallContext | undefined;
  #startTime = 0;
  #state: "idle" | "pending" | "timed_out" | "aborted" = "idle";

  constructor(clock: Clock, owner: GuardOwner) {
    this.#clock = clock;
    this.#owner = owner;
  }

  /** A spent guard must be replaced before the next call. */
  get spent(): boolean {
    return this.#state === "timed_out" || this.#state === "aborted";
  }

  /**
   * @param active the OpenTelemetry context to make active during the call; undefined leaves the present one
   * @returns true when the call settled at once; else `resume` follows
   */
  run(site: HookSite, event: unknown, context: CallContext, active: Context | undefined, startTime: number): boolean {
    site.inFlight += 1;
    let returned: unknown;
    let pending: boolean;
    try {
      const target = site.target as { call(event: unknown, context: CallContext): unknown };
      returned =
        active === undefined
          ? target.call(event, context)
          : contextApi.with(active, target.call, target, event, context);
      pending = returned !== undefined && isThenable(returned);
    } catch (error) {
      return this.#settleNow(site, context, startTime, "error", error);
    }
    if (!pending) return this.#settleNow(site, context, startTime, "ok", returned);
    this.#site = site;
    this.#context = context;
    this.#startTime = startTime;
    this.#state = "pending";
    site.deadlines.arm(this, startTime);
    observe(returned as PromiseLike<unknown>, this.#fulfilled, this.#rejected);
    return false;
  }

  /** The turn was interrupted: the pending call is abandoned. */
  abort(reason: unknown): void {
    if (this.#state === "pending") this.#abandon("aborted", reason);
  }

  /** @internal for the list of deadlines, which has removed this entry already */
  expire(): void {
    if (this.#state === "pending") this.#abandon("timeout", undefined, true);
  }

  readonly #fulfilled = (value: unknown): void => this.#settleLater("ok", value);
  readonly #rejected = (error: unknown): void => this.#settleLater("error", error);

  #settleNow(site: HookSite, context: CallContext, startTime: number, execution: "ok" | "error", value: unknown): true {
    site.inFlight -= 1;
    const now = this.#clock.now();
    if (now - startTime > site.description.timeoutMs) {
      site.lateResults += 1;
      CallContext.abort(context, timeoutReason(site));
      this.#owner.settle("timeout", undefined, now);
    } else {
      this.#owner.settle(execution, value, now);
    }
    return true;
  }

  #settleLater(execution: "ok" | "error", value: unknown): void {
    const site = this.#site as HookSite;
    if (this.#state !== "pending") {
      if (this.#state === "timed_out") site.lateResults += 1;
      return;
    }
    const now = this.#clock.now();
    if (now - this.#startTime > site.description.timeoutMs) {
      site.lateResults += 1;
      this.#abandon("timeout", undefined);
      return;
    }
    site.deadlines.disarm(this);
    site.inFlight -= 1;
    this.#state = "idle";
    this.#owner.settle(execution, value, now);
    this.#owner.resume();
  }

  #abandon(execution: "timeout" | "aborted", reason: unknown, disarmed = false): void {
    const site = this.#site as HookSite;
    if (!disarmed) site.deadlines.disarm(this);
    site.inFlight -= 1;
    this.#state = execution === "timeout" ? "timed_out" : "aborted";
    CallContext.abort(this.#context as CallContext, execution === "timeout" ? timeoutReason(site) : reason);
    this.#owner.settle(execution, undefined, this.#clock.now());
    this.#owner.resume();
  }
}

function isThenable(value: unknown): boolean {
  if (value instanceof Promise) return true;
  if (value === null || (typeof value !== "object" && typeof value !== "function")) return false;
  return typeof (value as { then?: unknown }).then === "function";
}

/** A foreign thenable is adopted by a promise first, which takes care of one that throws, or calls back twice or at once. */
function observe(
  thenable: PromiseLike<unknown>,
  fulfilled: (value: unknown) => void,
  rejected: (error: unknown) => void,
): void {
  const promise = thenable instanceof Promise ? thenable : new Promise<unknown>((resolve) => resolve(thenable));
  try {
    promise.then(fulfilled, rejected);
  } catch (error) {
    queueMicrotask(() => rejected(error));
  }
}

function timeoutReason(site: HookSite): DOMException {
  return new DOMException(`${site.spanName} took longer than ${site.description.timeoutMs} ms`, "TimeoutError");
}
