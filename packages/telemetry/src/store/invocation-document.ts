import { DECISIONS, EXECUTIONS, type AttributeKey, type HookInvocation } from "@hookscope/hooks";

import type { InvocationDocument, SpanDocument } from "./documents.ts";

/** The invocation a hook's span stands for; undefined for any other span. */
export function toInvocationDocument(span: SpanDocument): InvocationDocument | undefined {
  const text = (key: AttributeKey): string | undefined => ifString(span.attributes[key]);
  const number = (key: AttributeKey): number | undefined => ifNumber(span.attributes[key]);
  const point = text("agent_hook.point");
  const hook = text("agent_hook.name");
  if (point === undefined || hook === undefined) return undefined;

  const notAppliedReason = oneOf(NOT_APPLIED_REASONS, text("agent_hook.not_applied_reason"));
  const changedKeys = ifStrings(span.attributes["agent_hook.changed_keys" satisfies AttributeKey]);
  const reason = text("agent_hook.reason");
  const source = text("agent_hook.source");
  const errorType = text("error.type");
  const streamTime = number("agent_hook.stream.total_time");
  return {
    point,
    hook,
    kind: oneOf(KINDS, text("agent_hook.kind")) ?? "observer",
    index: number("agent_hook.index") ?? 0,
    pass: number("agent_hook.pass") === 2 ? 2 : 1,
    // A span that was ended from outside, in the middle of its call, says neither.
    execution: oneOf(EXECUTIONS, text("agent_hook.execution")) ?? "aborted",
    decision: oneOf(DECISIONS, text("agent_hook.decision")) ?? "none",
    applied: span.attributes["agent_hook.applied" satisfies AttributeKey] === true,
    ...(notAppliedReason === undefined ? {} : { notAppliedReason }),
    ...(reason === undefined ? {} : { reason }),
    ...(changedKeys === undefined ? {} : { changedKeys }),
    failurePolicy: text("agent_hook.failure_policy") === "closed" ? "closed" : "open",
    spanId: span.spanId,
    startTime: span.startTime,
    durationMs: streamTime === undefined ? span.endTime - span.startTime : streamTime * 1000,
    ...(errorType === undefined ? {} : { error: { type: errorType, message: span.status.message ?? "" } }),
    ...(source === undefined ? {} : { source }),
  };
}

const KINDS: readonly HookInvocation["kind"][] = ["directive", "transform", "observer", "mod"];
const NOT_APPLIED_REASONS: readonly NonNullable<HookInvocation["notAppliedReason"]>[] = [
  "superseded",
  "not_accepted",
  "failed_open",
];

function oneOf<T extends string>(candidates: readonly T[], value: string | undefined): T | undefined {
  return candidates.find((candidate) => candidate === value);
}

function ifString(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

function ifNumber(value: unknown): number | undefined {
  return typeof value === "number" ? value : undefined;
}

function ifStrings(value: unknown): readonly string[] | undefined {
  return Array.isArray(value) ? value.map(String) : undefined;
}
