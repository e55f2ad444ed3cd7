import type { Clock, Timer } from "@hookscope/hooks";

/** Calls at once, then at most once per interval; what came in between is told when the interval is over. */
export class Throttle {
  readonly #clock: Clock;
  readonly #everyMs: number;
  #timer: Timer | undefined;
  #waiting: (() => void) | undefined;

  constructor(clock: Clock, everyMs: number) {
    this.#clock = clock;
    this.#everyMs = everyMs;
  }

  push(call: () => void): void {
    if (this.#timer !== undefined) {
      this.#waiting = call;
      return;
    }
    this.#timer = this.#clock.setTimer(this.#next, this.#everyMs);
    call();
  }

  stop(): void {
    this.#timer?.cancel();
    this.#waiting = undefined;
  }

  readonly #next = (): void => {
    const call = this.#waiting;
    this.#timer = undefined;
    this.#waiting = undefined;
    if (call !== undefined) this.push(call);
  };
}
