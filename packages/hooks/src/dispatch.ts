import { context as contextApi } from "@opentelemetry/api";

import { CallContext } from "./call-context.ts";
import type { InvocationCore } from "./core.ts";
import type { DispatchRequest, DispatchVerdict } from "./dispatch-request.ts";
import { foldAborted, foldDirective, type Applied } from "./fold.ts";
import { begin, Guard, type GuardedExecution, type GuardOwner } from "./guard.ts";
import type { HookInvocation } from "./invocation.ts";
import type { JsonObject } from "./json.ts";
import { OpenInvocation, PLAIN } from "./open-invocation.ts";
import type { JudgedOutcome } from "./outcome.ts";
import type { TurnInfo } from "./payloads.ts";
import { plainInvocation } from "./plain-invocation.ts";
import type { HookPoint } from "./points.ts";
import type { Registration } from "./registry.ts";
import { finishCalls, foldOutcomes, judgeCalls, type SettledCall } from "./settled-calls.ts";
import type { HookSite } from "./site.ts";
import { sameJson, snapshot } from "./snapshot.ts";
import { surroundingsOf, type Surroundings } from "./surroundings.ts";

/** Frozen: every hook of the dispatch is given the same one. */
interface Event {
  readonly point: HookPoint;
  readonly payload: JsonObject;
  readonly turn: TurnInfo | undefined;
}

/**
 * One event given to each hook of a point, in order, one after another. Runs without a promise as long as the hooks
 * answer at once; the first that does not makes the one promise of the dispatch.
 */
export class Dispatch implements GuardOwner {
  readonly #request: DispatchRequest;
  readonly #core: InvocationCore;
  readonly #surroundings: Surroundings;
  readonly #calls: SettledCall[] = [];
  #queue: readonly Registration[];
  #position = 0;
  #pass: 1 | 2 = 1;
  #event: Event;
  /** Whether the active context was seen to be the same after a promise as before it, which not every context manager sees to. */
  #isCarried = false;
  /** Made for the first call that is pending. */
  #guard: Guard | undefined = undefined;
  #site: HookSite | undefined = undefined;
  /** The hook's place when it was called; it may move meanwhile. */
  #index = 0;
  /** Of the call that is made; undefined where it has no span. */
  #open: OpenInvocation | undefined = undefined;
  /** When the call that is made began: when the one before it ended. */
  #now: number;
  #changed = false;
  readonly #outcomes: JudgedOutcome[] = [];
  #resolve: ((verdict: DispatchVerdict) => void) | undefined = undefined;
  #onAbort: (() => void) | undefined = undefined;

  constructor(request: DispatchRequest) {
    this.#request = request;
    this.#core = request.core;
    const { core, turn, parent, payload } = request;
    this.#surroundings = surroundingsOf(core, turn, parent, turn === undefined ? payload : undefined);
    this.#queue = request.registrations;
    this.#event = Object.freeze({ point: request.point, payload: request.payload, turn: request.turn });
    this.#now = request.core.clock.now();
  }

  run(): Promise<DispatchVerdict> {
    const verdict = this.#enter();
    if (verdict !== undefined) return Promise.resolve(verdict);
    return new Promise((resolve) => {
      this.#resolve = resolve;
      const { signal } = this.#request;
      if (signal === undefined) return;
      this.#onAbort = (): void => this.#abort();
      signal.addEventListener("abort", this.#onAbort);
      if (signal.aborted) this.#abort();
    });
  }

  settle(execution: GuardedExecution, value: unknown, now: number): void {
    const site = this.#site as HookSite;
    const startTime = this.#now;
    const durationMs = now < startTime ? 0 : now - startTime;
    const { totals } = this.#surroundings;
    totals?.hookStopped(startTime + durationMs, durationMs);
    this.#now = now;
    if (execution === "timeout") site.suspendedUntil = now + this.#request.suspendMs;
    this.#record(site, execution, value, startTime, durationMs);
  }

  resume(): void {
    const surroundings = this.#surroundings;
    const settled = this.#guard?.spent === false;
    if (!settled || !this.#isCarried) {
      surroundings.isActive = !surroundings.recording && surroundings.parent === contextApi.active();
      this.#isCarried = settled && surroundings.isActive;
    }
    const verdict = this.#enter();
    const { signal } = this.#request;
    if (verdict === undefined) {
      if (signal?.aborted === true) this.#abort();
      return;
    }
    if (this.#onAbort !== undefined) signal?.removeEventListener("abort", this.#onAbort);
    this.#resolve?.(verdict);
  }

  /** Also called where the signal fired within the very call that is pending now: a signal tells its listeners once. */
  #abort(): void {
    this.#guard?.abort(this.#request.signal?.reason);
  }

  /** Where hooks have no span, the parent is the context of them all, and is made active once instead of for each. */
  #enter(): DispatchVerdict | undefined {
    const surroundings = this.#surroundings;
    if (surroundings.recording || surroundings.isActive) return this.#proceed();
    surroundings.isActive = true;
    return contextApi.with(surroundings.parent, Dispatch.#proceedWith, undefined, this);
  }

  static #proceedWith(this: void, dispatch: Dispatch): DispatchVerdict | undefined {
    return dispatch.#proceed();
  }

