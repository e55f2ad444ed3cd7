import type { Context } from "@opentelemetry/api";

import type { InvocationCore } from "./core.ts";
import {
  foldAborted,
  foldDirective,
  foldObserver,
  foldTransform,
  type Applied,
  type Folded,
  type Outcome,
} from "./fold.ts";
import { Guard, type GuardedExecution, type GuardOwner } from "./guard.ts";
import type { HookInvocation } from "./invocation.ts";
import type { JsonObject } from "./json.ts";
import { judge, type Judgement } from "./judge.ts";
import { describeError, isRecorded, OpenInvocation, type Surroundings } from "./open-invocation.ts";
import type { TurnInfo } from "./payloads.ts";
import type { HookPoint, HookPointRow } from "./points.ts";
import type { Registration } from "./registry.ts";
import { sameJson, snapshot } from "./snapshot.ts";
import { turnTotalsOf } from "./turn-totals.ts";

export interface DispatchRequest {
  readonly core: InvocationCore;
  readonly point: HookPoint;
  readonly row: HookPointRow;
  /** The registrations at the moment of dispatch; what registers or unregisters meanwhile counts from the next one on. */
  readonly registrations: readonly Registration[];
  readonly payload: JsonObject;
  readonly turn: TurnInfo | undefined;
  readonly signal: AbortSignal | undefined;
  readonly parent: Context;
  readonly suspendMs: number;
}

export type DispatchVerdict = { readonly invocations: readonly HookInvocation[] } & (
  | Folded
  | { readonly decision: "aborted" }
);

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
  #outcomes: (Outcome & Judgement)[] = [];
  #resolve: ((verdict: DispatchVerdict) => void) | undefined;

  constructor(request: DispatchRequest) {
    this.#request = request;
    this.#core = request.core;
    this.#surroundings = {
      turn: request.turn,
      totals: turnTotalsOf(request.parent),
      parent: request.parent,
      recording: isRecorded(request.parent),
    };
    this.#queue = request.registrations;
    this.#event = { point: request.point, payload: request.payload, turn: request.turn };
    this.#guard = new Guard(request.core.clock, this);
    this.#now = request.core.clock.now();
  }

  run(): Promise<DispatchVerdict> {
    const verdict = this.#proceed();
    if (verdict !== undefined) return Promise.resolve(verdict);
    this.#request.signal?.addEventListener("abort", this.#onAbort, { once: true });
    return new Promise((resolve) => {
      this.#resolve = resolve;
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
    const verdict = this.#proceed();
    if (verdict === undefined) return;
    this.#request.signal?.removeEventListener("abort", this.#onAbort);
    this.#resolve?.(verdict);
  }

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

  /** Hooks that judge arguments see what the others made of them: what was approved is what runs. */
  #startSecondPass(): boolean {
    if (this.#pass === 2 || this.#request.row.failurePolicy !== "closed") return false;
    const again = this.#request.registrations.filter(({ hook }) => hook.reinvoke === "if_modified");
    if (again.length === 0) return false;
    const { payload, row } = this.#request;
    const modifies = this.#judge().filter((outcome) => outcome.decision === "modify");
    const { verdict } = foldDirective(modifies, payload, row.modify);
    if (verdict.decision !== "modify") return false;
    const merged = snapshot({ ...payload, ...(verdict.value as JsonObject) });
    if (sameJson(merged, payload)) return false;
    this.#pass = 2;
    this.#event = { ...this.#event, payload: merged };
    this.#queue = again;
    this.#position = 0;
    return true;
  }

  #judge(): readonly (Outcome & Judgement)[] {
    for (let index = this.#outcomes.length; index < this.#open.length; index += 1) {
      this.#outcomes.push(this.#judgeOne(this.#open[index] as OpenInvocation));
    }
    return this.#outcomes;
  }

  #judgeOne(invocation: OpenInvocation): Outcome & Judgement {
    const { hook, failurePolicy } = invocation.site.description;
    const about = { hook, failurePolicy, pass: invocation.pass };
    if (invocation.execution !== "ok") {
      const failure = invocation.execution === "aborted" ? undefined : this.#describeFailure(invocation);
      return { ...about, failure, decision: "none", accepted: true };
    }
    const judgement = judge(this.#request.row, invocation.value);
    return judgement.decision === "modify" && judgement.accepted
      ? { ...about, ...judgement, value: snapshot(judgement.value) }
      : { ...about, ...judgement };
  }

  #describeFailure(invocation: OpenInvocation): string {
    const { hook, timeoutMs } = invocation.site.description;
    switch (invocation.execution) {
      case "timeout":
        return `hook "${hook}" took longer than ${timeoutMs} ms`;
      case "suspended":
        return `hook "${hook}" is suspended after it took longer than ${timeoutMs} ms`;
      default: {
        const { type, message } = describeError(invocation.value);
        return this.#core.redactor.text(`hook "${hook}" failed: ${type}: ${message}`);
      }
    }
  }

  /** No hook said or did anything: the common case. */
  #concludeUnchanged(): DispatchVerdict {
    const invocations = this.#open.map((invocation) => invocation.finish(this.#core, UNCHANGED));
    return { decision: "continue", invocations };
  }

  #conclude(): DispatchVerdict {
    const { row, payload } = this.#request;
    const outcomes = this.#judge();
    const fold =
      row.kind === "directive"
        ? foldDirective(outcomes, payload, row.modify)
        : row.kind === "transform"
          ? foldTransform(outcomes)
          : foldObserver(outcomes);
    return { ...fold.verdict, invocations: this.#finish(fold.applied) };
  }

  #concludeAborted(): DispatchVerdict {
    return { decision: "aborted", invocations: this.#finish(foldAborted(this.#judge())) };
  }

  #finish(applied: readonly Applied[]): readonly HookInvocation[] {
    return this.#open.map((invocation, index) => {
      const outcome = this.#outcomes[index] as Outcome & Judgement;
      if (!outcome.accepted) this.#noteIgnored(invocation, outcome);
      const invalid = !outcome.accepted && this.#request.row.kind !== "observer";
      return invocation.finish(this.#core, {
        execution: invocation.execution === "ok" && invalid ? "invalid_result" : invocation.execution,
        decision: outcome.decision,
        applied: applied[index]?.applied ?? false,
        notAppliedReason: applied[index]?.notAppliedReason,
        changedKeys: outcome.decision === "modify" ? changedKeys(outcome.value) : undefined,
        reason: outcome.failure ?? outcome.text ?? outcome.problem,
      });
    });
  }

  #noteIgnored({ site }: OpenInvocation, { decision, problem }: Judgement): void {
    site.resultsIgnored += 1;
    const { hook, point } = site.description;
    this.#core.log.warn(
      `ignored ${hook} ${point} ${decision}`,
      `a result of hook "${hook}" at ${point} is ignored: ${problem ?? "it is not accepted"}. Further ones are only counted.`,
      { hook, point, decision },
    );
  }
}

const UNCHANGED = { execution: "ok", decision: "continue", applied: false } as const;

/** For arguments the keys within them; else the payload's fields. */
function changedKeys(value: unknown): readonly string[] | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const args = (value as JsonObject)["args"];
  return Object.keys(typeof args === "object" && args !== null ? args : value);
}
