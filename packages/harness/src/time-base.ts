import type { Clock } from "@hookscope/hooks";

/** How many turns and messages are under way on a clock, of all harnesses that share it. */
const underWay = new WeakMap<Clock, number>();

/**
 * Takes the wall clock's time anew where a turn or a message begins and nothing else is under way on the clock. What is,
 * a subagent's parent for one, keeps the time base it began with: else its spans would end before they began, and its
 * hooks' limits be over at once or never.
 *
 * @returns its end, to be called once
 */
export function enterTimeBase(clock: Clock): () => void {
  const others = underWay.get(clock) ?? 0;
  if (others === 0) clock.anchor?.();
  underWay.set(clock, others + 1);
  return () => void underWay.set(clock, (underWay.get(clock) ?? 1) - 1);
}
