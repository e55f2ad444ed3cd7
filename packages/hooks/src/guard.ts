import { context as contextApi, type Context } from "@opentelemetry/api";

import { CallContext } from "./call-context.ts";
import type { Clock } from "./clock.ts";
import type { DeadlineEntry, Deadlines } from "./deadlines.ts";
import type { HookSite } from "./site.ts";

export type GuardedExecution = "ok" | "error" | "timeout" | "aborted";

export interface GuardOwner {
  /** The call's outcome: `value` is what it returned, or what it threw. */
  settle(execution: GuardedExecution, value: unknown, now: number): void;
  /** Follows `settle` where the call did not settle at once. */
  resume(): void;
}

/**
 * Bounds the time of a call that is pending, and settles it exactly once. One guard holds one call after another; once a call was abandoned (timed out or aborted) its guard is
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
  /** The list it is in: that of the pending call, or of the one that just settled until it is known whether another follows. */
  #deadlines: Deadlines | undefined = undefined;
  #state: "idle" | "pending" | "timed_out" | "aborted" = "idle";
  /** Made for the first call that is pending: most hooks answer at once. */
  #fulfilled: ((value: unknown) => void) | undefined = undefined;
  #rejected: ((error: unknown) => void) | undefined = undefined;

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
    const pending = begin(this.#owner, this.#clock, site, event, context, active, startTime);
    if (pending === undefined) return true;
    this.hold(pending, site, context, startTime);
    return false;
  }

  /** Waits for what `begin` left pending, no longer than the call's time limit. */
  hold(pending: Promise<unknown>, site: HookSite, context: CallContext, startTime: number): void {
    this.#site = site;
    this.#context = context;
    this.#startTime = startTime;
    this.#state = "pending";
    const { deadlines } = site;
    if (this.#deadlines === deadlines) {
      deadlines.rearm(this, startTime);
    } else {
      this.#disarm();
      this.#deadlines = deadlines;
      deadlines.arm(this, startTime);
    }
    this.#fulfilled ??= (value) => this.#settleLater("ok", value);
    this.#rejected ??= (error) => this.#settleLater("error", error);
    observe(pending, this.#fulfilled, this.#rejected);
  }

  /** The turn was interrupted: the pending call is abandoned. */
  abort(reason: unknown): void {
    if (this.#state === "pending") this.#abandon("aborted", reason);
  }

  /** The call's time is over by another clock than its own deadline: the pending call is abandoned. */
  timeOut(): void {
    if (this.#state === "pending") this.#abandon("timeout", undefined);
  }

  /** @internal For the list of deadlines, which has removed this entry already. */
  expire(): void {
    this.#deadlines = undefined;
    if (this.#state === "pending") this.#abandon("timeout", undefined);
  }

  #settleLater(execution: "ok" | "error", value: unknown): void {
    const site = this.#site as HookSite;
    if (this.#state !== "pending") {
      if (this.#state === "timed_out") site.lateResults += 1;
      return;
    }
    const now = this.#clock.now();
    if (now - this.#startTime > site.timeoutMs) {
      site.lateResults += 1;
      this.#abandon("timeout", undefined);
      return;
    }
    site.inFlight -= 1;
    this.#state = "idle";
    this.#owner.settle(execution, value, now);
    this.#owner.resume();
    if (this.#state === "idle") this.#disarm();
  }

  #disarm(): void {
    this.#deadlines?.disarm(this);
    this.#deadlines = undefined;
  }

  #abandon(execution: "timeout" | "aborted", reason: unknown): void {
    const site = this.#site as HookSite;
    this.#disarm();
    site.inFlight -= 1;
    this.#state = execution === "timeout" ? "timed_out" : "aborted";
    CallContext.abort(this.#context as CallContext, execution === "timeout" ? timeoutReason(site) : reason);
    this.#owner.settle(execution, undefined, this.#clock.now());
    this.#owner.resume();
  }
}

/**
 * Calls a hook: the one place in the repository that does. Settles the owner where the call answers at once; else gives
 * what is pending, for a guard to hold.
 */
export function begin(
  owner: GuardOwner,
  clock: Clock,
  site: HookSite,
  event: unknown,
  context: CallContext,
  active: Context | undefined,
  startTime: number,
): Promise<unknown> | undefined {
  site.inFlight += 1;
  let execution: "ok" | "error" = "ok";
  let outcome: unknown;
  try {
    outcome =
      active === undefined
        ? callTarget(site, event, context)
        : contextApi.with(active, callTarget, undefined, site, event, context);
    const pending = asPromise(outcome);
    if (pending !== undefined) return pending;
  } catch (error) {
    execution = "error";
    outcome = error;
  }
  site.inFlight -= 1;
  const now = clock.now();
  if (now - startTime > site.timeoutMs) {
    site.lateResults += 1;
    CallContext.abort(context, timeoutReason(site));
    owner.settle("timeout", undefined, now);
  } else {
    owner.settle(execution, outcome, now);
  }
  return undefined;
}

function callTarget(site: HookSite, event: unknown, context: CallContext): unknown {
  const target = site.target as { call(event: unknown, context: CallContext): unknown };
  return target.call(event, context);
}

/**
 * A pending result, or undefined for a value. Native promises call back once, and later; any other thenable is adopted by
 * a native one first, which takes care of one that throws, or calls back twice or at once.
 */
function asPromise(returned: unknown): Promise<unknown> | undefined {
  if (returned === undefined || returned === null) return undefined;
  if (typeof returned !== "object" && typeof returned !== "function") return undefined;
  const then: unknown = (returned as { then?: unknown }).then;
  if (typeof then !== "function") return undefined;
  if (then === NATIVE_THEN && returned instanceof Promise) return returned;
  return new Promise((resolve) => resolve(returned));
}

const NATIVE_THEN: unknown = Reflect.get(Promise.prototype, "then");

/** A subclass may throw from the constructor that `then` makes its own promise with. */
function observe(
  pending: Promise<unknown>,
  fulfilled: (value: unknown) => void,
  rejected: (error: unknown) => void,
): void {
  try {
    pending.then(fulfilled, rejected);
  } catch (error) {
    queueMicrotask(() => rejected(error));
  }
}

function timeoutReason(site: HookSite): DOMException {
  return new DOMException(`${site.spanName} took longer than ${site.description.timeoutMs} ms`, "TimeoutError");
}
