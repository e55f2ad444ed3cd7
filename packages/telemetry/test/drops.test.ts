import { trace } from "@opentelemetry/api";
import type { SpanProcessor } from "@opentelemetry/sdk-trace";
import type { SpanDrop, Telemetry } from "@hookscope/telemetry";
import { createFakeClock } from "@hookscope/testing";
import { expect, test, vi } from "vitest";

import { Log, NO_SECOND_TRY, start } from "./support/lifecycle.ts";
import { OtlpSink } from "./support/otlp-sink.ts";

// Bursts of 20,000 spans, over a real connection.
vi.setConfig({ testTimeout: 60_000 });

/** A port that only the system may listen on, and on which nothing does. */
const NOBODY_LISTENS = "http://127.0.0.1:1";

const NOTHING_LOST = {
  queue_full: 0,
  buffer_full: 0,
  export_failed: 0,
  rejected: 0,
  serialisation_failed: 0,
  shutdown_timeout: 0,
  after_shutdown: 0,
};

function makeSpans(count: number): void {
  const tracer = trace.getTracer("test");
  for (let index = 0; index < count; index += 1) tracer.startSpan(`span ${index}`).end();
}

function lost(telemetry: Telemetry): number {
  return Object.values(telemetry.dropped()).reduce((total, count) => total + count, 0);
}

test("20,000 spans in one synchronous burst: what arrived and what was dropped add up to what was made", async () => {
  await using sink = await OtlpSink.start();
  const log = new Log();
  const telemetry = start({ endpoint: sink.endpoint, logger: log });
  makeSpans(20_000);
  await telemetry.flush({ timeoutMs: 60_000 });
  expect(telemetry.dropped()).toEqual({ ...NOTHING_LOST, queue_full: 20_000 - 16_384 });
  expect(sink.accepted.length).toBe(16_384);
  expect(new Set(sink.accepted.map((span) => span.spanId)).size).toBe(16_384);
  expect(telemetry.exported()).toBe(16_384);
  expect(log.codes).toEqual(["TELEMETRY_SPANS_DROPPED"]);
});

test("a queue that is large enough loses nothing of the same burst", async () => {
  await using sink = await OtlpSink.start();
  const telemetry = start({ endpoint: sink.endpoint, queue: { maxQueueSize: 20_000, maxBatchSize: 1_000 } });
  makeSpans(20_000);
  expect(await telemetry.flush({ timeoutMs: 60_000 })).toEqual({ flushed: true });
  expect(telemetry.dropped()).toEqual(NOTHING_LOST);
  expect(sink.accepted.length).toBe(20_000);
});

test("a queue full of long values takes no more, however few the spans are", () => {
  const telemetry = start({ endpoint: "http://127.0.0.1:9", queue: { maxQueueCharacters: 10_000 }, logger: new Log() });
  for (let index = 0; index < 3; index += 1) {
    trace
      .getTracer("test")
      .startSpan("long", { attributes: { text: "x".repeat(4_900) } })
      .end();
  }
  expect(telemetry.queueSize()).toBe(2);
  expect(telemetry.dropped()).toEqual({ ...NOTHING_LOST, queue_full: 1 });
});

test("a refused connection is counted by span, told to listeners, and logged once with the count so far", async () => {
  const log = new Log();
  const telemetry = start({
    endpoint: NOBODY_LISTENS,
    environment: NO_SECOND_TRY,
    queue: { maxBatchSize: 2 },
    logger: log,
  });
  const drops: SpanDrop[] = [];
  telemetry.onDrop((drop) => drops.push(drop));
  makeSpans(5);
  expect(await telemetry.flush()).toEqual({ flushed: false, reason: "dropped" });
  expect(telemetry.dropped()).toEqual({ ...NOTHING_LOST, export_failed: 5 });
  expect(drops).toEqual([
    { sink: "export", reason: "export_failed", count: 2, total: 2 },
    { sink: "export", reason: "export_failed", count: 2, total: 4 },
    { sink: "export", reason: "export_failed", count: 1, total: 5 },
  ]);
  expect(log.messages).toEqual([
    expect.stringMatching(/^TELEMETRY_SPANS_DROPPED: 2 spans lost .* \(export_failed: .*ECONNREFUSED.*\)/),
  ]);
});

test.for([429, 503, 400, 413, 500, 302] as const)(
  "a backend that answers %i loses the batch, which is said once",
  async (status) => {
    await using sink = await OtlpSink.start();
    sink.answer = status;
    const log = new Log();
    const telemetry = start({ endpoint: sink.endpoint, logger: log });
    makeSpans(4);
    expect(await telemetry.flush()).toEqual({ flushed: false, reason: "dropped" });
    expect(telemetry.dropped()).toEqual({ ...NOTHING_LOST, export_failed: 4 });
    expect(log.codes).toEqual(["TELEMETRY_SPANS_DROPPED"]);
  },
);

