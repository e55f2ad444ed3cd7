import type { ReadableSpan } from "@opentelemetry/sdk-trace";

/** Characters of a span's strings: what its size is made of. Not exact below the fourth level of a structured value. */
export function weigh(span: ReadableSpan): number {
  let characters = span.name.length + (span.status.message?.length ?? 0) + weighAll(span.attributes, 0);
  for (const event of span.events) characters += event.name.length + weighAll(event.attributes ?? {}, 0);
  for (const link of span.links) characters += weighAll(link.attributes ?? {}, 0);
  return characters;
}

function weighAll(values: object, depth: number): number {
  let characters = 0;
  for (const [key, value] of Object.entries(values)) characters += key.length + weighOne(value, depth);
  return characters;
}

function weighOne(value: unknown, depth: number): number {
  if (typeof value === "string") return value.length;
  if (value instanceof Uint8Array) return value.length;
  return typeof value === "object" && value !== null && depth < 4 ? weighAll(value, depth + 1) : 8;
}
