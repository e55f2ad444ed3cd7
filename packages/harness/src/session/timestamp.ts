/** Milliseconds since the epoch, within what a Date can say. */
export function isTimestamp(value: unknown): value is number {
  return typeof value === "number" && Math.abs(value) <= MAX_DATE;
}

const MAX_DATE = 8.64e15;