  /** Calls hooks until one is pending, then gives undefined; or to the end, then gives the verdict. */
  #proceed(): DispatchVerdict | undefined {
    for (;;) {
      while (this.#position < this.#queue.length) {
        if (this.#request.signal?.aborted === true) return this.#concludeAborted();
        const registration = this.#queue[this.#position] as Registration;
        this.#position += 1;
        if (!this.#invoke(registration.site)) return undefined;
      }
      if (this.#request.signal?.aborted === true) return this.#concludeAborted();
      if (!this.#changed) return this.#concludeUnchanged();
      if (!this.#startSecondPass()) return this.#conclude();
    }
  }

  #invoke(site: HookSite): boolean {
    const startTime = this.#now;
    const surroundings = this.#surroundings;
    const core = this.#core;
    this.#site = site;
    this.#index = site.index;
    const open = surroundings.recording ? this.#openAt(site, startTime) : undefined;
    this.#open = open;
    if (site.suspendedUntil > startTime) {
      this.#record(site, "suspended", undefined, startTime, 0);
      return true;
    }
    site.suspendedUntil = 0;
    surroundings.totals?.hookStarted(startTime);
    const context = open === undefined ? new CallContext(undefined, surroundings.totals) : open.context;
    const active = open?.contextOfCall();
    const pending = begin(this, core.clock, site, this.#event, context, active, startTime);
    if (pending === undefined) return true;
    if (this.#guard === undefined || this.#guard.spent) this.#guard = new Guard(core.clock, this);
    this.#guard.hold(pending, site, context, startTime);
    return false;
  }

  #record(
    site: HookSite,
    execution: GuardedExecution | "suspended",
    value: unknown,
    startTime: number,
    durationMs: number,
  ): void {
    // A span that is perhaps made after the fact is made when the others are, in its place.
    if (execution === "ok" && value === undefined && this.#open?.isSuppressed !== true) {
      this.#calls.push(this.#recordPlain(site, startTime, durationMs));
      return;
    }
    this.#changed = true;
    const open = this.#open ?? this.#openAt(site, startTime);
    open.settle(execution, value, startTime + durationMs);
    this.#calls.push(open);
  }

  /** No fold has anything to say of it, so it is known whole as soon as the hook returned; it is published in its place. */
  #recordPlain(site: HookSite, startTime: number, durationMs: number): HookInvocation {
    const open = this.#open;
    if (open !== undefined) {
      open.settle("ok", undefined, startTime + durationMs);
      return open.close(this.#core, PLAIN);
    }
    const { turn, totals } = this.#surroundings;
    totals?.invocationCounted();
    return plainInvocation(site, this.#index, this.#pass, turn, startTime, durationMs);
  }

  #openAt(site: HookSite, startTime: number): OpenInvocation {
    return new OpenInvocation(this.#core, site, this.#pass, this.#surroundings, startTime, this.#index);
  }

  /**
   * Hooks that judge arguments see what the others made of them: what was approved is what runs. A call that is blocked
   * already does not run, so nothing is left to judge.
   */
  #startSecondPass(): boolean {
    if (this.#pass === 2 || this.#request.row.failurePolicy !== "closed") return false;
    const again = this.#request.registrations.filter(({ hook }) => hook.reinvoke === "if_modified");
    if (again.length === 0) return false;
    const { payload, row } = this.#request;
    const { verdict } = foldDirective(this.#judge(), payload, row.modify);
    const changes = verdict.decision === "modify" || verdict.decision === "ask_user" ? verdict.value : undefined;
    if (changes === undefined) return false;
    const merged = snapshot({ ...payload, ...(changes as JsonObject) });
    if (sameJson(merged, payload)) return false;
    this.#pass = 2;
    this.#event = Object.freeze({ ...this.#event, payload: merged });
    this.#queue = again;
    this.#position = 0;
    return true;
  }

  #judge(): readonly JudgedOutcome[] {
    judgeCalls(this.#core, this.#request.row, this.#calls, this.#outcomes);
    return this.#outcomes;
  }

  /** Every hook returned nothing, the common case: there is nothing to judge or fold. */
  #concludeUnchanged(): DispatchVerdict {
    const invocations = this.#calls as readonly HookInvocation[];
    if (this.#core.hasListeners) for (const invocation of invocations) this.#core.publish(invocation);
    return { decision: "continue", invocations };
  }

  #conclude(): DispatchVerdict {
    const { row, payload } = this.#request;
    const { verdict, applied } = foldOutcomes(row, payload, this.#judge());
    return { ...verdict, invocations: this.#finish(applied) };
  }

  #concludeAborted(): DispatchVerdict {
    return { decision: "aborted", invocations: this.#finish(foldAborted(this.#judge())) };
  }

  #finish(applied: readonly Applied[]): readonly HookInvocation[] {
    return finishCalls(this.#core, this.#request.row, this.#calls, this.#outcomes, applied);
  }
}
