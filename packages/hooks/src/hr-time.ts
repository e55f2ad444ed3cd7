import type { HrTime } from "@opentelemetry/api";

/**
 * Milliseconds since the epoch as seconds and nanoseconds. A number alone would be ambiguous: an SDK takes one that is
 * less than the age of the process for a time since the process started, and reads its own clock to find out.
 */
export function toHrTime(milliseconds: number): HrTime {
  const nanoseconds = Math.round((milliseconds % 1_000) * 1e6);
  const seconds = Math.trunc(milliseconds / 1_000);
  return nanoseconds < 1e9 ? [seconds, nanoseconds] : [seconds + 1, 0];
}
