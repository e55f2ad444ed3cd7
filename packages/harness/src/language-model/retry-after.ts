/**
 * How long the provider asks to wait, in ms: `retry-after-ms` (milliseconds), else `retry-after` (seconds, or a date as in
 * RFC 9110 section 10.2.3). A date that has passed is 0; what is neither is nothing.
 */
export function retryAfterMs(headers: unknown, now: () => number): number | undefined {
  if (typeof headers !== "object" || headers === null) return undefined;
  const named = new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value).trim()]));
  const milliseconds = toNumber(named.get("retry-after-ms"));
  if (milliseconds !== undefined) return Math.round(milliseconds);
  const value = named.get("retry-after");
  const seconds = toNumber(value);
  if (seconds !== undefined) return Math.round(seconds * 1_000);
  const date = value !== undefined && HTTP_DATE.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, Math.round(date - now()));
}

/** A date of HTTP begins with the day's name; `Date.parse` alone makes a date of nearly anything. */
const HTTP_DATE = /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)/;

function toNumber(value: string | undefined): number | undefined {
  return value !== undefined && /^\d+(\.\d+)?$/.test(value) ? Number(value) : undefined;
}
