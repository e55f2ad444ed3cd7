import type { ApprovalChoice } from "@hookscope/hooks";

import type { TimelineSpan } from "./document.ts";
import type { Facts } from "./facts-type.ts";
import { splitName, textAttribute } from "./read-span.ts";

type Outcome = Pick<Facts, "mark" | "word" | "tone">;

interface Answer extends Outcome {
  readonly answer: string;
  /** Why the call did not run, for its own line; undefined: it ran. */
  readonly refusal?: string;
}

const CHOICES: { readonly [Choice in ApprovalChoice]: Answer } = {
  once: { word: "ALLOWED", tone: "good", answer: "allowed once" },
  session: { word: "ALLOWED", tone: "good", answer: "allowed for the session" },
  always: { word: "ALLOWED", tone: "good", answer: "allowed always" },
  deny: { mark: "blocked", word: "DENIED", tone: "bad", answer: "denied", refusal: "by a person" },
  timeout: {
    mark: "blocked",
    word: "NO ANSWER",
    tone: "bad",
    answer: "nobody answered in time",
    refusal: "nobody answered in time",
  },
  cancelled: {
    mark: "stopped",
    word: "CANCELLED",
    tone: "quiet",
    answer: "the turn was interrupted",
    refusal: "the turn was interrupted",
  },
  unavailable: {
    mark: "blocked",
    word: "NOBODY",
    tone: "bad",
    answer: "nobody was there to ask",
    refusal: "nobody was there to ask",
  },
};

export function approvalFacts(span: TimelineSpan): Facts {
  const { answer, mark, word, tone } = answerOf(span);
  return {
    type: "approval",
    category: "waiting",
    label: splitName(span.name),
    mark,
    word,
    tone,
    // The question stands with the hook that asked.
    details: [answer],
  };
}

/** Why a call did not run that was asked about, from the approvals under its span. */
export function refusalText(children: readonly TimelineSpan[]): string | undefined {
  return children.map((child) => answerOf(child).refusal).findLast((refusal) => refusal !== undefined);
}

function answerOf(span: TimelineSpan): Answer {
  const choice = textAttribute(span, "agent_approval.choice");
  if (choice === undefined) return { word: "", tone: "plain", answer: "no answer recorded" };
  return CHOICES[choice as ApprovalChoice] ?? { word: choice, tone: "plain", answer: choice };
}
