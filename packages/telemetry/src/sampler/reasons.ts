import type { SpanAttributes, SpanType } from "@hookscope/hooks";
import { spanTypeOf } from "@hookscope/hooks/internal";
import { SpanStatusCode } from "@opentelemetry/api";
import type { ReadableSpan } from "@opentelemetry/sdk-trace";

/**
 * Why a turn is kept. `share`: it is in the share of the rest. `followed`: the end of a session whose last turn was kept.
 * `unfinished`: it was open when everything was flushed, or when telemetry was shut down.
 */
export type KeepReason = (typeof KEEP_REASONS)[number];

export const KEEP_REASONS = ["block", "timeout", "failure", "slow", "cost", "share", "followed", "unfinished"] as const;

/**
 * What in one finished span keeps its turn. A tool that failed and a model call that was tried again are an agent's
 * everyday life: they keep nothing by themselves.
 */
export function reasonIn(span: ReadableSpan, costlyTurnUsd: number): KeepReason | undefined {
  const attributes: SpanAttributes = span.attributes;
  if (
    attributes["agent_hook.decision"] === "block" ||
    attributes["agent_turn.has_block"] === true ||
    STOPPED.has(attributes["agent_tool.outcome"])
  ) {
    return "block";
  }
  const execution = attributes["agent_hook.execution"];
  if (execution === "timeout" || attributes["agent_turn.has_timeout"] === true) return "timeout";
  if (execution === "error" || attributes["agent_turn.has_failure"] === true || hasFailed(span, attributes)) {
    return "failure";
  }
  const cost = attributes["agent_turn.cost_usd"];
  return typeof cost === "number" && cost >= costlyTurnUsd ? "cost" : undefined;
}

const STOPPED: ReadonlySet<unknown> = new Set(["blocked", "denied"]);

/** The spans whose ERROR says that the work as a whole failed. */
const WHOLE: ReadonlySet<SpanType | undefined> = new Set<SpanType>(["message", "turn", "session_end"]);

function hasFailed(span: ReadableSpan, attributes: SpanAttributes): boolean {
  if (attributes["agent_message.outcome"] === "failed") return true;
  return span.status.code === SpanStatusCode.ERROR && WHOLE.has(spanTypeOf(span));
}
