import { SPANS, type AttributeKey, type SpanType } from "./attributes.ts";

/** Which row of the table of spans a span is, by the first word of its name; a hook's by its point. */
export function spanTypeOf(span: {
  readonly name: string;
  readonly attributes: { readonly [Key in AttributeKey]?: unknown };
}): SpanType | undefined {
  if (span.attributes["agent_hook.point"] !== undefined) return "hook";
  return TYPES.get(firstWord(span.name));
}

/** Those whose first word is no placeholder. */
const TYPES: ReadonlyMap<string, SpanType> = new Map(
  (Object.keys(SPANS) as SpanType[])
    .map((type) => [firstWord(SPANS[type].name), type] as const)
    .filter(([word]) => !word.startsWith("{")),
);

function firstWord(name: string): string {
  const space = name.indexOf(" ");
  return space < 0 ? name : name.slice(0, space);
}
