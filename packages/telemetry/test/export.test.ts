import { logs, metrics, trace } from "@opentelemetry/api";
import { TelemetryError } from "@hookscope/telemetry";
import { expect, test } from "vitest";

import { Log, start } from "./support/lifecycle.ts";
import { OtlpSink } from "./support/otlp-sink.ts";

function makeSpans(count: number): void {
  const tracer = trace.getTracer("test");
  for (let index = 0; index < count; index += 1) tracer.startSpan(`span ${index}`).end();
}

/** A provider of an SDK sends what it has at once; the API's own has nothing to send. */
async function flushWhatThereIs(provider: object): Promise<void> {
  const delegate: unknown =
    "_getDelegate" in provider && typeof provider._getDelegate === "function" ? provider._getDelegate() : provider;
  if (typeof delegate !== "object" || delegate === null || !("forceFlush" in delegate)) return;
  if (typeof delegate.forceFlush === "function") await delegate.forceFlush();
}

test("a flush delivers every span that has ended", async () => {
  await using sink = await OtlpSink.start();
  const telemetry = start({ endpoint: sink.endpoint, serviceName: "agent" });
  makeSpans(3);
  expect(telemetry.queueSize()).toBe(3);
  expect(await telemetry.flush()).toEqual({ flushed: true });
  expect(sink.accepted.map((span) => span.name)).toEqual(["span 0", "span 1", "span 2"]);
  expect(telemetry.queueSize()).toBe(0);
  expect(telemetry.exported()).toBe(3);
});

test("nothing but traces is ever asked of the backend: no logs and no metrics exporter runs", async () => {
  await using sink = await OtlpSink.start();
  const telemetry = start({ environment: { OTEL_EXPORTER_OTLP_ENDPOINT: sink.endpoint } });
  makeSpans(2);
  metrics.getMeter("test").createCounter("count").add(1);
  logs.getLogger("test").emit({ body: "text" });
  await flushWhatThereIs(metrics.getMeterProvider());
  await flushWhatThereIs(logs.getLoggerProvider());
  await telemetry.shutdown();
  expect(sink.requests.map(({ method, path }) => `${method} ${path}`)).toEqual(["POST /v1/traces"]);
});

test("the resource names the service and tells nothing about the process, its owner or the host", async () => {
  await using sink = await OtlpSink.start();
  const telemetry = start({ endpoint: sink.endpoint, serviceName: "agent" });
  makeSpans(1);
  await telemetry.flush();
  expect(Object.keys(sink.requests[0]?.resource ?? {}).toSorted()).toEqual([
    "service.instance.id",
    "service.name",
    "telemetry.sdk.language",
    "telemetry.sdk.name",
    "telemetry.sdk.version",
  ]);
  expect(sink.requests[0]?.resource["service.name"]).toBe("agent");
});

test("a service that nobody named does not get the path of the machine's Node as its name", async () => {
  await using sink = await OtlpSink.start();
  const telemetry = start({ endpoint: sink.endpoint });
  makeSpans(1);
  await telemetry.flush();
  expect(sink.requests[0]?.resource["service.name"]).toBe("unknown_service:node");
});

