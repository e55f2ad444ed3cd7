import type { Clock, Timer } from "@hookscope/hooks";
import { ExportResultCode, type ExportResult } from "@opentelemetry/core";
import { TracerProvider, type ReadableSpan, type SpanExporter } from "@opentelemetry/sdk-trace";
import { expect, test } from "vitest";

import { DropCounter } from "../src/drops.ts";
import { SpanQueue, type QueueSettings } from "../src/span-queue.ts";

/** Answers when the test says so. */
class ManualExporter implements SpanExporter {
  readonly batches: string[][] = [];
  answer: (result: ExportResult) => void = () => {};
  #woken: () => void = () => {};

  export(spans: ReadableSpan[], resultCallback: (result: ExportResult) => void): void {
    this.batches.push(spans.map((span) => span.name));
    this.answer = resultCallback;
    this.#woken();
  }

  nextBatch(): Promise<void> {
    return new Promise((resolve) => {
      this.#woken = resolve;
    });
  }

  shutdown(): Promise<void> {
    return Promise.resolve();
  }
}

class ManualClock implements Clock {
  readonly timers: { readonly callback: () => void; readonly delayMs: number; cancelled: boolean }[] = [];

  now(): number {
    return 0;
  }

  setTimer(callback: () => void, delayMs: number): Timer {
    const timer = { callback, delayMs, cancelled: false };
    this.timers.push(timer);
    return {
      cancel: () => {
        timer.cancelled = true;
      },
    };
  }

  /** Delays of the timers that would still fire. */
  get pending(): readonly number[] {
    return this.timers.filter(({ cancelled }) => !cancelled).map(({ delayMs }) => delayMs);
  }

  fire(delayMs: number): void {
    const timer = this.timers.find((candidate) => candidate.delayMs === delayMs && !candidate.cancelled);
    if (timer === undefined) return;
    timer.cancelled = true;
    timer.callback();
  }
}

const SETTINGS: QueueSettings = {
  maxQueueSize: 10,
  maxQueueCharacters: 1_000_000,
  maxBatchSize: 2,
  scheduledDelayMs: 1_000,
  exportTimeoutMs: 30_000,
};

function setUp(exporter: SpanExporter): { queue: SpanQueue; clock: ManualClock; end: (...names: string[]) => void } {
  const clock = new ManualClock();
  const drops = new DropCounter("export", "the test", { warn: () => {}, listeners: new Set(), clock });
  const queue = new SpanQueue(exporter, (span) => span, drops, SETTINGS, clock);
  const tracer = new TracerProvider({ spanProcessors: [queue] }).getTracer("test");
  return { queue, clock, end: (...names) => names.forEach((name) => tracer.startSpan(name).end()) };
}

test("one batch is on its way at a time, in the order the spans ended", async () => {
  const exporter = new ManualExporter();
  const { queue, end } = setUp(exporter);
  end("a", "b", "c");
  const flushed = queue.forceFlush();
  await exporter.nextBatch();
  expect(exporter.batches).toEqual([["a", "b"]]);
  const next = exporter.nextBatch();
  exporter.answer({ code: ExportResultCode.SUCCESS });
  await next;
  expect(exporter.batches).toEqual([["a", "b"], ["c"]]);
  exporter.answer({ code: ExportResultCode.SUCCESS });
  await flushed;
  expect(queue.size).toBe(0);
  expect(queue.exported).toBe(3);
});

test("nothing is sent inside the call that ends a span", () => {
  const exporter = new ManualExporter();
  const { end } = setUp(exporter);
  end("a", "b", "c", "d");
  expect(exporter.batches).toEqual([]);
});

test("spans that fill no batch go out after the scheduled delay", () => {
  const exporter = new ManualExporter();
  const { clock, end } = setUp(exporter);
  end("a");
  clock.fire(SETTINGS.scheduledDelayMs);
  expect(exporter.batches).toEqual([["a"]]);
});

const REFUSED = { code: ExportResultCode.FAILED };

