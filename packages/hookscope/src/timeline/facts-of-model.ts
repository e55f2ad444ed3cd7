import type { TimelineSpan } from "./document.ts";
import type { Facts } from "./facts-type.ts";
import { compact, duration } from "./format.ts";
import { errorText, hasFailed, listAttribute, numberAttribute, splitName, textAttribute } from "./read-span.ts";

export function modelFacts(span: TimelineSpan): Facts {
  const failed = hasFailed(span);
  const [what, model] = splitName(span.name);
  return {
    type: "model_call",
    category: "model",
    label: [what, `${model}${labelNote(span)}`],
    mark: failed ? "failed" : undefined,
    word: failed ? "FAILED" : (listAttribute(span, "gen_ai.response.finish_reasons")[0] ?? "unfinished"),
    tone: failed ? "bad" : "quiet",
    details: failed ? [errorText(span)].filter(Boolean) : [],
    extra: failed ? undefined : usageText(span),
  };
}

/** ` #2` for the second try, ` (compaction)`: what is not the usual. */
function labelNote(span: TimelineSpan): string {
  const attempt = numberAttribute(span, "agent_model.attempt") ?? 1;
  const purpose = textAttribute(span, "agent_model.purpose") ?? "turn";
  return `${purpose === "turn" || purpose === "subagent" ? "" : ` (${purpose})`}${attempt > 1 ? ` #${attempt}` : ""}`;
}

function usageText(span: TimelineSpan): string | undefined {
  const input = numberAttribute(span, "gen_ai.usage.input_tokens");
  const output = numberAttribute(span, "gen_ai.usage.output_tokens");
  const cached = numberAttribute(span, "gen_ai.usage.cache_read.input_tokens") ?? 0;
  const first = numberAttribute(span, "gen_ai.response.time_to_first_chunk");
  const parts = [
    ...(input === undefined ? [] : [`${compact(input)} in${cached > 0 ? ` (${compact(cached)} cached)` : ""}`]),
    ...(output === undefined ? [] : [`${compact(output)} out`]),
    ...(first === undefined ? [] : [`first after ${duration(first * 1000)}`]),
  ];
  return parts.length === 0 ? undefined : parts.join(", ");
}
