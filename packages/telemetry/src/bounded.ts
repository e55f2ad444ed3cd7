import type { Clock } from "@hookscope/hooks";
import { LONGEST_TIMER_MS } from "@hookscope/hooks/internal";

/**
 * Waits for `work`, at most `timeoutMs`. Never rejects: work that fails is over. The timer keeps the process alive, so
 * that the wait is not cut short by an empty event loop.
 */
export function withinTime(clock: Clock, timeoutMs: number, work: Promise<unknown>): Promise<"done" | "timeout"> {
  return new Promise((resolve) => {
    const timer = clock.setTimer(() => resolve("timeout"), Math.min(timeoutMs, LONGEST_TIMER_MS));
    const finish = (): void => {
      timer.cancel();
      resolve("done");
    };
    work.then(finish, finish);
  });
}
