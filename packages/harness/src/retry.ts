import { LONGEST_TIMER_MS } from "@hookscope/hooks/internal";

import { untilAborted } from "./interruption.ts";
import type { TurnScope } from "./scope.ts";

/** Retries that need not be heard of. */
const SILENT_RETRIES = 3;

export interface Failure {
  /** The attempt that failed, from 1. */
  readonly attempt: number;
  readonly error: string;
  /** What the answer asked for. */
  readonly retryAfterMs?: number | undefined;
  /** The attempt's span. */
  readonly spanId?: string | undefined;
}

/**
 * Waits as long as the answer asked for, or else twice as long after each failure. It tells of the wait from the fourth on,
 * and of one that is longer than any of its own.
 *
 * @throws Interruption
 */
export async function waitBeforeRetry(
  scope: TurnScope,
  { attempt, error, retryAfterMs, spanId }: Failure,
): Promise<void> {
  const { silentFirst, maxDelayMs } = scope.setup.retry;
  // A client or a hook may ask for what is no time.
  const asked = Number.isFinite(retryAfterMs) ? retryAfterMs : undefined;
  const delayMs = Math.min(Math.max(0, asked ?? backoff(scope, attempt)), LONGEST_TIMER_MS);
  const isSilent = silentFirst && attempt <= SILENT_RETRIES && delayMs <= maxDelayMs;
  if (!isSilent) scope.emit({ type: "api_retry", attempt, error, delayMs }, spanId);
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = scope.setup.clock.setTimer(resolve, delayMs);
  try {
    await untilAborted(() => promise, scope.signal);
  } finally {
    timer.cancel();
  }
}

/** Between half and all of the doubled wait, so that many agents do not come back at once. */
function backoff(scope: TurnScope, attempt: number): number {
  const { baseDelayMs, maxDelayMs, random } = scope.setup.retry;
  const full = Math.min(maxDelayMs, baseDelayMs * 2 ** (attempt - 1));
  return Math.round(full * (0.5 + random() / 2));
}
