import type { ApprovalAnswer } from "@hookscope/harness";

/** What differs between the demo's turns when it runs in a loop. */
export interface Variation {
  readonly profile: string;
  /** The first model call fails, and is tried again. */
  readonly busyModel: boolean;
  /** The model tries a command that a hook blocks. */
  readonly deletes: boolean;
  /** The model changes the documentation, which a person is asked about. */
  readonly writes: boolean;
  readonly checks: boolean;
  /** The last model call fails for good. */
  readonly modelDown: boolean;
  readonly answer: ApprovalAnswer;
  /** Of the pieces of a stream: 1 is the usual time. */
  readonly pace: number;
}

/** The one turn of `hookscope demo`: it has everything. */
export const EVERYTHING: Variation = {
  profile: "default",
  busyModel: true,
  deletes: true,
  writes: true,
  checks: true,
  modelDown: false,
  answer: "once",
  pace: 1,
};

/** The same seed gives the same turn. */
export function variationOf(seed: number): Variation {
  const random = randomFrom(seed);
  const often = (share: number): boolean => random() < share;
  return {
    profile: often(0.5) ? "default" : often(0.5) ? "nightly" : "review",
    busyModel: often(0.3),
    deletes: often(0.35),
    writes: often(0.6),
    checks: often(0.5),
    modelDown: often(0.05),
    answer: often(0.75) ? "once" : "deny",
    pace: 0.2 + random() * 1.8,
  };
}

/** Numbers from 0 to below 1, spread evenly (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
