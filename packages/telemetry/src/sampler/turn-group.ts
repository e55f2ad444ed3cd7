import { hrTimeToMilliseconds } from "@opentelemetry/core";
import type { ReadableSpan } from "@opentelemetry/sdk-trace";

import type { KeepReason } from "./reasons.ts";

/**
 * The spans one decision is about: a turn with its subagents and everything made under it, and the message above it. Its
 * root is the first of them to start; when the root ends, what is undecided is decided.
 */
export class TurnGroup {
  readonly root: ReadableSpan;
  /** Milliseconds since the epoch. */
  readonly startTime: number;
  /** The topmost turn, where there is one. */
  turn: ReadableSpan | undefined = undefined;
  decision: "open" | "kept" | "sampled_out" = "open";
  reason: KeepReason | undefined = undefined;
  held: ReadableSpan[] = [];
  bytes = 0;
  /** Spans thrown away for want of room. */
  lost = 0;

  constructor(root: ReadableSpan) {
    this.root = root;
    this.startTime = hrTimeToMilliseconds(root.startTime);
  }
}
