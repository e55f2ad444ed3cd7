import type { TimelineSpan } from "./document.ts";
import type { Facts } from "./facts-type.ts";
import { count } from "./format.ts";
import { errorText, hasFailed, numberAttribute, splitName, textAttribute } from "./read-span.ts";

type Outcome = Pick<Facts, "mark" | "word" | "tone">;

/** By stop reason; what is not here went as it should. */
const OUTCOMES: Readonly<Record<string, Outcome>> = {
  error: { mark: "failed", word: "FAILED", tone: "bad" },
  interrupted: { mark: "stopped", word: "STOPPED", tone: "warning" },
  max_turns: { mark: "stopped", word: "max_turns", tone: "warning" },
  permission_denied: { mark: "blocked", word: "DENIED", tone: "bad" },
};

export function turnFacts(span: TimelineSpan): Facts {
  const reason = textAttribute(span, "agent_turn.outcome") ?? (hasFailed(span) ? "error" : "");
  const suppressed = numberAttribute(span, "agent_turn.spans_suppressed") ?? 0;
  return {
    type: "turn",
    category: "other",
    label: splitName(span.name),
    ...(OUTCOMES[reason] ?? { word: reason, tone: "quiet" }),
    details: [
      ...(reason === "error" ? [errorText(span)].filter(Boolean) : []),
      ...(suppressed === 0
        ? []
        : [`${count(suppressed, "plain observer invocation")} not shown: past the turn's limit of spans`]),
    ],
  };
}
