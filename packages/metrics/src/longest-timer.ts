/** A longer timer of Node fires at once, and a longer interval without end. */
export const LONGEST_TIMER_MS = 2_147_483_647;
