/** One recorded span, as the timeline reads it. Times are milliseconds since the epoch. */
export interface TimelineSpan {
  readonly spanId: string;
  /** Absent at a trace's root; may name a span that is not in the document. */
  readonly parentSpanId?: string | null | undefined;
  readonly name: string;
  readonly startTime: number;
  readonly endTime: number;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly status?: { readonly code: string | number; readonly message?: string | undefined } | undefined;
}

/** What the timeline draws: the spans of one trace, in any order. */
export interface TimelineDocument {
  readonly traceId: string;
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
