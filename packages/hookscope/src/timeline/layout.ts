/** Columns of each part of a row: mark, label, bar, time, outcome, and what is left for remarks beside them. */
export interface Layout {
  readonly width: number;
  readonly label: number;
  readonly bar: number;
  readonly time: number;
  readonly outcome: number;
  /** 0 where there is no room; remarks then stand on lines of their own. */
  readonly remark: number;
}

const NARROWEST = 40;
const TIME = 7;
const OUTCOME = 10;
/** The mark and the space after it, and one space between the other parts. */
const FIXED = 2 + 1 + 1 + TIME + 1 + OUTCOME;

/** @param longestLabel columns the longest label would like */
export function createLayout(width: number, longestLabel: number): Layout {
  const whole = Math.max(NARROWEST, Math.floor(width));
  const shared = whole - FIXED;
  const label = Math.min(Math.max(longestLabel, 12), Math.floor(shared * 0.65));
  const rest = shared - label;
  const bar = rest >= 78 ? Math.min(60, Math.floor(rest * 0.5)) : rest;
  const remark = rest > bar ? rest - bar - 1 : 0;
  return { width: whole, label, bar, time: TIME, outcome: OUTCOME, remark };
}
