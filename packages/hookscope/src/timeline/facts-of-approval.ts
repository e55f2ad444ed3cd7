import type { ApprovalChoice } from "@hookscope/hooks";

import type { TimelineSpan } from "./document.ts";
import type { Facts } from "./facts-type.ts";
import { splitName, textAttribute } from "./read-span.ts";

type Outcome = Pick<Facts, "mark" | "word" | "tone">;

const CHOICES: { readonly [Choice in ApprovalChoice]: Outcome & { readonly answer: string } } = {
  once: { word: "ALLOWED", tone: "good", answer: "allowed once" },
  session: { word: "ALLOWED", tone: "good", answer: "allowed for the session" },
  always: { word: "ALLOWED", tone: "good", answer: "allowed always" },
  deny: { mark: "blocked", word: "DENIED", tone: "bad", answer: "denied" },
  timeout: { mark: "blocked", word: "NO ANSWER", tone: "bad", answer: "nobody answered in time" },
  cancelled: { mark: "stopped", word: "CANCELLED", tone: "quiet", answer: "the turn was interrupted" },
  unavailable: { mark: "blocked", word: "NOBODY", tone: "bad", answer: "nobody was there to ask" },
};

export function approvalFacts(span: TimelineSpan): Facts {
  const choice = textAttribute(span, "agent_approval.choice");
  const { answer, ...outcome } = (choice === undefined ? undefined : CHOICES[choice as ApprovalChoice]) ?? {
    word: choice ?? "",
    tone: "plain" as const,
    answer: choice ?? "no answer recorded",
  };
  return {
    type: "approval",
    category: "waiting",
    label: splitName(span.name),
    ...outcome,
    // The question stands with the hook that asked.
    details: [answer],
  };
}
