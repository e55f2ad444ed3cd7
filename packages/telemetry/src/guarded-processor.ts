import type { Context } from "@opentelemetry/api";
import type { ReadableSpan, Span, SpanProcessor } from "@opentelemetry/sdk-trace";

import type { PrepareSpan } from "./prepare-span.ts";
import { messageOf, type Warn } from "./warnings.ts";

/**
 * Somebody else's processor: what it exports is redacted and cut like the rest, and what it throws is not felt where the
 * span was made.
 */
export class GuardedProcessor implements SpanProcessor {
  readonly #inner: SpanProcessor;
  readonly #prepare: PrepareSpan;
  readonly #warn: Warn;
  #hasWarned = false;
  #isPending = false;

  constructor(inner: SpanProcessor, prepare: PrepareSpan, warn: Warn) {
    this.#inner = inner;
    this.#prepare = prepare;
    this.#warn = warn;
  }

  /** Whether it got a span since it was last told to send what it has: it may keep some until then. */
  get isPending(): boolean {
    return this.#isPending;
  }

  onStart(span: Span, parentContext: Context): void {
    this.#guard(() => this.#inner.onStart(span, parentContext));
  }

  onEnding(span: Span): void {
    this.#guard(() => this.#inner.onEnding?.(span));
  }

  onEnd(span: ReadableSpan): void {
    this.#isPending = true;
    this.#guard(() => this.#inner.onEnd(this.#prepare(span)));
  }

  async forceFlush(): Promise<void> {
    this.#isPending = false;
    await this.#inner.forceFlush();
  }

  async shutdown(): Promise<void> {
    this.#isPending = false;
    await this.#inner.shutdown();
  }

  #guard(call: () => void): void {
    try {
      call();
    } catch (error) {
      if (this.#hasWarned) return;
      this.#hasWarned = true;
      this.#warn("TELEMETRY_PROCESSOR_FAILED", `a span processor threw: ${messageOf(error)}`);
    }
  }
}
