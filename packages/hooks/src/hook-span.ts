import { SpanStatusCode, type Span, type SpanContext } from "@opentelemetry/api";

import type { SpanAttributes } from "./attributes.ts";
import type { InvocationCore } from "./core.ts";
import { describeError } from "./describe-error.ts";
import { toHrTime } from "./hr-time.ts";
import type { HookInvocation, StreamSummary } from "./invocation.ts";
import type { HookSite } from "./site.ts";
import type { Surroundings } from "./surroundings.ts";

/** Undefined where the span would not be recorded. A tracer that throws is logged once, never felt. */
export function startHookSpan(
  core: InvocationCore,
  site: HookSite,
  startTime: number,
  { parent }: Surroundings,
): Span | undefined {
  try {
    const span = core.tracer.startSpan(
      site.spanName,
      { startTime: toHrTime(startTime), attributes: site.attributes },
      parent,
    );
    return span.isRecording() ? span : undefined;
  } catch (error) {
    noteFailure(core, error);
    return undefined;
  }
}

/** Undefined where the span cannot say. */
export function spanContextOf(core: InvocationCore, span: Span): SpanContext | undefined {
  try {
    return span.spanContext();
  } catch (error) {
    noteFailure(core, error);
    return undefined;
  }
}

/** What the fold found out goes onto the span, which ends with the time the hook returned. */
export function endHookSpan(
  core: InvocationCore,
  span: Span,
  invocation: HookInvocation,
  sessionId: string | undefined,
  endTime: number,
): void {
  try {
    if (invocation.error !== undefined) {
      span.setStatus({ code: SpanStatusCode.ERROR, message: cut(invocation.error.message, MAX_REASON_LENGTH) });
    }
    span.setAttributes(describe(invocation, sessionId));
    span.end(toHrTime(endTime));
  } catch (error) {
    noteFailure(core, error);
  }
}

function describe(invocation: HookInvocation, sessionId: string | undefined): SpanAttributes {
  const { turn, pass, notAppliedReason, changedKeys, error, stream } = invocation;
  const { execution, decision, applied } = invocation;
  // One literal for the common case: an object that grows key by key costs more, here and where the SDK reads it.
  const attributes: SpanAttributes =
    turn === undefined
      ? { "agent_hook.execution": execution, "agent_hook.decision": decision, "agent_hook.applied": applied }
      : {
          "agent_hook.execution": execution,
          "agent_hook.decision": decision,
          "agent_hook.applied": applied,
          "session.id": turn.session_id,
          "gen_ai.conversation.id": turn.session_id,
          "agent_turn.id": turn.turn_id,
        };
  if (turn === undefined && sessionId !== undefined) {
    attributes["session.id"] = sessionId;
    attributes["gen_ai.conversation.id"] = sessionId;
  }
  if (pass !== 1) attributes["agent_hook.pass"] = pass;
  if (notAppliedReason !== undefined) attributes["agent_hook.not_applied_reason"] = notAppliedReason;
  if (changedKeys !== undefined) attributes["agent_hook.changed_keys"] = [...changedKeys];
  const reason = invocation.reason ?? error?.message;
  if (reason !== undefined) attributes["agent_hook.reason"] = cut(reason, MAX_REASON_LENGTH);
  if (stream !== undefined) describeStream(attributes, stream);
  if (error !== undefined) attributes["error.type"] = cut(error.type, MAX_REASON_LENGTH);
  return attributes;
}

function describeStream(attributes: SpanAttributes, stream: StreamSummary): void {
  attributes["agent_hook.stream.count"] = stream.count;
  attributes["agent_hook.stream.total_time"] = stream.totalMs / 1000;
  attributes["agent_hook.stream.longest"] = stream.longestMs / 1000;
  attributes["agent_hook.stream.failures"] = stream.failures;
  attributes["agent_hook.stream.dropped"] = stream.dropped;
}

const MAX_REASON_LENGTH = 256;

/** Cuts by whole characters, with a mark. Only ever after redaction. */
export function cut(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const end = /[\uD800-\uDBFF]/.test(text[limit - 2] ?? "") ? limit - 2 : limit - 1;
  return `${text.slice(0, end)}…`;
}

function noteFailure(core: InvocationCore, error: unknown): void {
  const { type, message } = describeError(error);
  const what = core.redactText(`${type}: ${message}`);
  core.log.warn("span", `the span of a hook invocation could not be made: ${what}. Its record was still published.`);
}
