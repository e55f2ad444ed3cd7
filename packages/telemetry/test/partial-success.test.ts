import type { SpanDrop } from "@hookscope/telemetry";
import { createFakeClock } from "@hookscope/testing";
import { expect, test } from "vitest";

import { Log, start } from "./support/lifecycle.ts";
import { OtlpSink } from "./support/otlp-sink.ts";
import { partly, send } from "./support/partly.ts";

const MINUTE_MS = 60_000;

const dropped = (total: string, why: string): string =>
  `TELEMETRY_SPANS_DROPPED: ${total} lost on the way to the trace backend so far (rejected: ${why}); more of the same is counted, not logged`;

test("spans that the backend rejects in an answer of success are counted, told to listeners, said, and fail the flush", async () => {
  await using sink = await OtlpSink.start();
  const log = new Log();
  const telemetry = start({ endpoint: sink.endpoint, logger: log });
  const drops: SpanDrop[] = [];
  telemetry.onDrop((drop) => drops.push(drop));
  sink.answer = partly("2", "spans older than a day");
  expect(await send(telemetry, 5)).toEqual({ flushed: false, reason: "dropped" });
  expect(sink.requests[0]?.headers["content-type"]).toBe("application/json");
  expect(drops).toEqual([{ sink: "export", reason: "rejected", count: 2, total: 2 }]);
  expect(telemetry.dropped().rejected).toBe(2);
  expect(telemetry.exported()).toBe(3);
  expect(telemetry.queueSize()).toBe(0);
  expect(log.messages).toEqual([dropped("2 spans", "spans older than a day")]);
});

test.for([
  { said: "2", counted: 2 },
  { said: '"2"', counted: 2 },
  { said: "4", counted: 4 },
  { said: "5", counted: 4 },
  { said: '"9223372036854775807"', counted: 4 },
  { said: "1e999", counted: 4 },
  { said: "1.5", counted: 1 },
  { said: "0.5", counted: 0 },
  { said: "0", counted: 0 },
  { said: '"0"', counted: 0 },
  { said: "-1", counted: 0 },
  { said: '"-3"', counted: 0 },
  { said: '"NaN"', counted: 0 },
  { said: '"two"', counted: 0 },
  { said: '""', counted: 0 },
  { said: "null", counted: 0 },
  { said: "[2]", counted: 0 },
  { said: '{"low":2}', counted: 0 },
  { said: "true", counted: 0 },
])("of 4 spans, where the answer says that $said are rejected, $counted are", async ({ said, counted }) => {
  await using sink = await OtlpSink.start();
  const telemetry = start({ endpoint: sink.endpoint, logger: new Log() });
  sink.answer = { body: `{"partialSuccess":{"rejectedSpans":${said}}}` };
  expect(await send(telemetry, 4)).toEqual(counted === 0 ? { flushed: true } : { flushed: false, reason: "dropped" });
  expect([telemetry.dropped().rejected, telemetry.exported()]).toEqual([counted, 4 - counted]);
});

test("a backend that rejects some of every batch is said once, and its end with what was lost", async () => {
  await using sink = await OtlpSink.start();
  const clock = createFakeClock();
  const log = new Log();
  const telemetry = start({ endpoint: sink.endpoint, logger: log, clock });
  for (const count of [1, 2, 3]) {
    sink.answer = partly(count, `${count} too many`);
    await send(telemetry, 4);
    await clock.advance(MINUTE_MS / 2);
  }
  sink.answer = 200;
  await send(telemetry, 4);
  await clock.advance(MINUTE_MS);
  expect(log.messages).toEqual([
    dropped("1 span", "1 too many"),
    "TELEMETRY_EXPORT_RESUMED: spans reach the trace backend again, and none was lost for 60 s; lost meanwhile: 6 rejected; in all: 6 rejected",
  ]);
  expect(telemetry.exported()).toBe(10);
});

test("a batch that is rejected whole does not count as arrived: the outage lasts", async () => {
  await using sink = await OtlpSink.start();
  const clock = createFakeClock();
  const log = new Log();
  const telemetry = start({ endpoint: sink.endpoint, logger: log, clock });
  sink.answer = partly(3);
  await send(telemetry, 3);
  await clock.advance(600 * MINUTE_MS);
  await send(telemetry, 3);
  expect(log.messages).toEqual([dropped("3 spans", "the backend gave no reason")]);
  expect(telemetry.exported()).toBe(0);
});

test("each batch has its own answer", async () => {
  await using sink = await OtlpSink.start();
  const telemetry = start({ endpoint: sink.endpoint, queue: { maxBatchSize: 2 }, logger: new Log() });
  sink.answer = partly(1);
  expect(await send(telemetry, 5)).toEqual({ flushed: false, reason: "dropped" });
  sink.answer = 200;
  expect(await send(telemetry, 5)).toEqual({ flushed: true });
  expect([telemetry.dropped().rejected, telemetry.exported()]).toEqual([3, 7]);
});

test("what the backend says is redacted, on one line, and cut", async () => {
  await using sink = await OtlpSink.start();
  const log = new Log();
  const telemetry = start({ endpoint: sink.endpoint, logger: log });
  const token = `ghp_${"a1B2".repeat(9)}`;
  sink.answer = partly(1, `token ${token}\r\n\u001b[31mis in a span ${"x".repeat(3_000_000)}`);
  await send(telemetry, 2);
  const [line = ""] = log.messages;
  expect(log.messages.length).toBe(1);
  expect(line).toMatch(/\(rejected: token \[redacted[^\]]*\] \[31mis in a span x+… \[cut, 30000\d\d characters\]\)/);
  expect(line.length).toBeLessThan(500);
  expect(telemetry.dropped().rejected).toBe(1);
});

test("a backend that rejects nothing and has something to say is heard once, and nothing is counted", async () => {
  await using sink = await OtlpSink.start();
  const log = new Log();
  const telemetry = start({ endpoint: sink.endpoint, logger: log });
  for (const rejected of [0, "0", undefined]) {
    sink.answer = partly(rejected, "this endpoint\ngoes away");
    expect(await send(telemetry, 2)).toEqual({ flushed: true });
  }
  expect(log.messages).toEqual([
    "TELEMETRY_BACKEND_WARNING: the trace backend took the spans and says: this endpoint goes away; said once",
  ]);
  expect([telemetry.dropped().rejected, telemetry.exported()]).toEqual([0, 6]);
});
