import type { TimelineSpan } from "./document.ts";
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

export function toolFacts(span: TimelineSpan): Facts {
  const given = textAttribute(span, "agent_tool.outcome") ?? (hasFailed(span) ? "failed" : "completed");
  const outcome = OUTCOMES[given] ?? { word: given, tone: "plain" };
  return {
    type: "tool_call",
    category: "tool",
    label: splitName(span.name),
    ...outcome,
    details: [given === "failed" ? errorText(span) : stopText(span)].filter(Boolean),
    extra: timesText(span),
  };
}

/** `by danger_guard`; its reason stands with the hook. `by a person`. */
function stopText(span: TimelineSpan): string {
  const by = textAttribute(span, "agent_tool.blocked_by");
  const cause = textAttribute(span, "agent_tool.cause");
  if (by === undefined && cause === undefined) return "";
  const whom = cause === "person" ? "a person" : (by ?? cause);
  const failure = cause === "failure" ? ", which failed" : "";
  const ofHook = cause === "policy" || cause === "failure";
  const reason = ofHook ? undefined : textAttribute(span, "agent_tool.block_reason");
  return `by ${whom}${failure}${reason === undefined ? "" : `: ${reason}`}`;
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
