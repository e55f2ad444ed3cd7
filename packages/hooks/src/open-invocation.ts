import { context as contextApi, SpanStatusCode, trace, type Context, type Span } from "@opentelemetry/api";

import type { SpanAttributes } from "./attributes.ts";
import { CallContext } from "./call-context.ts";
import type { InvocationCore } from "./core.ts";
import type { GuardedExecution } from "./guard.ts";
import type { Decision, Execution, HookInvocation, NotAppliedReason, StreamSummary } from "./invocation.ts";
import type { TurnInfo } from "./payloads.ts";
import { redactSafely } from "./redact/index.ts";
import type { HookSite } from "./site.ts";
import type { TurnTotals } from "./turn-totals.ts";

/** Where an invocation belongs: the same for all of one dispatch. */
export interface Surroundings {
  readonly turn: TurnInfo | undefined;
  readonly totals: TurnTotals | undefined;
  readonly parent: Context;
  /** False under a turn that is not recorded: then no span is made. */
  readonly recording: boolean;
}

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

/** An invocation from its start until its record leaves the bus. The span ends with the time the hook returned. */
export class OpenInvocation {
  readonly site: HookSite;
  readonly pass: 1 | 2;
  readonly index: number;
  readonly startTime: number;
  readonly context: CallContext;
  /** The context to make active in the call; undefined where no span is recorded. */
  readonly active: Context | undefined;
  execution: GuardedExecution | "suspended" = "ok";
  value: unknown = undefined;
  endTime = 0;
  readonly #surroundings: Surroundings;
  readonly #span: Span | undefined;
  /** Past the turn's limit of spans. */
  readonly #suppressed: boolean;
  readonly #timing: "whole" | "as_called";

  /** @param timing `as_called`: the owner times each of several calls itself, as a stream does */
  constructor(
    core: InvocationCore,
    site: HookSite,
    pass: 1 | 2,
    surroundings: Surroundings,
    now: number,
    timing: "whole" | "as_called" = "whole",
  ) {
    this.site = site;
    this.pass = pass;
    this.index = site.index;
    this.startTime = now;
    this.#surroundings = surroundings;
    this.#suppressed = surroundings.recording && !takesSpan(core, site, surroundings.totals);
    this.#span = surroundings.recording && !this.#suppressed ? this.#startSpan(core) : undefined;
    this.active = this.#span === undefined ? undefined : trace.setSpan(surroundings.parent, this.#span);
    this.context = new CallContext(this.#span, surroundings.totals);
    this.#timing = timing;
    if (timing === "whole") surroundings.totals?.hookStarted(now);
  }

  settle(execution: GuardedExecution | "suspended", value: unknown, now: number): void {
    this.execution = execution;
    this.value = value;
    this.endTime = now < this.startTime ? this.startTime : now;
    const { totals } = this.#surroundings;
    if (totals === undefined) return;
    if (this.#timing === "whole") totals.hookStopped(this.endTime, this.endTime - this.startTime);
    totals.invocationCounted();
  }

  /** Ends the span, makes the record and gives it to the listeners. */
  finish(core: InvocationCore, conclusion: Conclusion): HookInvocation {
    const { site } = this;
    const { point, hook, kind, failurePolicy, source } = site.description;
    const { turn, totals } = this.#surroundings;
    const { execution, decision } = conclusion;
    const durationMs = conclusion.stream?.totalMs ?? this.endTime - this.startTime;
    const reason = conclusion.reason === undefined ? undefined : String(redactSafely(core.redactor, conclusion.reason));
    const error = execution === "error" || execution === "timeout" ? this.#error(core) : undefined;
    if (totals !== undefined && error !== undefined) {
      totals.add("agent_turn.hook_failures", 1);
      totals.flag(execution === "timeout" ? "agent_turn.has_timeout" : "agent_turn.has_failure");
      if (execution === "timeout") totals.flag("agent_turn.has_failure");
    }
    const span = this.#suppressed ? this.#belatedSpan(core, conclusion, durationMs) : this.#span;
    const spanContext = span?.spanContext();
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
      reason,
      failurePolicy,
      startTime: this.startTime,
      durationMs,
      error,
      source,
      turn,
      traceId: spanContext?.traceId,
      spanId: spanContext?.spanId,
      stream: conclusion.stream,
    };
    if (span !== undefined) endSpan(span, invocation, this.endTime);
    core.publish(invocation);
    return invocation;
  }

  #startSpan(core: InvocationCore): Span | undefined {
    const span = core.tracer.startSpan(
      this.site.spanName,
      { startTime: this.startTime, attributes: this.site.attributes },
      this.#surroundings.parent,
    );
    return span.isRecording() ? span : undefined;
  }

