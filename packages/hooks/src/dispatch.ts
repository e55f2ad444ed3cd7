import type { Context } from "@opentelemetry/api";

import type { InvocationCore } from "./core.ts";
import {
  foldAborted,
  foldDirective,
  foldObserver,
  foldTransform,
  type Applied,
  type Fold,
  type Folded,
} from "./fold.ts";
import { Guard, type GuardedExecution, type GuardOwner } from "./guard.ts";
import type { HookInvocation } from "./invocation.ts";
import type { JsonObject } from "./json.ts";
import { OpenInvocation } from "./open-invocation.ts";
import { conclude, noteIgnored, outcomeOf, type JudgedOutcome } from "./outcome.ts";
import type { TurnInfo } from "./payloads.ts";
import type { HookPoint, HookPointRow } from "./points.ts";
import type { Registration } from "./registry.ts";
import { sameJson, snapshot } from "./snapshot.ts";
import { surroundingsOf, type Surroundings } from "./surroundings.ts";

export interface DispatchRequest {
  readonly core: InvocationCore;
  readonly point: HookPoint;
  readonly row: HookPointRow;
  /** The registrations at the moment of dispatch; what registers or unregisters meanwhile counts from the next one on. */
  readonly registrations: readonly Registration[];
  /** Snapshots, like the turn. */
  readonly payload: JsonObject;
  readonly turn: TurnInfo | undefined;
  readonly signal: AbortSignal | undefined;
  /** Default: the active context. */
  readonly parent: Context | undefined;
  readonly suspendMs: number;
}

export type DispatchVerdict = { readonly invocations: readonly HookInvocation[] } & (
  | Folded
  | { readonly decision: "aborted" }
);

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
  readonly #open: OpenInvocation[] = [];
  #queue: readonly Registration[];
  #position = 0;
  #pass: 1 | 2 = 1;
  #event: Event;
  #guard: Guard;
  #current: OpenInvocation | undefined;
  #now: number;
  #changed = false;
  readonly #outcomes: JudgedOutcome[] = [];
  #resolve: ((verdict: DispatchVerdict) => void) | undefined;

  constructor(request: DispatchRequest) {
    this.#request = request;
    this.#core = request.core;
    this.#surroundings = surroundingsOf(request.core, request.turn, request.parent);
    this.#queue = request.registrations;
    this.#event = Object.freeze({ point: request.point, payload: request.payload, turn: request.turn });
    this.#guard = new Guard(request.core.clock, this);
    this.#now = request.core.clock.now();
  }

  run(): Promise<DispatchVerdict> {
    const verdict = this.#proceed();
    if (verdict !== undefined) return Promise.resolve(verdict);
    const { signal } = this.#request;
    return new Promise((resolve) => {
      this.#resolve = resolve;
      signal?.addEventListener("abort", this.#onAbort);
      if (signal?.aborted === true) this.#onAbort();
    });
  }

  settle(execution: GuardedExecution, value: unknown, now: number): void {
    const invocation = this.#current as OpenInvocation;
    this.#now = now;
    invocation.settle(execution, value, now);
    if (execution === "timeout") invocation.site.suspendedUntil = now + this.#request.suspendMs;
    if (execution !== "ok" || value !== undefined) this.#changed = true;
  }

  resume(): void {
    this.#surroundings.isActive = false;
    const verdict = this.#proceed();
    const { signal } = this.#request;
    if (verdict === undefined) {
      if (signal?.aborted === true) this.#onAbort();
      return;
    }
    signal?.removeEventListener("abort", this.#onAbort);
    this.#resolve?.(verdict);
  }

  /** Also called where the signal fired within the very call that is pending now: a signal tells its listeners once. */
  readonly #onAbort = (): void => this.#guard.abort(this.#request.signal?.reason);

  /** Calls hooks until one is pending, then gives undefined; or to the end, then gives the verdict. */
  #proceed(): DispatchVerdict | undefined {
    for (;;) {
      while (this.#position < this.#queue.length) {
        if (this.#request.signal?.aborted === true) return this.#concludeAborted();
        const registration = this.#queue[this.#position] as Registration;
        this.#position += 1;
        if (!this.#invoke(registration)) return undefined;
      }
      if (this.#request.signal?.aborted === true) return this.#concludeAborted();
      if (!this.#changed) return this.#concludeUnchanged();
      if (!this.#startSecondPass()) return this.#conclude();
    }
  }

  #invoke({ site }: Registration): boolean {
    const invocation = new OpenInvocation(this.#core, site, this.#pass, this.#surroundings, this.#now);
    this.#open.push(invocation);
    this.#current = invocation;
    if (site.suspendedUntil > this.#now) {
      invocation.settle("suspended", undefined, this.#now);
      this.#changed = true;
      return true;
    }
    site.suspendedUntil = 0;
    if (this.#guard.spent) this.#guard = new Guard(this.#core.clock, this);
    return this.#guard.run(site, this.#event, invocation.context, invocation.active, this.#now);
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
    for (let index = this.#outcomes.length; index < this.#open.length; index += 1) {
      this.#outcomes.push(outcomeOf(this.#core, this.#request.row, this.#open[index] as OpenInvocation));
    }
    return this.#outcomes;
  }

  /** No hook said or did anything: the common case. */
  #concludeUnchanged(): DispatchVerdict {
    const invocations = this.#open.map((invocation) => invocation.finish(this.#core, UNCHANGED));
    return { decision: "continue", invocations };
  }

  #conclude(): DispatchVerdict {
    const { verdict, applied } = this.#fold(this.#judge());
    return { ...verdict, invocations: this.#finish(applied) };
  }

  #fold(outcomes: readonly JudgedOutcome[]): Fold {
    const { row, payload } = this.#request;
    switch (row.kind) {
      case "directive":
        return foldDirective(outcomes, payload, row.modify);
      case "transform":
        return foldTransform(outcomes);
      case "observer":
        return foldObserver(outcomes);
    }
  }

  #concludeAborted(): DispatchVerdict {
    return { decision: "aborted", invocations: this.#finish(foldAborted(this.#judge())) };
  }

  #finish(applied: readonly Applied[]): readonly HookInvocation[] {
    return this.#open.map((invocation, index) => {
      const outcome = this.#outcomes[index] as JudgedOutcome;
      if (!outcome.accepted) noteIgnored(this.#core, invocation.site, outcome);
      const { kind } = this.#request.row;
      return invocation.finish(this.#core, conclude(invocation, outcome, applied[index] as Applied, kind));
    });
  }
}

const UNCHANGED = { execution: "ok", decision: "continue", applied: false } as const;
