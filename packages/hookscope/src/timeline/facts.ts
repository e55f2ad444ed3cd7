import { spanTypeOf } from "@hookscope/hooks/internal";

import { approvalFacts } from "./facts-of-approval.ts";
import { hookFacts } from "./facts-of-hook.ts";
import { modelFacts } from "./facts-of-model.ts";
import { toolFacts } from "./facts-of-tool.ts";
import { turnFacts } from "./facts-of-turn.ts";
import type { Facts } from "./facts-type.ts";
import type { TimelineSpan } from "./document.ts";
import { compact } from "./format.ts";
import { errorText, hasFailed, numberAttribute, splitName, textAttribute } from "./read-span.ts";

/** @param children the spans right under it */
export function factsOf(span: TimelineSpan, children: readonly TimelineSpan[], slowMs: number): Facts {
  const type = spanTypeOf(span);
  switch (type) {
    case "hook":
      return hookFacts(span, slowMs);
    case "model_call":
      return modelFacts(span);
    case "tool_call":
      return toolFacts(span, children);
    case "approval":
      return approvalFacts(span);
    case "turn":
      return turnFacts(span);
    case "message":
    case "compaction":
    case "session_end":
    case undefined:
      return plainFacts(span, type);
  }
}

/** A message, a compaction, a session's end, or a span of somebody else's. */
function plainFacts(span: TimelineSpan, type: "message" | "compaction" | "session_end" | undefined): Facts {
  const failed = hasFailed(span);
  return {
    type,
    category: type === undefined ? undefined : "other",
    label: splitName(span.name),
    mark: failed ? "failed" : undefined,
    word: failed ? "FAILED" : (textAttribute(span, "agent_message.outcome") ?? ""),
    tone: failed ? "bad" : "quiet",
    details: failed ? [errorText(span)] : [],
    extra: compactionText(span),
  };
}

function compactionText(span: TimelineSpan): string | undefined {
  const before = numberAttribute(span, "agent_compaction.tokens_before");
  const after = numberAttribute(span, "agent_compaction.tokens_after");
  return before === undefined || after === undefined ? undefined : `${compact(before)} to ${compact(after)} tokens`;
}
