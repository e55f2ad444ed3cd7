import type { Redactor } from "./redactor.ts";

/** What stands where a redactor failed: the original never gets out. */
export const REDACTION_FAILED = "[redaction failed]";

/**
 * For a redactor that somebody else wrote. Never throws and never leaks: when it throws, the result is
 * `[redaction failed]` in place of the whole value.
 */
export function redactSafely<T>(redactor: Redactor, value: T): T | typeof REDACTION_FAILED {
  try {
    return redactor.value(value);
  } catch {
    return REDACTION_FAILED;
  }
}
