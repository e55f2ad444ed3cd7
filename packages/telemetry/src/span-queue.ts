import type { Clock, Timer } from "@hookscope/hooks";
import { LONGEST_TIMER_MS } from "@hookscope/hooks/internal";
import { context, ROOT_CONTEXT, TraceFlags } from "@opentelemetry/api";
import { ExportResultCode, suppressTracing } from "@opentelemetry/core";
import type { ReadableSpan, SpanExporter, SpanProcessor } from "@opentelemetry/sdk-trace";

import type { DropCounter } from "./drops.ts";
import type { DeliveryResult, Rejection } from "./otlp-exporter.ts";
import type { PrepareSpan } from "./prepare-span.ts";
import { messageOf } from "./warnings.ts";
import { weigh } from "./weigh.ts";

export interface QueueSettings {
  /** Spans waiting and being sent, at most. */
  readonly maxQueueSize: number;
  /** Characters of the waiting spans' strings, at most: many long values fill the queue before the count does. */
  readonly maxQueueCharacters: number;
  /** Spans of one request. Each request serialises its spans in one go, so smaller ones keep the event loop free. */
  readonly maxBatchSize: number;
  /** How long a span waits for others, in milliseconds. */
  readonly scheduledDelayMs: number;
  /** An exporter that has not answered after this many milliseconds has failed. */
  readonly exportTimeoutMs: number;
}

/**
 * A bounded queue in front of an exporter. The batch processor of the SDK drops silently, and sends everything at once
 * when it is flushed; here every span that does not arrive is counted under its reason, and one batch is on its way at
 * a time. A backend that refuses one gets the next a while later: what waits may arrive after all. Nothing is prepared or
 * sent inside the call that ends a span.
 */
export class SpanQueue implements SpanProcessor {
  readonly drops: DropCounter;
  readonly #exporter: SpanExporter;
  readonly #prepare: PrepareSpan;
  readonly #settings: QueueSettings;
  readonly #clock: Clock;
  #waiting: ReadableSpan[] = [];
  #characters = 0;
  #sending = 0;
  #exported = 0;
  /** Batches refused since the last one that arrived. */
  #refused = 0;
  /** Spans taken, and spans whose fate is known: a flush waits until the second reaches the first. */
  #accepted = 0;
  #settled = 0;
  #flushes: { readonly until: number; readonly resolve: () => void }[] = [];
  #timer: Timer | undefined;
  #pumpScheduled = false;
  #state: "open" | "closing" | "abandoned" = "open";

  constructor(exporter: SpanExporter, prepare: PrepareSpan, drops: DropCounter, settings: QueueSettings, clock: Clock) {
    this.#exporter = exporter;
    this.#prepare = prepare;
    this.drops = drops;
    this.#settings = settings;
    this.#clock = clock;
  }

  /** Spans waiting and being sent. */
  get size(): number {
    return this.#waiting.length + this.#sending;
  }

  /** Spans the exporter said it delivered. */
  get exported(): number {
    return this.#exported;
  }

  onStart(): void {}

