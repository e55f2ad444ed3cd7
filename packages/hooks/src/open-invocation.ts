import { trace, type Context, type Span } from "@opentelemetry/api";

import { CallContext } from "./call-context.ts";
import type { InvocationCore } from "./core.ts";
import { describeError } from "./describe-error.ts";
import type { GuardedExecution } from "./guard.ts";
import { endHookSpan, spanContextOf, startHookSpan } from "./hook-span.ts";
import type { Decision, Execution, HookInvocation, NotAppliedReason, StreamSummary } from "./invocation.ts";
import { REDACTION_FAILED, redactSafely } from "./redact/index.ts";
import type { HookSite } from "./site.ts";
import type { Surroundings } from "./surroundings.ts";
import type { TurnTotals } from "./turn-totals.ts";

/** What the fold found out. */
export interface Conclusion {
  readonly execution: Execution;
  readonly decision: Decision;
  readonly applied: boolean;
  readonly notAppliedReason?: NotAppliedReason | undefined;
  readonly changedKeys?: readonly string[] | undefined;
  readonly reason?: string | undefined;
  readonly stream?: StreamSummary | undefined;
}

/** Of a hook that returned nothing, whatever the others do. */
export const PLAIN: Conclusion = { execution: "ok", decision: "continue", applied: false };

/** An invocation from its start until its record leaves the bus. The span ends with the time the hook returned. */
export class OpenInvocation {
  readonly site: HookSite;
  readonly pass: 1 | 2;
  readonly index: number;
  readonly startTime: number;
  readonly context: CallContext;
  /** Past the turn's limit of spans. */
  readonly isSuppressed: boolean;
  execution: GuardedExecution | "suspended" = "ok";
  value: unknown = undefined;
  endTime = 0;
  readonly #surroundings: Surroundings;
  readonly #span: Span | undefined;

  constructor(
    core: InvocationCore,
    site: HookSite,
    pass: 1 | 2,
    surroundings: Surroundings,
    now: number,
    index: number = site.index,
  ) {
    this.site = site;
    this.pass = pass;
    this.index = index;
    this.startTime = now;
    this.#surroundings = surroundings;
    this.isSuppressed = surroundings.recording && !takesSpan(core, site, surroundings.totals);
    this.#span =
      surroundings.recording && !this.isSuppressed ? startHookSpan(core, site, now, surroundings) : undefined;
    this.context = new CallContext(this.#span, surroundings.totals);
  }

  /** How the call went and when it ended, which is never before it started. */
  settle(execution: GuardedExecution | "suspended", value: unknown, now: number): void {
    this.execution = execution;
    this.value = value;
    this.endTime = now < this.startTime ? this.startTime : now;
    this.#surroundings.totals?.invocationCounted();
  }

  /** Ends the span, makes the record and gives it to the listeners. */
  finish(core: InvocationCore, conclusion: Conclusion): HookInvocation {
    const invocation = this.close(core, conclusion);
    core.publish(invocation);
    return invocation;
  }

  /** Ends the span and makes the record, for the owner to publish when its turn comes. */
  close(core: InvocationCore, conclusion: Conclusion): HookInvocation {
    const { site } = this;
    const { point, hook, kind, failurePolicy, source } = site.description;
    const { execution, decision } = conclusion;
    const durationMs = conclusion.stream?.totalMs ?? this.endTime - this.startTime;
    const failed = execution === "error" || execution === "timeout";
    const error = failed ? this.#noteFailure(core, execution) : undefined;
    const span = this.isSuppressed ? this.#belatedSpan(core, conclusion, durationMs) : this.#span;
    const spanContext = span === undefined ? undefined : spanContextOf(core, span);
    const invocation: HookInvocation = {
      point,
      hook,
      kind,
      index: this.index,
      pass: this.pass,
      execution,
      decision,
      applied: conclusion.applied,
      notAppliedReason: conclusion.notAppliedReason,
      changedKeys: conclusion.changedKeys === undefined ? undefined : redactKeys(core, conclusion.changedKeys),
      reason: conclusion.reason === undefined ? undefined : core.redactText(conclusion.reason),
      failurePolicy,
      startTime: this.startTime,
      durationMs,
      error,
      source,
      turn: this.#surroundings.turn,
      traceId: spanContext?.traceId,
      spanId: spanContext?.spanId,
      stream: conclusion.stream,
    };
    if (span !== undefined) endHookSpan(core, span, invocation, this.#surroundings.sessionId, this.endTime);
    return invocation;
  }

  /** The context to make active in the call: its span is the active one, or where there is none, the turn's; undefined where the present one is right. */
  contextOfCall(): Context | undefined {
    const { parent, isActive } = this.#surroundings;
    if (this.#span !== undefined) return trace.setSpan(parent, this.#span);
    return isActive ? undefined : parent;
  }

  /** Past the turn's limit of spans a plain observer is only counted; what matters still gets its span, after the fact. */
  #belatedSpan(core: InvocationCore, conclusion: Conclusion, durationMs: number): Span | undefined {
    const plain = conclusion.execution === "ok" && conclusion.decision === "continue" && durationMs < SLOW_MS;
    if (!plain) return startHookSpan(core, this.site, this.startTime, this.#surroundings);
    this.#surroundings.totals?.add("agent_turn.spans_suppressed", 1);
    return undefined;
  }

  /** A failure counts for the turn each time, and is logged once per hook and point. */
  #noteFailure(
    core: InvocationCore,
    execution: "error" | "timeout",
  ): { readonly type: string; readonly message: string } {
    const { totals } = this.#surroundings;
    totals?.add("agent_turn.hook_failures", 1);
    totals?.flag("agent_turn.has_failure");
    if (execution === "timeout") totals?.flag("agent_turn.has_timeout");
    const { point, hook, failurePolicy, timeoutMs } = this.site.description;
    const { type, message } =
      execution === "timeout"
        ? { type: "HookTimeout", message: `took longer than ${timeoutMs} ms` }
        : describeError(this.value);
    const error = { type: core.redactText(type), message: core.redactText(message) };
    core.log.warn(
      `${execution} ${point} ${hook}`,
      `hook "${hook}" failed at ${point}: ${error.type}: ${error.message}. The point fails ${failurePolicy}. Further failures are only counted.`,
      { point, hook, execution, failurePolicy },
    );
    return error;
  }
}

function redactKeys(core: InvocationCore, keys: readonly string[]): readonly string[] {
  const redacted: unknown = redactSafely(core.redactor, keys);
  return Array.isArray(redacted) ? redacted.map(String) : [REDACTION_FAILED];
}

/** A plain invocation that takes this long, in milliseconds, is kept even past the turn's limit of spans. */
const SLOW_MS = 1_000;

function takesSpan(core: InvocationCore, site: HookSite, totals: TurnTotals | undefined): boolean {
  if (totals === undefined) return true;
  const room = totals.takeHookSpan(core.maxSpansPerTurn);
  return room || site.description.kind !== "observer";
}
