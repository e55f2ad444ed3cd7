import { context, ROOT_CONTEXT, SpanStatusCode, trace, type Span } from "@opentelemetry/api";
import { InMemorySpanExporter, SimpleSpanProcessor } from "@opentelemetry/sdk-trace";
import { createTraceStore, type TurnSamplerOptions } from "@hookscope/telemetry";
import { expect, test } from "vitest";

import { Log, start } from "./support/lifecycle.ts";
import { OtlpSink } from "./support/otlp-sink.ts";
import { makeTurn } from "./support/stores.ts";

const BLOCKED = { blocked: true };
const NONE_BUT_BLOCKS: TurnSamplerOptions = { share: 0 };

function namesAt(sink: OtlpSink): readonly string[] {
  return sink.accepted.map(({ name }) => name);
}

/** A turn that stays open, with a finished span in it. */
function openTurn(): Span {
  const attributes = { "gen_ai.operation.name": "invoke_agent", "agent_turn.id": "open" };
  const turn = trace.getTracer("test").startSpan("invoke_agent open", { attributes }, ROOT_CONTEXT);
  trace.getTracer("test").startSpan("inside", {}, trace.setSpan(context.active(), turn)).end();
  return turn;
}

test("by default every turn is exported, and nothing is counted as sampled", async () => {
  await using sink = await OtlpSink.start();
  const telemetry = start({ endpoint: sink.endpoint });
  await makeTurn("plain");
  await telemetry.shutdown();
  expect(namesAt(sink)).toEqual(["invoke_agent reviewer"]);
  expect(telemetry.sampled()).toBe(undefined);
});

test("what is sampled out is not exported and is no loss; the local sink and further processors get everything", async () => {
  await using sink = await OtlpSink.start();
  const store = createTraceStore({ path: ":memory:" });
  const further = new InMemorySpanExporter();
  const log = new Log();
  const telemetry = start({
    endpoint: sink.endpoint,
    localSink: store.exporter,
    spanProcessors: [new SimpleSpanProcessor({ exporter: further })],
    turnSampler: NONE_BUT_BLOCKS,
    logger: log,
  });
  await makeTurn("plain");
  await makeTurn("blocked", BLOCKED);
  expect(await telemetry.flush()).toEqual({ flushed: true });
  expect(telemetry.exported()).toBe(1);
  expect(telemetry.exported("local")).toBe(2);
  expect(further.getFinishedSpans().map(({ attributes }) => attributes["agent_turn.id"])).toEqual(["plain", "blocked"]);
  expect(telemetry.sampled()?.sampledOut).toEqual({ turns: 1, spans: 1 });
  expect(Object.values(telemetry.dropped()).filter((count) => count > 0)).toEqual([]);
  expect(log.messages).toEqual([]);
  store.close();
});

test("by option the local sink gets what is exported", async () => {
  const store = createTraceStore({ path: ":memory:" });
  const telemetry = start({
    exportSpans: false,
    localSink: store.exporter,
    turnSampler: NONE_BUT_BLOCKS,
    localSpans: "sampled",
  });
  await makeTurn("plain");
  await makeTurn("blocked", BLOCKED);
  await telemetry.flush();
  expect(store.turns().map(({ turnId }) => turnId)).toEqual(["blocked"]);
  store.close();
});

test("true samples with the defaults", async () => {
  const telemetry = start({ exportSpans: false, turnSampler: true, logger: new Log() });
  await makeTurn("blocked", BLOCKED);
  expect(telemetry.sampled()?.kept.block).toBe(1);
});

test("a secret in a span that waited is redacted when it leaves", async () => {
  await using sink = await OtlpSink.start();
  const telemetry = start({ endpoint: sink.endpoint, turnSampler: NONE_BUT_BLOCKS });
  const secret = `ghp_${"a1B2".repeat(9)}`;
  await makeTurn("t", {
    ...BLOCKED,
    inside: (turn) => {
      const parent = trace.setSpan(ROOT_CONTEXT, turn);
      trace
        .getTracer("test")
        .startSpan("call", { attributes: { argument: secret } }, parent)
        .end();
    },
  });
  await telemetry.shutdown();
  expect(namesAt(sink)).toEqual(["call", "invoke_agent reviewer"]);
  expect(sink.requests.map(({ text }) => text.includes(secret))).toEqual([false]);
});

test("a flush keeps what is open, and its later spans follow", async () => {
  await using sink = await OtlpSink.start();
  const telemetry = start({ endpoint: sink.endpoint, turnSampler: NONE_BUT_BLOCKS });
  const turn = openTurn();
  expect(telemetry.sampled()?.held.spans).toBe(1);
  expect(await telemetry.flush()).toEqual({ flushed: true });
  expect(namesAt(sink)).toEqual(["inside"]);
  turn.end();
  await telemetry.flush();
  expect(namesAt(sink)).toEqual(["inside", "invoke_agent open"]);
  expect(telemetry.sampled()?.kept.unfinished).toBe(1);
});

test("a shutdown keeps what is open and sends it, and loses nothing of it", async () => {
  await using sink = await OtlpSink.start();
  const telemetry = start({ endpoint: sink.endpoint, turnSampler: NONE_BUT_BLOCKS });
  openTurn();
  expect(await telemetry.shutdown()).toEqual({ flushed: true });
  expect(namesAt(sink)).toEqual(["inside"]);
  expect(Object.values(telemetry.dropped()).filter((count) => count > 0)).toEqual([]);
});

test("spans the buffer had no room for are counted as lost, told to listeners and logged once", async () => {
  await using sink = await OtlpSink.start();
  const log = new Log();
  const telemetry = start({ endpoint: sink.endpoint, turnSampler: { share: 0, maxSpans: 2 }, logger: log });
  const reasons: unknown[] = [];
  telemetry.onDrop(({ sink: name, reason, count }) => reasons.push([name, reason, count]));
  const turn = openTurn();
  for (let index = 0; index < 5; index += 1) {
    trace.getTracer("test").startSpan("more", {}, trace.setSpan(ROOT_CONTEXT, turn)).end();
  }
  turn.setStatus({ code: SpanStatusCode.ERROR });
  turn.end();
  await telemetry.flush();
  expect(namesAt(sink)).toEqual(["invoke_agent open"]);
  expect(telemetry.dropped().buffer_full).toBe(6);
  expect(reasons).toEqual([
    ["export", "buffer_full", 3],
    ["export", "buffer_full", 3],
  ]);
  expect(log.codes).toEqual(["TELEMETRY_SPANS_DROPPED"]);
});

test("an option that cannot be is refused before anything starts", () => {
  expect(() => start({ turnSampler: { share: 2 } })).toThrow(
    "TELEMETRY_OPTION_INVALID: turnSampler.share must be a number from 0 to 1",
  );
  expect(trace.getTracer("test").startSpan("span").isRecording()).toBe(false);
});