  /** Past the turn's limit of spans a plain observer is only counted; what matters still gets its span, after the fact. */
  #belatedSpan(core: InvocationCore, conclusion: Conclusion, durationMs: number): Span | undefined {
    const plain = conclusion.execution === "ok" && conclusion.decision === "continue" && durationMs < SLOW_MS;
    if (!plain) return this.#startSpan(core);
    this.#surroundings.totals?.add("agent_turn.spans_suppressed", 1);
    return undefined;
  }

  #error(core: InvocationCore): { readonly type: string; readonly message: string } {
    if (this.execution === "timeout") {
      return { type: "HookTimeout", message: `took longer than ${this.site.description.timeoutMs} ms` };
    }
    const { type, message } = describeError(this.value);
    return { type, message: String(redactSafely(core.redactor, message)) };
  }
}

/** Whether spans are to be made under this context: not under a local span that is not recorded. */
export function isRecorded(parent: Context): boolean {
  const span = trace.getSpan(parent);
  return span === undefined || span.isRecording() || span.spanContext().isRemote === true;
}

export function activeContext(): Context {
  return contextApi.active();
}

/** What was thrown, whatever it was; reading it never throws. */
export function describeError(thrown: unknown): { readonly type: string; readonly message: string } {
  try {
    if (thrown instanceof Error) return { type: thrown.name, message: thrown.message };
    return { type: typeof thrown, message: String(thrown) };
  } catch {
    return { type: "unknown", message: "something that cannot be read was thrown" };
  }
}

function redactKeys(core: InvocationCore, keys: readonly string[]): readonly string[] {
  const redacted = redactSafely(core.redactor, keys);
  return typeof redacted === "string" ? [redacted] : redacted;
}

/** A plain invocation that takes this long is kept even past the turn's limit of spans. */
const SLOW_MS = 1_000;
const MAX_REASON_LENGTH = 256;

function takesSpan(core: InvocationCore, site: HookSite, totals: TurnTotals | undefined): boolean {
  if (totals === undefined) return true;
  const room = totals.takeHookSpan(core.maxSpansPerTurn);
  return room || site.description.kind !== "observer";
}

function endSpan(span: Span, invocation: HookInvocation, endTime: number): void {
  const attributes: SpanAttributes = {
    "agent_hook.execution": invocation.execution,
    "agent_hook.decision": invocation.decision,
    "agent_hook.applied": invocation.applied,
  };
  if (invocation.turn !== undefined) {
    attributes["session.id"] = invocation.turn.session_id;
    attributes["gen_ai.conversation.id"] = invocation.turn.session_id;
    attributes["agent_turn.id"] = invocation.turn.turn_id;
  }
  if (invocation.pass !== 1) attributes["agent_hook.pass"] = invocation.pass;
  if (invocation.notAppliedReason !== undefined)
    attributes["agent_hook.not_applied_reason"] = invocation.notAppliedReason;
  if (invocation.changedKeys !== undefined) attributes["agent_hook.changed_keys"] = [...invocation.changedKeys];
  const reason = invocation.reason ?? invocation.error?.message;
  if (reason !== undefined) attributes["agent_hook.reason"] = cut(reason, MAX_REASON_LENGTH);
  if (invocation.stream !== undefined) {
    attributes["agent_hook.stream.count"] = invocation.stream.count;
    attributes["agent_hook.stream.total_time"] = invocation.stream.totalMs / 1000;
    attributes["agent_hook.stream.longest"] = invocation.stream.longestMs / 1000;
    attributes["agent_hook.stream.failures"] = invocation.stream.failures;
    attributes["agent_hook.stream.dropped"] = invocation.stream.dropped;
  }
  if (invocation.error !== undefined) {
    attributes["error.type"] = invocation.error.type;
    span.setStatus({ code: SpanStatusCode.ERROR, message: cut(invocation.error.message, MAX_REASON_LENGTH) });
  }
  span.setAttributes(attributes);
  span.end(endTime);
}

/** Cuts by whole characters, with a mark. Only ever after redaction. */
export function cut(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const end = /[\uD800-\uDBFF]/.test(text[limit - 2] ?? "") ? limit - 2 : limit - 1;
  return `${text.slice(0, end)}…`;
}
