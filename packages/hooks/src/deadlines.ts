import type { Clock, Timer } from "./clock.ts";

/** Something that must be done by `deadline`. It sits in at most one list at a time. */
export interface DeadlineEntry {
  deadline: number;
  previous: DeadlineEntry | undefined;
  next: DeadlineEntry | undefined;
  expire(): void;
}

/**
 * All pending calls with one time limit. Equal limits expire in the order the calls started, so a linked list with one
 * timer for its head is exact, and arming costs a few assignments instead of a timer each. The timer keeps the process
 * alive only while a call is pending.
 */
export class Deadlines {
  readonly limitMs: number;
  readonly #clock: Clock;
  #head: DeadlineEntry | undefined;
  #tail: DeadlineEntry | undefined;
  #timer: Timer | undefined;
  /** When the timer fires: never after the head's deadline, perhaps before it. */
  #wakeAt = 0;

  constructor(clock: Clock, limitMs: number) {
    this.#clock = clock;
    this.limitMs = limitMs;
  }

  /** @param startTime when the call started, which may be a while ago: a hook may work before it gives its promise */
  arm(entry: DeadlineEntry, startTime: number): void {
    const wasEmpty = this.#head === undefined;
    entry.deadline = startTime + this.limitMs;
    this.#insert(entry);
    if (this.#timer === undefined) this.#setTimer();
    else if (entry.deadline < this.#wakeAt) {
      this.#timer.cancel();
      this.#setTimer();
    } else if (wasEmpty) this.#timer.ref?.();
  }

  /** For an entry that is in the list: its next call follows the one that settled, and nothing needs a timer in between. */
  rearm(entry: DeadlineEntry, startTime: number): void {
    this.#remove(entry);
    entry.deadline = startTime + this.limitMs;
    this.#insert(entry);
  }

  disarm(entry: DeadlineEntry): void {
    this.#remove(entry);
    if (this.#head === undefined) this.#timer?.unref?.();
  }

  #remove(entry: DeadlineEntry): void {
    if (entry.previous === undefined) this.#head = entry.next;
    else entry.previous.next = entry.next;
    if (entry.next === undefined) this.#tail = entry.previous;
    else entry.next.previous = entry.previous;
    entry.previous = undefined;
    entry.next = undefined;
  }

  /** At the end, but for a call that started before one that became pending first. */
  #insert(entry: DeadlineEntry): void {
    let before = this.#tail;
    while (before !== undefined && before.deadline > entry.deadline) before = before.previous;
    const after = before === undefined ? this.#head : before.next;
    entry.previous = before;
    entry.next = after;
    if (before === undefined) this.#head = entry;
    else before.next = entry;
    if (after === undefined) this.#tail = entry;
    else after.previous = entry;
  }

  #setTimer(): void {
    const { deadline } = this.#head as DeadlineEntry;
    this.#wakeAt = deadline;
    // Rounding, or a clock that went back, must not make it longer than the limit: a platform's timers have a longest delay.
    const delayMs = Math.min(this.limitMs, Math.ceil(deadline - this.#clock.now()));
    this.#timer = this.#clock.setTimer(this.#tick, Math.max(1, delayMs));
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
    if (this.#head !== undefined && this.#timer === undefined) this.#setTimer();
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
