import type { Clock, SpanAttributes } from "@hookscope/hooks";
import { toHrTime } from "@hookscope/hooks/internal";
import { SpanStatusCode, type Context } from "@opentelemetry/api";
import type { ReadableSpan, Span, SpanProcessor } from "@opentelemetry/sdk-trace";

import { isSelfCheck } from "./self-check.ts";

/** What ended a span that could not end by itself: the value of `hookscope.ended_by`. */
export type EndedBy = "signal" | "uncaught" | "exit";

/** The spans that have started and not ended, so that a process that stops can end them with the real reason. */
export class OpenSpans implements SpanProcessor {
  readonly #clock: Clock;
  readonly #limit: number;
  readonly #open = new Set<ReadableSpan & Span>();

  /** @param limit spans followed at most; what starts beyond it is not ended by `endAll` */
  constructor(clock: Clock, limit: number) {
    this.#clock = clock;
    this.#limit = limit;
  }

  get size(): number {
    return this.#open.size;
  }

  onStart(span: Span, parentContext: Context): void {
    if (this.#open.size < this.#limit && !isSelfCheck(parentContext)) this.#open.add(span);
  }

  onEnd(span: ReadableSpan): void {
    this.#open.delete(span as ReadableSpan & Span);
  }

  /** The latest first: a child started after its parent, so the root ends last. */
  endAll(endedBy: EndedBy, message: string): void {
    const attributes: SpanAttributes = { "hookscope.ended_by": endedBy };
    const now = toHrTime(this.#clock.now());
    for (const span of [...this.#open].toReversed()) {
      span.setAttributes(attributes);
      span.setStatus({ code: SpanStatusCode.ERROR, message });
      span.end(now);
    }
    this.#open.clear();
  }

  forceFlush(): Promise<void> {
    return Promise.resolve();
  }

  shutdown(): Promise<void> {
    return Promise.resolve();
  }
}
