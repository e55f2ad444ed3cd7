import type { AttributeKey } from "@hookscope/hooks";

import type { SpanDocument, TurnSummary } from "./documents.ts";

type Field = Exclude<keyof TurnSummary, "turnId" | "traceId" | "spanId" | "startTime" | "endTime">;

/** Which attribute of the turn's span each field is. */
const FIELDS: { readonly [Key in Field]: AttributeKey } = {
  sessionId: "session.id",
  agent: "gen_ai.agent.name",
  outcome: "agent_turn.outcome",
  model: "gen_ai.request.model",
  parentTurnId: "agent_turn.parent_id",
  profile: "agent_turn.profile",
  platform: "agent_turn.platform",
  endedBy: "hookscope.ended_by",
  rounds: "agent_turn.rounds",
  toolCalls: "agent_turn.tool_calls",
  blockedToolCalls: "agent_turn.blocked_tool_calls",
  hookInvocations: "agent_turn.hook_invocations",
  hookFailures: "agent_turn.hook_failures",
  hookTime: "agent_turn.hook_time",
  hookWallTime: "agent_turn.hook_wall_time",
  spansSuppressed: "agent_turn.spans_suppressed",
  costUsd: "agent_turn.cost_usd",
  hasBlock: "agent_turn.has_block",
  hasFailure: "agent_turn.has_failure",
  hasTimeout: "agent_turn.has_timeout",
};

/** The turn a span stands for; undefined for any other span. */
export function toTurnSummary(traceId: string, span: SpanDocument): TurnSummary | undefined {
  const turnId = span.attributes["agent_turn.id" satisfies AttributeKey];
  const operation = span.attributes["gen_ai.operation.name" satisfies AttributeKey];
  if (typeof turnId !== "string" || operation !== "invoke_agent") return undefined;
  const fields = Object.entries(FIELDS)
    .map(([field, key]) => [field, span.attributes[key]] as const)
    .filter(([, value]) => value !== undefined);
  const { spanId, startTime, endTime } = span;
  return { turnId, traceId, spanId, startTime, endTime, ...Object.fromEntries(fields) };
}
