import type { Clock, Timer } from "./clock.ts";

/** Something that must be done by `deadline`. It sits in at most one list at a time. */
export interface DeadlineEntry {
  deadline: number;
  previous: DeadlineEntry | undefined;
  next: DeadlineEntry | undefined;
  expire(): void;
}

/**
 * All pending calls with one time limit. Equal limits expire in the order they were armed, so a linked list with one
 * timer for its head is exact, and arming costs two assignments instead of a timer each. The timer keeps the process
 * alive only while a call is pending.
 */
export class Deadlines {
  readonly limitMs: number;
  readonly #clock: Clock;
  #head: DeadlineEntry | undefined;
  #tail: DeadlineEntry | undefined;
  #timer: Timer | undefined;

  constructor(clock: Clock, limitMs: number) {
    this.#clock = clock;
    this.limitMs = limitMs;
  }

  /** @param now the time the call started, read already by the caller */
  arm(entry: DeadlineEntry, now: number): void {
    entry.deadline = now + this.limitMs;
    entry.next = undefined;
    entry.previous = this.#tail;
    if (this.#tail === undefined) {
      this.#head = entry;
      if (this.#timer === undefined) this.#timer = this.#clock.setTimer(this.#tick, this.limitMs);
      else this.#timer.ref?.();
    } else {
      this.#tail.next = entry;
    }
    this.#tail = entry;
  }

  disarm(entry: DeadlineEntry): void {
    if (entry.previous === undefined) this.#head = entry.next;
    else entry.previous.next = entry.next;
    if (entry.next === undefined) this.#tail = entry.previous;
    else entry.next.previous = entry.previous;
    entry.previous = undefined;
    entry.next = undefined;
    if (this.#head === undefined) this.#timer?.unref?.();
  }

  /** The timer is left running when the list empties and is set anew only here: most calls settle long before it. */
  readonly #tick = (): void => {
    this.#timer = undefined;
    const now = this.#clock.now();
    while (this.#head !== undefined && this.#head.deadline <= now) {
      const expired = this.#head;
      this.disarm(expired);
      expired.expire();
    }
    if (this.#head !== undefined && this.#timer === undefined) {
      this.#timer = this.#clock.setTimer(this.#tick, Math.max(1, Math.ceil(this.#head.deadline - now)));
    }
  };
}

/** One list per time limit in use. */
export class DeadlineTable {
  readonly #clock: Clock;
  readonly #lists = new Map<number, Deadlines>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  for(limitMs: number): Deadlines {
    let deadlines = this.#lists.get(limitMs);
    if (deadlines === undefined) {
      deadlines = new Deadlines(this.#clock, limitMs);
      this.#lists.set(limitMs, deadlines);
    }
    return deadlines;
  }
}
