/** A pending callback. `ref` and `unref` decide whether it keeps the process alive, where the platform knows that. */
export interface Timer {
  cancel(): void;
  ref?(): void;
  unref?(): void;
}

/** Time as a parameter, so that a 60 s rule is tested in microseconds. */
export interface Clock {
  /** Milliseconds since the epoch, with fractions; never goes back within a turn. */
  now(): number;
  /** Takes the wall clock's time again. The loop calls it where a turn starts and no other is under way, so that one turn has one time base. */
  anchor?(): void;
  /** A delay of more than 24 days (2^31 - 1 ms) counts as that. */
  setTimer(callback: () => void, delayMs: number): Timer;
}

/** The machine's clock: monotonic differences on a wall-clock anchor. */
export function createSystemClock(): Clock {
  // The global is an accessor, which costs as much as a fifth of a reading.
  const { performance } = globalThis;
  let offset = Date.now() - performance.now();
  return {
    now: () => offset + performance.now(),
    anchor() {
      const drift = Date.now() - performance.now() - offset;
      if (drift > REANCHOR_AFTER_MS || drift < -REANCHOR_AFTER_MS) offset += drift;
    },
    setTimer(callback, delayMs) {
      const handle: unknown = setTimeout(callback, Math.min(delayMs, LONGEST_TIMER_MS));
      return hasReferences(handle)
        ? { cancel: () => clearTimeout(handle as never), ref: () => handle.ref(), unref: () => handle.unref() }
        : { cancel: () => clearTimeout(handle as never) };
    },
  };
}

/** The longest delay a timer of the platform takes; it would fire at once for a longer one. */
export const LONGEST_TIMER_MS = 2_147_483_647;

/** A sleeping machine or a set clock moves the wall clock by more than this; ordinary drift does not. */
const REANCHOR_AFTER_MS = 1_000;

interface References {
  ref(): void;
  unref(): void;
}

function hasReferences(handle: unknown): handle is References {
  return typeof handle === "object" && handle !== null && "ref" in handle && "unref" in handle;
}
