import { isMarker, markerFor } from "./spans.ts";

interface Rules {
  readonly text: (text: string) => string;
  readonly isSecretKey: (key: string) => boolean;
}

/** The same reference where nothing had to change. */
export function redactJson<T>(value: T, rules: Rules): T;
export function redactJson(value: unknown, rules: Rules): unknown {
  if (typeof value === "string") return rules.text(value);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return redactArray(value, rules);
  if ("toJSON" in value && typeof value.toJSON === "function") return redactConverted(value, value.toJSON(), rules);
  return redactObject(value, rules);
}

function redactArray(items: readonly unknown[], rules: Rules): readonly unknown[] {
  let copy: unknown[] | undefined;
  for (const [index, item] of items.entries()) {
    const redacted = redactJson(item, rules);
    if (redacted === item) continue;
    copy ??= [...items];
    copy[index] = redacted;
  }
  return copy ?? items;
}

function redactConverted(original: object, converted: unknown, rules: Rules): unknown {
  if (converted === original) return redactObject(original, rules);
  const redacted = redactJson(converted, rules);
  return redacted === converted ? original : redacted;
}

function redactObject(original: object, rules: Rules): object {
  const entries = Object.entries(original);
  const redacted = entries.map(([key, value]: [string, unknown]): readonly [string, unknown] => [
    rules.text(key),
    rules.isSecretKey(key) ? hideWhole(value) : redactJson(value, rules),
  ]);
  const isSame = redacted.every(([key, value], index) => key === entries[index]?.[0] && value === entries[index]?.[1]);
  return isSame ? original : fromEntries(redacted);
}

function hideWhole(value: unknown): unknown {
  if (value === null || value === undefined || value === "" || typeof value === "boolean") return value;
  return typeof value === "string" && isMarker(value) ? value : markerFor();
}

/** Defines each property, so that a key called `__proto__` stays a key; keys that became equal are numbered, so none is lost. */
function fromEntries(entries: readonly (readonly [string, unknown])[]): object {
  const copy = {};
  for (const [key, value] of entries) {
    let name = key;
    for (let number = 2; Object.hasOwn(copy, name); number += 1) name = `${key} ${number}`;
    Object.defineProperty(copy, name, { value, writable: true, enumerable: true, configurable: true });
  }
  return copy;
}
