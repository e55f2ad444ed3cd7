import type { SpanType } from "@hookscope/hooks";

import type { Tone } from "./paint.ts";

/** Whose time it is. `other` is the loop's own. */
export type Category = "model" | "tool" | "hook" | "waiting" | "other";

/** What stands out at the left edge and is counted below. */
export type Mark = "blocked" | "failed" | "asked" | "changed" | "slow" | "ignored" | "stopped";

/** What a span says to a reader. Texts are as they came; the renderer makes them safe. */
export interface Facts {
  /** undefined: a span of somebody else's. */
  readonly type: SpanType | undefined;
  /** undefined: its parent's. */
  readonly category: Category | undefined;
  /** `execute_tool` and `shell`; where space is short the first is shortened first. */
  readonly label: readonly [what: string, name: string];
  readonly mark?: Mark | undefined;
  /** The outcome, in at most 10 columns; capitals where it stands out. */
  readonly word: string;
  readonly tone: Tone;
  /** Shown on lines of their own where there is no room beside. */
  readonly details: readonly string[];
  /** Milliseconds, where it is not the span's whole length. */
  readonly time?: number | undefined;
  /** It worked beside the turn, which did not wait for it. */
  readonly offPath?: boolean | undefined;
  /** Shown only where there is room beside. */
  readonly extra?: string | undefined;
}
