import { setImmediate } from "node:timers/promises";

import type { Clock, Timer } from "@hookscope/hooks";

export interface FakeClockOptions {
  /** Milliseconds since the epoch; the year 2100, so that no SDK takes it for a time since the process started. */
  readonly startTime?: number;
}

/** A clock that stands still until it is told to go on. */
export interface FakeClock extends Clock {
  /**
   * Goes on by so many milliseconds. Timers that fall due run in the order of their times, those of one time in the order
   * they were set, and before each and at the end everything that waits for a promise runs. `advance(0)` does only that.
   */
  advance(ms: number): Promise<void>;
  /** Goes on without running anything, as time does while a hook blocks the thread. What fell due runs at the next `advance`. */
  block(ms: number): void;
  /** Timers that would still fire. */
  readonly pendingTimers: number;
}

export function createFakeClock({ startTime = YEAR_2100 }: FakeClockOptions = {}): FakeClock {
  const pending = new Set<{ readonly at: number; readonly callback: () => void }>();
  let now = startTime;

  function nextDue(until: number): { readonly at: number; readonly callback: () => void } | undefined {
    let next: { readonly at: number; readonly callback: () => void } | undefined;
    for (const timer of pending) if (timer.at <= until && (next === undefined || timer.at < next.at)) next = timer;
    return next;
  }

  return {
    now: () => now,
    setTimer(callback, delayMs): Timer {
      const timer = { at: now + delayMs, callback };
      pending.add(timer);
      return { cancel: () => void pending.delete(timer) };
    },
    block(ms) {
      now += checked(ms);
    },
    async advance(ms) {
      const until = now + checked(ms);
      await setImmediate();
      for (let timer = nextDue(until); timer !== undefined; timer = nextDue(until)) {
        pending.delete(timer);
        now = Math.max(now, timer.at);
        timer.callback();
        await setImmediate();
      }
      now = Math.max(now, until);
    },
    get pendingTimers() {
      return pending.size;
    },
  };
}

function checked(ms: number): number {
  if (ms >= 0) return ms;
  throw new RangeError(`Time goes on by 0 ms or more, not by ${ms}.`);
}

const YEAR_2100 = Date.UTC(2100, 0, 1);
