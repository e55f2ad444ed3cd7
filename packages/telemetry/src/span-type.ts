import { SPANS, type SpanType } from "@hookscope/hooks";
import type { ReadableSpan } from "@opentelemetry/sdk-trace";

/** Which row of the table of spans a span is, by the beginning of its name; a hook's by its point. */
export function spanTypeOf(span: Pick<ReadableSpan, "name" | "attributes">): SpanType | undefined {
  if (span.attributes["agent_hook.point"] !== undefined) return "hook";
  const space = span.name.indexOf(" ");
  return TYPES.get(space < 0 ? span.name : span.name.slice(0, space));
}

/** The first word of each name that is a word and no placeholder. */
const TYPES: ReadonlyMap<string, SpanType> = new Map(
  Object.entries(SPANS)
    .map(([type, { name }]) => [name.split(" ")[0] ?? name, type as SpanType] as const)
    .filter(([first]) => !first.startsWith("{")),
);
