/** From, to; `to` is not before `from`. */
export type Interval = readonly [from: number, to: number];

/** In order, overlaps joined. */
export function union(intervals: readonly Interval[]): readonly Interval[] {
  const joined: [number, number][] = [];
  for (const [from, to] of intervals.toSorted((left, right) => left[0] - right[0])) {
    const last = joined.at(-1);
    if (last !== undefined && from <= last[1]) last[1] = Math.max(last[1], to);
    else joined.push([from, to]);
  }
  return joined;
}

/** What of `interval` none of `holes` covers. */
export function subtract(interval: Interval, holes: readonly Interval[]): readonly Interval[] {
  const rest: Interval[] = [];
  let [position, end] = interval;
  for (const [from, to] of union(holes)) {
    if (from > position && position < end) rest.push([position, Math.min(from, end)]);
    position = Math.max(position, to);
  }
  if (position < end) rest.push([position, end]);
  return rest;
}

/** The length of all of them together, overlaps counted once. */
export function covered(intervals: readonly Interval[]): number {
  return union(intervals).reduce((sum, [from, to]) => sum + to - from, 0);
}
