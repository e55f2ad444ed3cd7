import type { AttributeKey } from "@hookscope/hooks";

import type { TimelineSpan } from "./document.ts";

export function attribute(span: Pick<TimelineSpan, "attributes">, key: AttributeKey): unknown {
  return span.attributes[key];
}

export function textAttribute(span: Pick<TimelineSpan, "attributes">, key: AttributeKey): string | undefined {
  const value = attribute(span, key);
  return typeof value === "string" && value !== "" ? value : undefined;
}

export function numberAttribute(span: Pick<TimelineSpan, "attributes">, key: AttributeKey): number | undefined {
  const value = attribute(span, key);
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}

export function listAttribute(span: Pick<TimelineSpan, "attributes">, key: AttributeKey): readonly string[] {
  const value = attribute(span, key);
  return Array.isArray(value) ? value.filter((item): item is string => typeof item === "string") : [];
}

/** `chat gpt-x` as `chat` and `gpt-x`. */
export function splitName(name: string): readonly [string, string] {
  const space = name.indexOf(" ");
  return space < 0 ? [name, ""] : [name.slice(0, space), name.slice(space + 1)];
}

export function hasFailed(span: TimelineSpan): boolean {
  return span.status.code === "ERROR";
}

/** `Overloaded: try again`, of what there is. */
export function errorText(span: TimelineSpan, message: string | undefined = span.status.message): string {
  const type = textAttribute(span, "error.type");
  return [...new Set([type, message])].filter((part) => part !== undefined && part !== "").join(": ");
}