test("after a refusal what waits is sent later and later, full batches too, until one arrives", async () => {
  const exporter = new ManualExporter();
  const { clock, end } = setUp(exporter);
  end("a", "b", "c", "d", "e", "f", "g", "h", "i");
  await exporter.nextBatch();
  exporter.answer(REFUSED);
  expect(clock.pending).toEqual([2_000]);
  clock.fire(2_000);
  exporter.answer(REFUSED);
  expect(clock.pending).toEqual([4_000]);
  clock.fire(4_000);
  exporter.answer({ code: ExportResultCode.SUCCESS });
  await exporter.nextBatch();
  expect(exporter.batches).toEqual([
    ["a", "b"],
    ["c", "d"],
    ["e", "f"],
    ["g", "h"],
  ]);
});

test("the wait after refusals has a bound, and a flush does not wait", async () => {
  const exporter = new ManualExporter();
  const { queue, clock, end } = setUp(exporter);
  end("a", "b", "c", "d", "e", "f", "g", "h", "i", "j");
  await exporter.nextBatch();
  for (const delayMs of [2_000, 4_000, 8_000]) {
    exporter.answer(REFUSED);
    clock.fire(delayMs);
  }
  exporter.answer(REFUSED);
  expect(clock.pending).toEqual([8_000]);
  const last = exporter.nextBatch();
  const flushed = queue.forceFlush();
  await last;
  exporter.answer(REFUSED);
  await flushed;
  expect(queue.drops.counts().export_failed).toBe(10);
});

test("an exporter that never answers has failed after its time, and what it says later counts no more", async () => {
  const exporter = new ManualExporter();
  const { queue, clock, end } = setUp(exporter);
  end("a", "b");
  await exporter.nextBatch();
  clock.fire(SETTINGS.exportTimeoutMs);
  exporter.answer({ code: ExportResultCode.SUCCESS });
  expect(queue.drops.counts().export_failed).toBe(2);
  expect(queue.exported).toBe(0);
  expect(queue.size).toBe(0);
});

test("what was given up counts as lost once, even where it arrives after all", async () => {
  const exporter = new ManualExporter();
  const { queue, end } = setUp(exporter);
  end("a", "b", "c");
  await exporter.nextBatch();
  const flushed = queue.forceFlush();
  queue.abandon();
  await flushed;
  exporter.answer({ code: ExportResultCode.SUCCESS });
  expect(queue.drops.counts().shutdown_timeout).toBe(3);
  expect(queue.exported).toBe(0);
  expect(queue.size).toBe(0);
});

test("an answer that comes twice counts once", async () => {
  const exporter = new ManualExporter();
  const { queue, end } = setUp(exporter);
  end("a", "b");
  await exporter.nextBatch();
  exporter.answer({ code: ExportResultCode.SUCCESS });
  exporter.answer({ code: ExportResultCode.FAILED });
  expect(queue.exported).toBe(2);
  expect(queue.drops.counts().export_failed).toBe(0);
});

test("an exporter that throws on one span loses that one: the batch is halved until it is found", async () => {
  const sent: string[] = [];
  const exporter: SpanExporter = {
    export(spans, resultCallback) {
      if (spans.some((span) => span.name === "bad")) throw new TypeError("cannot be written");
      sent.push(...spans.map((span) => span.name));
      resultCallback({ code: ExportResultCode.SUCCESS });
    },
    shutdown: () => Promise.resolve(),
  };
  const clock = new ManualClock();
  const drops = new DropCounter("export", "the test", { warn: () => {}, listeners: new Set(), clock });
  const queue = new SpanQueue(exporter, (span) => span, drops, { ...SETTINGS, maxBatchSize: 7 }, clock);
  const tracer = new TracerProvider({ spanProcessors: [queue] }).getTracer("test");
  for (const name of ["a", "b", "c", "bad", "d", "e", "f"]) tracer.startSpan(name).end();
  await queue.forceFlush();
  expect(sent).toEqual(["a", "b", "c", "d", "e", "f"]);
  expect(drops.counts().serialisation_failed).toBe(1);
});
