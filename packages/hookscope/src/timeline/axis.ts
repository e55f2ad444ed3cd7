import { covered, union, type Interval } from "./intervals.ts";

/** Where a time stands on the turn's axis. */
export interface Axis {
  /** 0 at the start, 1 at the end. */
  position(time: number): number;
  /** Waiting for a person is drawn shorter than it was, so that the rest can be seen. */
  readonly shortened: boolean;
}

/** Waiting for a person may take this share of the axis before it is drawn shorter. */
const LARGEST_WAIT = 0.4;
/** And this share it then gets. */
const SHORTENED_WAIT = 0.25;

export function createAxis([start, end]: Interval, waits: readonly Interval[]): Axis {
  const total = Math.max(end - start, 0);
  const held = union(
    waits.map(([from, to]): Interval => [Math.max(from, start), Math.min(to, end)]).filter(isPositive),
  );
  const waited = covered(held);
  const shortened = waited > total * LARGEST_WAIT && waited < total;
  const factor = shortened ? (SHORTENED_WAIT / (1 - SHORTENED_WAIT)) * ((total - waited) / waited) : 1;
  const length = total - waited + waited * factor;
  return {
    shortened,
    position(time) {
      if (length === 0) return 0;
      const at = Math.min(Math.max(time, start), end);
      const heldBefore = covered(held.map(([from, to]): Interval => [from, Math.min(to, at)]).filter(isPositive));
      return (at - start - heldBefore + heldBefore * factor) / length;
    },
  };
}

function isPositive([from, to]: Interval): boolean {
  return to > from;
}
