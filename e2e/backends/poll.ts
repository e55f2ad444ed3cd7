import { setTimeout as delay } from "node:timers/promises";

/** What comes at all comes far sooner, on a slow machine too; this only ends what never comes. */
export const PATIENCE_MS = 240_000;

export interface PollOptions {
  /** Give up after this many milliseconds; four minutes unless told. */
  readonly timeoutMs?: number;
  /** Pause between two looks, in milliseconds; 50 unless told. */
  readonly intervalMs?: number;
  /** Called when the time is up; what it returns is thrown. */
  readonly onTimeout: () => Error;
}

/** Looks until `look` returns something other than undefined. An error from `look` ends the wait. */
export async function poll<T>(look: () => Promise<T | undefined>, options: PollOptions): Promise<T> {
  const deadline = performance.now() + (options.timeoutMs ?? PATIENCE_MS);
  for (;;) {
    const seen = await look();
    if (seen !== undefined) return seen;
    if (performance.now() >= deadline) throw options.onTimeout();
    await delay(options.intervalMs ?? 50);
  }
}