  onEnd(span: ReadableSpan): void {
    if ((span.spanContext().traceFlags & TraceFlags.SAMPLED) === 0) return;
    if (this.#state !== "open") return this.drops.add("after_shutdown", 1);
    const characters = weigh(span);
    const hasRoom =
      this.size < this.#settings.maxQueueSize && this.#characters + characters <= this.#settings.maxQueueCharacters;
    if (!hasRoom) return this.drops.add("queue_full", 1);
    this.#waiting.push(span);
    this.#characters += characters;
    this.#accepted += 1;
    this.#schedule();
  }

  /** Resolves when every span taken so far has arrived or is counted as lost. Not bounded in time. */
  forceFlush(): Promise<void> {
    const until = this.#accepted;
    if (this.#settled >= until) return Promise.resolve();
    return new Promise((resolve) => {
      this.#flushes.push({ until, resolve });
      this.#schedule();
    });
  }

  async shutdown(): Promise<void> {
    this.close();
    await this.forceFlush();
    await this.#exporter.shutdown();
  }

  /** From here on no span is taken. */
  close(): void {
    if (this.#state === "open") this.#state = "closing";
  }

  /** Gives up what has not arrived: counted, and whatever the exporter still says about it does not count any more. */
  abandon(): void {
    this.#state = "abandoned";
    this.#timer?.cancel();
    this.drops.add("shutdown_timeout", this.size);
    this.#waiting = [];
    this.#settle(this.#accepted - this.#settled);
    this.#sending = 0;
    this.drops.conclude();
  }

  /** For the last moment of a process, and exporters that answer at once: sends all that waits before it returns. */
  drainNow(): void {
    while (this.#waiting.length > 0 && this.#sending === 0) this.#pump();
  }

  #schedule(): void {
    if (this.#waiting.length === 0 || this.#sending > 0 || this.#pumpScheduled) return;
    const isFull = this.#waiting.length >= this.#settings.maxBatchSize;
    if (this.#flushes.length > 0 || (isFull && this.#refused === 0)) {
      this.#pumpScheduled = true;
      setImmediate(() => {
        this.#pumpScheduled = false;
        this.#pump();
      });
      return;
    }
    if (this.#timer !== undefined) return;
    const delayMs = this.#settings.scheduledDelayMs * 2 ** Math.min(this.#refused, MOST_DOUBLINGS);
    this.#timer = this.#clock.setTimer(() => this.#pump(), Math.min(delayMs, LONGEST_TIMER_MS));
    this.#timer.unref?.();
  }

  #pump(): void {
    if (this.#sending > 0) return;
    this.#timer?.cancel();
    this.#timer = undefined;
    const batch = this.#waiting.splice(0, this.#settings.maxBatchSize);
    if (batch.length === 0) return;
    this.#characters = this.#waiting.length === 0 ? 0 : this.#characters - sum(batch.map(weigh));
    this.#sending = batch.length;
    this.#send(this.#prepareAll(batch), () => {
      this.#sending = 0;
      this.#schedule();
    });
  }

  #prepareAll(batch: readonly ReadableSpan[]): ReadableSpan[] {
    const prepared: ReadableSpan[] = [];
    for (const span of batch) {
      try {
        prepared.push(this.#prepare(span));
      } catch (error) {
        this.#lose("serialisation_failed", 1, messageOf(error));
      }
    }
    return prepared;
  }

  /** An exporter that throws could not serialise: halves find the span that is to blame, and the rest arrives. */
  #send(spans: ReadableSpan[], done: () => void): void {
    if (spans.length === 0) return done();
    let answered = false;
    const answer = (failure: string | undefined, rejection?: Rejection): void => {
      if (answered) return;
      answered = true;
      timer.cancel();
      if (this.#state === "abandoned") return;
      if (failure === undefined) this.#arrive(spans.length, rejection);
      else this.#lose("export_failed", spans.length, failure);
      done();
    };
    const { exportTimeoutMs } = this.#settings;
    const timer = this.#clock.setTimer(() => answer(`no answer within ${exportTimeoutMs} ms`), exportTimeoutMs);
    timer.unref?.();
    try {
      context.with(suppressTracing(ROOT_CONTEXT), () => {
        this.#exporter.export(spans, (result: DeliveryResult) => {
          answer(result.code === ExportResultCode.SUCCESS ? undefined : failureOf(result.error), result.rejection);
        });
      });
    } catch (error) {
      if (answered) return;
      answered = true;
      timer.cancel();
      if (spans.length === 1) {
        this.#lose("serialisation_failed", 1, messageOf(error));
        return done();
      }
      const middle = Math.ceil(spans.length / 2);
      this.#send(spans.slice(0, middle), () => this.#send(spans.slice(middle), done));
    }
  }

  #arrive(sent: number, rejection: Rejection | undefined): void {
    this.#refused = 0;
    if (rejection !== undefined) this.#lose("rejected", rejection.count, rejection.message);
    const arrived = sent - (rejection?.count ?? 0);
    if (arrived === 0) return;
    this.#exported += arrived;
    this.drops.arrived();
    this.#settle(arrived);
  }

  #lose(reason: "export_failed" | "rejected" | "serialisation_failed", count: number, detail: string): void {
    if (reason === "export_failed") this.#refused += 1;
    this.drops.add(reason, count, detail);
    this.#settle(count);
  }

  #settle(count: number): void {
    this.#settled += count;
    const isOver = (flush: { readonly until: number }): boolean => flush.until <= this.#settled;
    for (const { resolve } of this.#flushes.filter(isOver)) resolve();
    this.#flushes = this.#flushes.filter((flush) => !isOver(flush));
  }
}

/** The wait after a refusal is at most eight times the delay. */
const MOST_DOUBLINGS = 3;

function failureOf(error: Error | undefined): string {
  if (error === undefined) return "the exporter gave no reason";
  const status = "code" in error && typeof error.code === "number" ? ` (HTTP ${error.code})` : "";
  return `${messageOf(error)}${status}`;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
