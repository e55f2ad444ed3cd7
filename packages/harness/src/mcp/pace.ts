import type { Clock, Timer } from "@hookscope/hooks";

/**
 * Runs work as often as it is asked for, within measure: at once, and again no earlier than an interval after it ended.
 * Asked for any number of times meanwhile, it runs once more. Nothing runs before `begin`, nor after `stop`.
 */
export class Pace {
  /** Must not reject. */
  readonly #work: () => Promise<void>;
  readonly #intervalMs: number;
  readonly #clock: Pick<Clock, "setTimer">;
  #isHeld = true;
  #isWanted = false;
  #timer: Timer | undefined;
  #isStopped = false;

  constructor(work: () => Promise<void>, intervalMs: number, clock: Pick<Clock, "setTimer">) {
    this.#work = work;
    this.#intervalMs = intervalMs;
    this.#clock = clock;
  }

  get isStopped(): boolean {
    return this.#isStopped;
  }

  begin(): void {
    this.#isHeld = false;
    if (this.#isWanted) this.request();
  }

  request(): void {
    this.#isWanted = !this.#isStopped;
    if (!this.#isWanted || this.#isHeld) return;
    this.#isHeld = true;
    this.#isWanted = false;
    void this.#work().then(() => {
      if (this.#isStopped) return;
      this.#timer = this.#clock.setTimer(() => this.begin(), this.#intervalMs);
      this.#timer.unref?.();
    });
  }

  stop(): void {
    this.#isStopped = true;
    this.#isWanted = false;
    this.#timer?.cancel();
  }
}