test("the standard variables hold: endpoint, headers, service name, resource attributes", async () => {
  await using sink = await OtlpSink.start();
  const telemetry = start({
    environment: {
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${sink.endpoint}/own/path`,
      OTEL_EXPORTER_OTLP_HEADERS: "x-tenant=blue",
      OTEL_SERVICE_NAME: "from-environment",
      OTEL_RESOURCE_ATTRIBUTES: "deployment.environment.name=staging",
    },
  });
  makeSpans(1);
  await telemetry.flush();
  const [request] = sink.requests;
  expect(request?.path).toBe("/own/path");
  expect(request?.headers["x-tenant"]).toBe("blue");
  expect(request?.resource["service.name"]).toBe("from-environment");
  expect(request?.resource["deployment.environment.name"]).toBe("staging");
});

test("an option wins over its variable, and the process's own environment is left as it was", async () => {
  await using sink = await OtlpSink.start();
  const before = process.env;
  const telemetry = start({
    endpoint: `${sink.endpoint}/prefix/`,
    headers: { "x-tenant": "green" },
    serviceName: "from-option",
    environment: {
      OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:1",
      OTEL_EXPORTER_OTLP_HEADERS: "x-tenant=blue",
      OTEL_SERVICE_NAME: "from-environment",
    },
  });
  makeSpans(1);
  await telemetry.flush();
  expect(process.env).toBe(before);
  expect(sink.requests[0]?.path).toBe("/prefix/v1/traces");
  expect(sink.requests[0]?.headers["x-tenant"]).toBe("green");
  expect(sink.requests[0]?.resource["service.name"]).toBe("from-option");
});

test("OTEL_BSP_MAX_EXPORT_BATCH_SIZE sizes the requests", async () => {
  await using sink = await OtlpSink.start();
  const telemetry = start({ endpoint: sink.endpoint, environment: { OTEL_BSP_MAX_EXPORT_BATCH_SIZE: "2" } });
  makeSpans(5);
  await telemetry.flush();
  expect(sink.requests.map((request) => request.spans.length)).toEqual([2, 2, 1]);
});

test("spans that fill a batch go out without a flush", async () => {
  await using sink = await OtlpSink.start();
  start({ endpoint: sink.endpoint, queue: { maxBatchSize: 2 } });
  makeSpans(2);
  await sink.until(() => sink.accepted.length === 2);
  expect(sink.accepted.map((span) => span.name)).toEqual(["span 0", "span 1"]);
});

test("a sampler from the environment that leaves spans out leaves them out", async () => {
  await using sink = await OtlpSink.start();
  const telemetry = start({
    endpoint: sink.endpoint,
    environment: { OTEL_TRACES_SAMPLER: "traceidratio", OTEL_TRACES_SAMPLER_ARG: "0" },
  });
  makeSpans(10);
  expect(telemetry.recording).toBe(true);
  expect(await telemetry.flush()).toEqual({ flushed: true });
  expect(sink.requests).toEqual([]);
});

test("OTEL_TRACES_EXPORTER=none, or exportSpans: false, sends nothing", async () => {
  await using sink = await OtlpSink.start();
  const byVariable = start({
    endpoint: sink.endpoint,
    environment: { OTEL_TRACES_EXPORTER: "none" },
    logger: new Log(),
  });
  makeSpans(1);
  await byVariable.shutdown();
  const byOption = start({ endpoint: sink.endpoint, exportSpans: false, logger: new Log() });
  makeSpans(1);
  await byOption.shutdown();
  expect(sink.requests).toEqual([]);
});

test("after a shutdown telemetry can be started again", async () => {
  await using sink = await OtlpSink.start();
  await start({ endpoint: sink.endpoint }).shutdown();
  const second = start({ endpoint: sink.endpoint });
  makeSpans(1);
  expect(second.recording).toBe(true);
  expect(await second.flush()).toEqual({ flushed: true });
  expect(sink.accepted.map((span) => span.name)).toEqual(["span 0"]);
});

test.for([
  { options: { endpoint: "localhost:4318" }, code: "TELEMETRY_ENDPOINT_INVALID" },
  { options: { endpoint: "" }, code: "TELEMETRY_ENDPOINT_INVALID" },
  { options: { attributeValueLengthLimit: 10 }, code: "TELEMETRY_OPTION_INVALID" },
  { options: { queue: { maxQueueSize: 0 } }, code: "TELEMETRY_OPTION_INVALID" },
  { options: { exitHandling: { timeoutMs: -1 } }, code: "TELEMETRY_OPTION_INVALID" },
  // No program can listen for it, and the SDK must not be registered by then.
  { options: { exitHandling: { signals: ["SIGKILL" as "SIGHUP"] } }, code: "TELEMETRY_OPTION_INVALID" },
] as const)("an option that cannot be used is refused: $options", ({ options, code }) => {
  const failure = (() => {
    try {
      return start(options);
    } catch (error) {
      return error;
    }
  })();
  expect(failure).toBeInstanceOf(TelemetryError);
  expect((failure as TelemetryError).code).toBe(code);
});