test("a backend that hangs fails a flush in its time, and the spans stay counted as on their way", async () => {
  await using sink = await OtlpSink.start();
  sink.answer = "hang";
  const telemetry = start({ endpoint: sink.endpoint, logger: new Log() });
  makeSpans(3);
  expect(await telemetry.flush({ timeoutMs: 30 })).toEqual({ flushed: false, reason: "timeout" });
  expect(telemetry.queueSize()).toBe(3);
  expect(telemetry.dropped()).toEqual(NOTHING_LOST);
  expect(await telemetry.shutdown({ timeoutMs: 30 })).toEqual({ flushed: false, reason: "timeout" });
  expect(telemetry.queueSize()).toBe(0);
  expect(telemetry.dropped()).toEqual({ ...NOTHING_LOST, shutdown_timeout: 3 });
});

test("while a backend hangs the queue stays within its bound and every span beyond it is counted", async () => {
  await using sink = await OtlpSink.start();
  sink.answer = "hang";
  const telemetry = start({
    endpoint: sink.endpoint,
    queue: { maxQueueSize: 100, maxBatchSize: 10 },
    logger: new Log(),
  });
  makeSpans(10);
  await sink.until(() => sink.requests.length === 1);
  makeSpans(1_000);
  expect(telemetry.queueSize()).toBe(100);
  expect(telemetry.dropped()).toEqual({ ...NOTHING_LOST, queue_full: 910 });
  await telemetry.shutdown({ timeoutMs: 20 });
  expect(telemetry.exported() + lost(telemetry)).toBe(1_010);
});

test("a backend that was away and came back gets spans again without anybody asking", async () => {
  await using sink = await OtlpSink.start();
  sink.answer = 503;
  const clock = createFakeClock();
  const telemetry = start({ endpoint: sink.endpoint, queue: { maxBatchSize: 2 }, logger: new Log(), clock });
  const lost = new Promise((resolve) => telemetry.onDrop(resolve));
  makeSpans(2);
  await lost;
  sink.answer = 200;
  makeSpans(2);
  await clock.advance(2_000);
  await sink.until(() => sink.accepted.length === 2);
  expect(telemetry.dropped()).toEqual({ ...NOTHING_LOST, export_failed: 2 });
});

/** Attributes that the API refuses and a processor can still put there. */
function poisons(value: () => unknown): SpanProcessor {
  return {
    onStart(span) {
      if (span.name === "span 1") Object.assign(span.attributes, { poison: value() });
    },
    onEnd() {},
    forceFlush: () => Promise.resolve(),
    shutdown: () => Promise.resolve(),
  };
}

test.for([
  {
    what: "a cycle",
    value: () => {
      const cycle: Record<string, unknown> = {};
      cycle["self"] = cycle;
      return cycle;
    },
  },
  { what: "a BigInt", value: () => 10n },
  { what: "a function", value: () => () => {} },
])("$what in one span's attributes loses that span and no other of its batch", async ({ value }) => {
  await using sink = await OtlpSink.start();
  const log = new Log();
  const telemetry = start({ endpoint: sink.endpoint, logger: log, spanProcessors: [poisons(value)] });
  makeSpans(3);
  expect(await telemetry.flush()).toEqual({ flushed: false, reason: "dropped" });
  expect(sink.accepted.map((span) => span.name)).toEqual(["span 0", "span 2"]);
  expect(telemetry.dropped()).toEqual({ ...NOTHING_LOST, serialisation_failed: 1 });
  expect(log.codes).toEqual(["TELEMETRY_PROCESSOR_FAILED", "TELEMETRY_SPANS_DROPPED"]);
});

test("a span that ends after the shutdown is counted", async () => {
  await using sink = await OtlpSink.start();
  const telemetry = start({ endpoint: sink.endpoint, logger: new Log() });
  const late = trace.getTracer("test").startSpan("late");
  await telemetry.shutdown();
  late.end();
  expect(telemetry.dropped()).toEqual({ ...NOTHING_LOST, after_shutdown: 1 });
});

test("a shutdown happens once, and says the same to everyone who asks", async () => {
  await using sink = await OtlpSink.start();
  const telemetry = start({ endpoint: sink.endpoint });
  makeSpans(1);
  expect(await Promise.all([telemetry.shutdown(), telemetry.shutdown()])).toEqual([
    { flushed: true },
    { flushed: true },
  ]);
  expect(sink.accepted.length).toBe(1);
});

test("a processor, a logger and a listener that throw are not felt", async () => {
  await using sink = await OtlpSink.start();
  const fail = (): never => {
    throw new Error("broken");
  };
  const telemetry = start({
    endpoint: sink.endpoint,
    logger: { warn: fail },
    spanProcessors: [{ onStart: fail, onEnd: fail, forceFlush: fail, shutdown: fail }],
    queue: { maxQueueSize: 1 },
  });
  telemetry.onDrop(fail);
  makeSpans(2);
  await telemetry.shutdown();
  expect(sink.accepted.map((span) => span.name)).toEqual(["span 0"]);
  expect(telemetry.dropped()).toEqual({ ...NOTHING_LOST, queue_full: 1 });
});
