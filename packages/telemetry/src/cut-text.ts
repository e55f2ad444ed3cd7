import { isRecord } from "./is-record.ts";

/** Every string of an attribute value, changed; the very same value where nothing changed. */
export function mapStrings(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === "string") return change(value);
  if (typeof value !== "object" || value === null || value instanceof Uint8Array) return value;
  if (Array.isArray(value)) {
    const items: readonly unknown[] = value;
    const changed = items.map((item) => mapStrings(item, change));
    return changed.every((item, index) => item === items[index]) ? items : changed;
  }
  const entries = Object.entries(value);
  const changed = entries.map(([key, item]: [string, unknown]) => [key, mapStrings(item, change)] as const);
  return changed.every(([, item], index) => item === entries[index]?.[1]) ? value : Object.fromEntries(changed);
}

/**
 * Cuts every string of a redacted value. Lengths in the markers are the original's: where both have the same shape, the
 * original stands in the same place.
 */
export function cutStrings(redacted: unknown, original: unknown, limit: number, window: number): unknown {
  if (typeof redacted === "string") return cutOne(redacted, original, limit, window);
  if (redacted instanceof Uint8Array) return redacted.length <= limit ? redacted : redacted.slice(0, limit);
  if (Array.isArray(redacted)) {
    const originals: readonly unknown[] = Array.isArray(original) ? original : [];
    return redacted.map((item: unknown, index) => cutStrings(item, originals[index], limit, window));
  }
  if (!isRecord(redacted)) return redacted;
  const originals = isRecord(original) ? original : {};
  return Object.fromEntries(
    Object.entries(redacted).map(([key, item]) => [key, cutStrings(item, originals[key], limit, window)]),
  );
}

function cutOne(redacted: string, original: unknown, limit: number, window: number): string {
  const originalLength = typeof original === "string" ? original.length : redacted.length;
  if (redacted.length > limit) return cutText(redacted, limit, originalLength);
  if (originalLength <= limit + window) return redacted;
  // Only the head of it was looked at. What stands last there may be half a secret, which has no shape: it goes too.
  return cutText(redacted.slice(0, Math.max(0, redacted.length - limit)), limit, originalLength);
}

/** Ends a text at the limit with a marker that gives the original length. */
function cutText(text: string, limit: number, originalLength: number): string {
  const marker = `… [cut, ${originalLength} characters]`;
  const end = Math.max(0, Math.min(text.length, limit - marker.length));
  const splitsPair = /[\uD800-\uDBFF]/.test(text.charAt(end - 1));
  return text.slice(0, splitsPair ? end - 1 : end) + marker;
}
