import type { SpanDocument, TurnDocument } from "@hookscope/telemetry";

/** Of a recorded span, what the timeline reads. Times are milliseconds since the epoch. */
export type TimelineSpan = Pick<
  SpanDocument,
  "spanId" | "parentSpanId" | "name" | "startTime" | "endTime" | "attributes" | "status"
>;

/** What the timeline draws: the spans of one trace, in any order. A turn's document is one. */
export interface TimelineDocument extends Pick<TurnDocument, "traceId"> {
  readonly spans: readonly TimelineSpan[];
}

export interface TimelineOptions {
  /** Columns to fill; no line is wider. At least 40 are used. */
  readonly width: number;
  /** ANSI colours on top of the words and marks, which say everything by themselves. */
  readonly colour: boolean;
  /** A hook invocation or a tool call from here on is called slow; milliseconds, default 250. */
  readonly slowMs?: number | undefined;
}
