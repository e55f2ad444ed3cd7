import { trace } from "@opentelemetry/api";
import type { SpanExporter, SpanProcessor } from "@opentelemetry/sdk-trace";
import { expect, test } from "vitest";

import { Log, start } from "./support/lifecycle.ts";
import { OtlpSink } from "./support/otlp-sink.ts";

const localSink: SpanExporter = { export: () => {}, shutdown: () => Promise.resolve() };
const processor: SpanProcessor = {
  onStart() {},
  onEnd() {},
  forceFlush: () => Promise.resolve(),
  shutdown: () => Promise.resolve(),
};
const DEFAULT = { kind: "otlp", url: "http://localhost:4318/v1/traces" };

test.for([
  { environment: {}, url: "http://localhost:4318/v1/traces" },
  { environment: { OTEL_EXPORTER_OTLP_ENDPOINT: "https://collector:4318" }, url: "https://collector:4318/v1/traces" },
  { environment: { OTEL_EXPORTER_OTLP_ENDPOINT: "http://collector/otlp/" }, url: "http://collector/otlp/v1/traces" },
  { environment: { OTEL_EXPORTER_OTLP_ENDPOINT: "http://collector/v1/traces" }, url: "http://collector/v1/traces" },
  { environment: { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: "http://collector/own" }, url: "http://collector/own" },
  { environment: { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: "http://collector" }, url: "http://collector/" },
  {
    environment: { OTEL_EXPORTER_OTLP_ENDPOINT: "http://me:secret@collector/?key=secret" },
    url: "http://collector/v1/traces",
  },
  { environment: { OTEL_EXPORTER_OTLP_ENDPOINT: "localhost:9" }, url: "http://localhost:4318/v1/traces" },
  { environment: { OTEL_EXPORTER_OTLP_ENDPOINT: '"http://collector"' }, url: "http://localhost:4318/v1/traces" },
  {
    environment: { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: "collector", OTEL_EXPORTER_OTLP_ENDPOINT: "http://other" },
    url: "http://other/v1/traces",
  },
  { endpoint: "http://option", environment: { OTEL_EXPORTER_OTLP_ENDPOINT: "no" }, url: "http://option/v1/traces" },
])("spans go to $url: $endpoint $environment", ({ endpoint, environment, url }) => {
  const telemetry = start({ ...(endpoint === undefined ? {} : { endpoint }), environment, logger: new Log() });
  expect(telemetry.destinations).toEqual([{ kind: "otlp", url }]);
});

test("an address without a scheme is not taken for one: what was said to be ignored is not sent to", async () => {
  await using sink = await OtlpSink.start();
  const telemetry = start({
    environment: {
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: "localhost:9",
      OTEL_EXPORTER_OTLP_ENDPOINT: sink.endpoint,
    },
    logger: new Log(),
  });
  trace.getTracer("test").startSpan("span").end();
  expect(await telemetry.flush()).toEqual({ flushed: true });
  expect(sink.requests.map((request) => request.path)).toEqual(["/v1/traces"]);
});

test("OTEL_TRACES_EXPORTER=none: spans are recorded for the local sink and the processors, or nobody, which is said", () => {
  const environment = { OTEL_TRACES_EXPORTER: "none" };
  const log = new Log();
  const kept = start({ environment, localSink, spanProcessors: [processor], logger: log });
  expect([kept.recording, kept.destinations]).toEqual([true, [{ kind: "local" }, { kind: "processors" }]]);
  expect(log.messages).toEqual([]);
});

test.for([
  { environment: { OTEL_TRACES_EXPORTER: "none" }, why: "OTEL_TRACES_EXPORTER is none" },
  { exportSpans: false, why: "exportSpans is false" },
])("spans that nobody gets are said at the start: $why", ({ why, ...options }) => {
  const log = new Log();
  const telemetry = start({ ...options, logger: log });
  expect([telemetry.recording, telemetry.destinations]).toEqual([true, []]);
  expect(log.messages).toEqual([
    `TELEMETRY_NO_DESTINATION: spans are recorded and go nowhere: ${why}, and neither localSink nor spanProcessors is given`,
  ]);
});

test("where nothing records, spans go nowhere", () => {
  const environment = { OTEL_SDK_DISABLED: " TRUE " };
  const telemetry = start({ environment, localSink, logger: new Log() });
  expect([telemetry.recording, telemetry.destinations]).toEqual([false, []]);
});

test.for([
  { names: "console", destinations: [{ kind: "console" }], said: [] },
  { names: " console , otlp,", destinations: [DEFAULT, { kind: "console" }], said: [] },
  { names: "jaeger", destinations: [DEFAULT], said: ["jaeger"] },
  { names: "zipkin,console", destinations: [{ kind: "console" }], said: ["zipkin"] },
])("OTEL_TRACES_EXPORTER=$names: one that is not known is said and left out; alone, the default stands", (row) => {
  const log = new Log();
  const telemetry = start({ environment: { OTEL_TRACES_EXPORTER: row.names }, logger: log });
  expect(telemetry.destinations).toEqual(row.destinations);
  expect(log.messages).toEqual(
    row.said.map(
      (name) => `TELEMETRY_ENVIRONMENT_IGNORED: OTEL_TRACES_EXPORTER knows otlp, console and none, not "${name}"`,
    ),
  );
});
