import { hasSubscribers } from "node:diagnostics_channel";
import { request } from "node:http";

import type { SpanExporter } from "@opentelemetry/sdk-trace";
import { expect, test } from "vitest";

import { OtlpExporter } from "../src/otlp-exporter.ts";
import { Log, start } from "./support/lifecycle.ts";
import { OtlpSink } from "./support/otlp-sink.ts";
import { partly, send } from "./support/partly.ts";

const REQUEST_CREATED = "http.client.request.created";
/** A moment that is past. */
const AT_ONCE = "Thu, 01 Jan 1970 00:00:00 GMT";

test.for([
  "",
  "{",
  "{}",
  "null",
  "[]",
  "7",
  "<html>OK</html>",
  '{"partialSuccess":null}',
  '{"partialSuccess":{}}',
  '{"partialSuccess":[2]}',
  '{"partialSuccess":"2"}',
  '{"partialSuccess":{"errorMessage":7}}',
  '{"rejectedSpans":2}',
  "\u0000\u0001\ufffd",
])("an answer of success that says nothing of spans is success: %j", async (body) => {
  await using sink = await OtlpSink.start();
  const log = new Log();
  const telemetry = start({ endpoint: sink.endpoint, logger: log });
  sink.answer = { body };
  expect(await send(telemetry, 2)).toEqual({ flushed: true });
  expect([telemetry.dropped().rejected, telemetry.exported(), log.messages]).toEqual([0, 2, []]);
});

test("an answer without an end is not read to its end: the batch is lost", async () => {
  await using sink = await OtlpSink.start();
  const log = new Log();
  const telemetry = start({ endpoint: sink.endpoint, logger: log });
  const { promise: closed, resolve } = Promise.withResolvers<void>();
  sink.answer = { body: endless(resolve) };
  expect(await send(telemetry, 2)).toEqual({ flushed: false, reason: "dropped" });
  await closed;
  expect([telemetry.dropped().export_failed, telemetry.dropped().rejected, telemetry.exported()]).toEqual([2, 0, 0]);
  expect(log.codes).toEqual(["TELEMETRY_SPANS_DROPPED"]);
});

function* endless(closed: () => void): Generator<string> {
  try {
    yield '{"partialSuccess":{"rejectedSpans":1,"errorMessage":"';
    for (;;) yield "x".repeat(65_536);
  } finally {
    closed();
  }
}

test("an answer of failure loses the batch once, whatever it says of spans", async () => {
  await using sink = await OtlpSink.start();
  const telemetry = start({ endpoint: sink.endpoint, logger: new Log() });
  sink.answer = { status: 400, body: '{"partialSuccess":{"rejectedSpans":1}}' };
  await send(telemetry, 2);
  expect([telemetry.dropped().export_failed, telemetry.dropped().rejected, telemetry.exported()]).toEqual([2, 0, 0]);
});

test("after a refusal and another attempt the answer to that one counts", async () => {
  await using sink = await OtlpSink.start();
  const telemetry = start({ endpoint: sink.endpoint, logger: new Log() });
  sink.answer = { status: 503, retryAfter: AT_ONCE, body: '{"partialSuccess":{"rejectedSpans":2}}' };
  const sent = send(telemetry, 3);
  await sink.until(() => sink.requests.length === 1);
  sink.answer = partly(1);
  expect(await sent).toEqual({ flushed: false, reason: "dropped" });
  expect(sink.requests.length).toBe(2);
  expect([telemetry.dropped().export_failed, telemetry.dropped().rejected, telemetry.exported()]).toEqual([0, 1, 2]);
});

test("an answer that breaks off says nothing, not even what the attempt before it said", async () => {
  await using sink = await OtlpSink.start();
  const telemetry = start({ endpoint: sink.endpoint, logger: new Log() });
  sink.answer = { status: 503, retryAfter: AT_ONCE, body: '{"partialSuccess":{"rejectedSpans":2}}' };
  const sent = send(telemetry, 3);
  await sink.until(() => sink.requests.length === 1);
  sink.answer = { body: '{"partialSuccess":{"rejectedSpans":1', breaksOff: true };
  expect(await sent).toEqual({ flushed: true });
  expect([telemetry.dropped().rejected, telemetry.exported()]).toEqual([0, 3]);
});

test("an answer that the program itself gets meanwhile says nothing of its spans", async () => {
  await using sink = await OtlpSink.start();
  await using other = await OtlpSink.start();
  other.answer = partly(2, "of somebody else");
  sink.answer = "hang";
  const log = new Log();
  const telemetry = start({ endpoint: sink.endpoint, logger: log });
  const sent = send(telemetry, 2);
  await sink.until(() => sink.requests.length === 1);
  expect(await textOf(other.endpoint)).toBe('{"partialSuccess":{"rejectedSpans":2,"errorMessage":"of somebody else"}}');
  sink.release();
  expect(await sent).toEqual({ flushed: true });
  expect([telemetry.dropped().rejected, telemetry.exported(), log.messages]).toEqual([0, 2, []]);
});

function textOf(url: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method: "POST" }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("end", () => resolve(Buffer.concat(chunks).toString()));
    });
    sent.on("error", reject).end('{"resourceSpans":[]}');
  });
}

test.for([{ answer: 200 }, { answer: 400 }, { answer: partly(1) }])(
  "the program's own requests are listened to only while a batch is on its way: $answer",
  async ({ answer }) => {
    await using sink = await OtlpSink.start();
    const telemetry = start({ endpoint: sink.endpoint, logger: new Log() });
    expect(hasSubscribers(REQUEST_CREATED)).toBe(false);
    sink.answer = "hang";
    const sent = send(telemetry, 1);
    await sink.until(() => sink.requests.length === 1);
    expect(hasSubscribers(REQUEST_CREATED)).toBe(true);
    sink.release();
    await sent;
    sink.answer = answer;
    await send(telemetry, 1);
    expect(hasSubscribers(REQUEST_CREATED)).toBe(false);
  },
);

test("of an exporter that throws nothing is left behind", () => {
  const failing: SpanExporter = {
    export: () => {
      throw new TypeError("cannot be written");
    },
    shutdown: () => Promise.resolve(),
  };
  const exporter = new OtlpExporter(
    failing,
    (text) => text,
    () => {},
  );
  expect(() => exporter.export([], () => {})).toThrow(new TypeError("cannot be written"));
  expect(hasSubscribers(REQUEST_CREATED)).toBe(false);
});
