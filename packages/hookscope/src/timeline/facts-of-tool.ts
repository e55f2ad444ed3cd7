import type { ToolCallCause } from "@hookscope/hooks";

import type { TimelineSpan } from "./document.ts";
import { refusalText } from "./facts-of-approval.ts";
import type { Facts } from "./facts-type.ts";
import { duration } from "./format.ts";
import { errorText, hasFailed, numberAttribute, splitName, textAttribute } from "./read-span.ts";

type Outcome = Pick<Facts, "mark" | "word" | "tone">;

const OUTCOMES: Readonly<Record<string, Outcome>> = {
  completed: { word: "ok", tone: "good" },
  failed: { mark: "failed", word: "FAILED", tone: "bad" },
  blocked: { mark: "blocked", word: "BLOCKED", tone: "bad" },
  denied: { mark: "blocked", word: "DENIED", tone: "bad" },
  cancelled: { mark: "stopped", word: "CANCELLED", tone: "quiet" },
};

export function toolFacts(span: TimelineSpan, children: readonly TimelineSpan[]): Facts {
  const given = textAttribute(span, "agent_tool.outcome") ?? (hasFailed(span) ? "failed" : "completed");
  const outcome = OUTCOMES[given] ?? { word: given, tone: "plain" };
  return {
    type: "tool_call",
    category: "tool",
    label: splitName(span.name),
    ...outcome,
    details: [given === "failed" ? failureText(span) : stopText(span, children)].filter(Boolean),
    extra: timesText(span),
  };
}

/** Calls that never came to their tool have no message of it: what they failed with is the model's to mend. */
function failureText(span: TimelineSpan): string {
  return NEVER_RUN[textAttribute(span, "error.type") ?? ""] ?? errorText(span);
}

const NEVER_RUN: Readonly<Record<string, string>> = {
  unknown_tool: "there is no such tool",
  invalid_input: "its input does not fit the tool's schema",
};

/** Who stopped it, or what: `by danger_guard`, `nobody answered in time`. */
function stopText(span: TimelineSpan, children: readonly TimelineSpan[]): string {
  const by = textAttribute(span, "agent_tool.blocked_by");
  const cause = textAttribute(span, "agent_tool.cause") as ToolCallCause | undefined;
  const reason = textAttribute(span, "agent_tool.block_reason");
  switch (cause) {
    // The reason stands with the hook.
    case "policy":
      return by === undefined ? "by a hook" : `by ${by}`;
    case "failure":
      return `by ${by ?? "a hook"}, which failed`;
    case "person":
      return refusalText(children) ?? reason ?? "not allowed by a person";
    case "interrupt":
      return "the turn was interrupted";
    case "permission":
      if (by === undefined && reason === undefined) return "another call of the round was not permitted";
      return withReason(by ?? "permissions", reason);
    case "mod":
    case undefined:
      return by === undefined ? (reason ?? "") : withReason(by, reason);
  }
}

function withReason(by: string, reason: string | undefined): string {
  return reason === undefined ? `by ${by}` : `by ${by}: ${reason}`;
}

function timesText(span: TimelineSpan): string | undefined {
  const parts = (
    [
      ["hooks", "agent_tool.hook_wait"],
      ["person", "agent_tool.approval_wait"],
      ["tool", "agent_tool.execution_time"],
    ] as const
  ).flatMap(([who, key]) => {
    const seconds = numberAttribute(span, key) ?? 0;
    return seconds > 0 ? [`${who} ${duration(seconds * 1000)}`] : [];
  });
  return parts.length < 2 ? undefined : parts.join(", ");
}
