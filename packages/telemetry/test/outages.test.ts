import { createFakeClock } from "@hookscope/testing";
import type { Telemetry } from "@hookscope/telemetry";
import { trace } from "@opentelemetry/api";
import { expect, test } from "vitest";

import { Log, start } from "./support/lifecycle.ts";
import { OtlpSink } from "./support/otlp-sink.ts";

const MINUTE_MS = 60_000;

async function send(telemetry: Telemetry, count: number): Promise<void> {
  makeSpans(count);
  await telemetry.flush();
}

function makeSpans(count: number): void {
  const tracer = trace.getTracer("test");
  for (let index = 0; index < count; index += 1) tracer.startSpan(`span ${index}`).end();
}

const dropped = (total: string, why: string): string =>
  `TELEMETRY_SPANS_DROPPED: ${total} lost on the way to the trace backend so far (${why}); more of the same is counted, not logged`;

const resumed = (meanwhile: string, inAll: string): string =>
  `TELEMETRY_EXPORT_RESUMED: spans reach the trace backend again, and none was lost for 60 s; lost meanwhile: ${meanwhile}; in all: ${inAll}`;

test("a backend that refuses is said once per outage, its return with what was lost, and the end says nothing new", async () => {
  await using sink = await OtlpSink.start();
  const clock = createFakeClock();
  const log = new Log();
  const telemetry = start({ endpoint: sink.endpoint, logger: log, clock });
  sink.answer = 400;
  await send(telemetry, 3);
  await clock.advance(60 * MINUTE_MS);
  await send(telemetry, 2);
  sink.answer = 200;
  await send(telemetry, 4);
  await clock.advance(MINUTE_MS);
  const first = [
    dropped("3 spans", "export_failed: Bad Request (HTTP 400)"),
    resumed("5 export_failed", "5 export_failed"),
  ];
  expect(log.messages).toEqual(first);
  await clock.advance(60 * MINUTE_MS);
  sink.answer = 400;
  await send(telemetry, 1);
  sink.answer = 200;
  await send(telemetry, 1);
  await clock.advance(MINUTE_MS);
  expect(sink.accepted.length).toBe(5);
  await telemetry.shutdown();
  expect(log.messages).toEqual([
    ...first,
    dropped("6 spans", "export_failed: Bad Request (HTTP 400)"),
    resumed("1 export_failed", "6 export_failed"),
  ]);
});

test("a full queue is said once for as long as spans are lost, and again an hour after export had caught up", async () => {
  await using sink = await OtlpSink.start();
  const clock = createFakeClock();
  const log = new Log();
  const queue = { maxQueueSize: 4, maxBatchSize: 4 };
  const telemetry = start({ endpoint: sink.endpoint, logger: log, clock, queue });
  for (let minute = 0; minute < 10; minute += 1) {
    await send(telemetry, 6);
    await clock.advance(MINUTE_MS - 1);
  }
  expect(log.messages).toEqual([dropped("1 span", "queue_full")]);
  await clock.advance(MINUTE_MS);
  expect(log.messages.slice(1)).toEqual([resumed("20 queue_full", "20 queue_full")]);
  await clock.advance(60 * MINUTE_MS);
  await send(telemetry, 7);
  expect(log.messages.slice(2)).toEqual([dropped("21 spans", "queue_full")]);
  await telemetry.shutdown();
  expect(log.messages.slice(3)).toEqual([
    "TELEMETRY_SPANS_DROPPED: lost on the way to the trace backend in all: 23 queue_full",
  ]);
});

test("a backend that takes one batch and loses the next is one outage, not a line for each", async () => {
  await using sink = await OtlpSink.start();
  const clock = createFakeClock();
  const log = new Log();
  const telemetry = start({ endpoint: sink.endpoint, logger: log, clock });
  for (const answer of [400, 200, 400, 200, 400, 200]) {
    sink.answer = answer;
    await send(telemetry, 1);
    await clock.advance(MINUTE_MS / 2);
  }
  await clock.advance(MINUTE_MS / 2);
  expect(log.messages).toEqual([
    dropped("1 span", "export_failed: Bad Request (HTTP 400)"),
    resumed("3 export_failed", "3 export_failed"),
  ]);
});

test("an outage lasts until something arrives, however long nothing is lost because nothing is sent", async () => {
  await using sink = await OtlpSink.start();
  const clock = createFakeClock();
  const log = new Log();
  const telemetry = start({ endpoint: sink.endpoint, logger: log, clock });
  sink.answer = 400;
  await send(telemetry, 1);
  await clock.advance(600 * MINUTE_MS);
  await send(telemetry, 1);
  expect(log.codes).toEqual(["TELEMETRY_SPANS_DROPPED"]);
});
