import { trace } from "@opentelemetry/api";
import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from "@opentelemetry/sdk-trace";
import { registerOldLine } from "@hookscope/otel2";
import { afterEach, expect, test } from "vitest";

import { Log, start } from "./support/lifecycle.ts";
import { OtlpSink } from "./support/otlp-sink.ts";

const API_REGISTRY = Symbol.for("opentelemetry.js.api.1");

afterEach(() => {
  Reflect.deleteProperty(globalThis, API_REGISTRY);
});

test("telemetry that records says nothing, and the start-up check exports no span", async () => {
  await using sink = await OtlpSink.start();
  const log = new Log();
  const telemetry = start({ endpoint: sink.endpoint, logger: log });
  expect(telemetry.recording).toBe(true);
  await telemetry.shutdown();
  expect(sink.requests).toEqual([]);
  expect(log.codes).toEqual([]);
});

test("an SDK that somebody registered before keeps its spans: nothing is added, and it is said", async () => {
  await using sink = await OtlpSink.start();
  const exporter = new InMemorySpanExporter();
  const theirs = new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] });
  trace.setGlobalTracerProvider(theirs);
  const log = new Log();
  const telemetry = start({ endpoint: sink.endpoint, logger: log });
  trace.getTracer("test").startSpan("span").end();
  expect(await telemetry.shutdown()).toEqual({ flushed: true });
  expect(telemetry.recording).toBe(false);
  expect(exporter.getFinishedSpans().map((span) => span.name)).toEqual(["span"]);
  expect(sink.requests).toEqual([]);
  expect(log.codes).toEqual(["TELEMETRY_ALREADY_REGISTERED"]);
});

test("API 1.10 over an SDK 2.x that an older API registered is a silent no-op: it is said, once, with the cause", async () => {
  const oldLine = registerOldLine();
  const log = new Log();
  const telemetry = start({ exportSpans: false, logger: log });
  expect(telemetry.recording).toBe(false);
  expect(trace.getTracer("test").startSpan("span").isRecording()).toBe(false);
  oldLine.makeSpan("theirs");
  expect(oldLine.spanNames()).toEqual(["theirs"]);
  expect(await telemetry.flush()).toEqual({ flushed: true });
  expect(log.messages).toEqual([
    expect.stringMatching(/^TELEMETRY_NOT_RECORDING: .*another version of @opentelemetry\/api registered first/),
  ]);
});

test("OTEL_SDK_DISABLED=true records nothing, and it is said", async () => {
  await using sink = await OtlpSink.start();
  const log = new Log();
  const telemetry = start({ endpoint: sink.endpoint, logger: log, environment: { OTEL_SDK_DISABLED: "true" } });
  trace.getTracer("test").startSpan("span").end();
  expect(telemetry.recording).toBe(false);
  await telemetry.shutdown();
  expect(sink.requests).toEqual([]);
  expect(log.messages).toEqual(["TELEMETRY_NOT_RECORDING: OTEL_SDK_DISABLED is true, so no span is recorded"]);
});

test("a sampler that leaves every span out is said", () => {
  const log = new Log();
  const telemetry = start({ exportSpans: false, logger: log, environment: { OTEL_TRACES_SAMPLER: "always_off" } });
  expect(telemetry.recording).toBe(false);
  expect(log.messages).toEqual(["TELEMETRY_NOT_RECORDING: OTEL_TRACES_SAMPLER leaves every span out"]);
});

test("after telemetry that a sampler left without a span, it can be started again", async () => {
  await start({ environment: { OTEL_TRACES_SAMPLER: "always_off" }, logger: new Log() }).shutdown();
  const log = new Log();
  expect(start({ logger: log }).recording).toBe(true);
  expect(log.codes).toEqual([]);
});
