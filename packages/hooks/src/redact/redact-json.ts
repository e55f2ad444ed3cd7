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
    const isFlagged = typeof item === "string" && isSecretFlag(items[index - 1], rules) && !item.startsWith("-");
    const redacted = isFlagged ? hideWhole(item) : redactJson(item, rules);
    if (Object.is(redacted, item)) continue;
    copy ??= [...items];
    copy[index] = redacted;
  }
  return copy ?? items;
}

/** Arguments of a process, one by one: `["--token", "…"]`. */
function isSecretFlag(item: unknown, rules: Rules): boolean {
  return typeof item === "string" && /^--?[A-Za-z][\w.-]{0,127}$/.test(item) && rules.isSecretKey(item);
}

function redactConverted(original: object, converted: unknown, rules: Rules): unknown {
  if (converted === original) return redactObject(original, rules);
  const redacted = redactJson(converted, rules);
  return redacted === converted ? original : redacted;
}

function redactObject(original: object, rules: Rules): object {
  const entries = Object.entries(original);
  const isLabelled = hasSecretLabel(original, rules);
  const redacted = entries.map(([key, value]: [string, unknown]): readonly [string, unknown] => [
    rules.text(key),
    rules.isSecretKey(key) || (isLabelled && key === "value") ? hideWhole(value) : redactJson(value, rules),
  ]);
  const isSame = redacted.every(
    ([key, value], index) => key === entries[index]?.[0] && Object.is(value, entries[index]?.[1]),
  );
  return isSame ? original : fromEntries(redacted);
}

/** A header or an environment variable as an object: `{ name: "Authorization", value: "…" }`, or with `key`. */
function hasSecretLabel(value: { readonly name?: unknown; readonly key?: unknown }, rules: Rules): boolean {
  return [value.name, value.key].some((label) => typeof label === "string" && rules.isSecretKey(label));
}

function hideWhole(value: unknown): unknown {
  if (value === null || value === undefined || value === "" || typeof value === "boolean") return value;
  return typeof value === "string" && isMarker(value) ? value : markerFor();
}

/** Defines each property, so that a key called `__proto__` stays a key; keys that became equal are numbered, so none is lost. */
function fromEntries(entries: readonly (readonly [string, unknown])[]): object {
  const copy = {};
  const numbers = new Map<string, number>();
  for (const [key, value] of entries) {
    let name = key;
    while (Object.hasOwn(copy, name)) {
      const number = (numbers.get(key) ?? 1) + 1;
      numbers.set(key, number);
      name = `${key} ${number}`;
    }
    Object.defineProperty(copy, name, { value, writable: true, enumerable: true, configurable: true });
  }
  return copy;
}
