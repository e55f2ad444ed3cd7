import { trace } from "@opentelemetry/api";
import { expect, test } from "vitest";

import { Log, start } from "./support/lifecycle.ts";
import { OtlpSink } from "./support/otlp-sink.ts";

const HERE = { exportSpans: false, localSink: { export: () => {}, shutdown: () => Promise.resolve() } };

async function saidOf(environment: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const log = new Log();
  await start({ ...HERE, environment, logger: log }).shutdown();
  return log.messages;
}

const ignored = (name: string, expected: string): string =>
  `TELEMETRY_ENVIRONMENT_IGNORED: ${name} must be ${expected}`;

test("variables that cannot be used are said once each, by name, and their defaults stand", () => {
  const log = new Log();
  const telemetry = start({
    ...HERE,
    logger: log,
    environment: {
      OTEL_BSP_MAX_QUEUE_SIZE: "many",
      OTEL_EXPORTER_OTLP_ENDPOINT: "collector",
      OTEL_EXPORTER_OTLP_PROTOCOL: "grpc",
    },
  });
  expect(telemetry.recording).toBe(true);
  expect(log.messages).toEqual([
    "TELEMETRY_ENVIRONMENT_IGNORED: OTEL_EXPORTER_OTLP_ENDPOINT is not an http or https URL; ignored",
    "TELEMETRY_PROTOCOL_UNSUPPORTED: OTLP over gRPC is not spoken here; http/json is used",
    "TELEMETRY_ENVIRONMENT_IGNORED: OTEL_BSP_MAX_QUEUE_SIZE must be a whole number of at least 1; ignored",
  ]);
});

const PAIRS = "key=value pairs with commas between them; what is not is ignored";
const ATTRIBUTES = "key=value pairs with commas between them, each part at most 255 characters; what is not is ignored";
const READABLE = "a file that can be read; what is not is ignored";
const TIMEOUT = "a number of milliseconds above 0; what is not is ignored";
const RATIO = "a number from 0 to 1; what is not is ignored";

test.for([
  { name: "OTEL_EXPORTER_OTLP_TIMEOUT", values: ["0", "-5", "soon", "NaN", "Infinity"], expected: TIMEOUT },
  { name: "OTEL_EXPORTER_OTLP_TRACES_TIMEOUT", values: ["0"], expected: TIMEOUT },
  { name: "OTEL_EXPORTER_OTLP_COMPRESSION", values: ["br", "GZIP"], expected: "none or gzip; what is not is ignored" },
  { name: "OTEL_EXPORTER_OTLP_HEADERS", values: ["token", "a=1,=2", "a=%zz", "a=b;c", "a="], expected: PAIRS },
  { name: "OTEL_EXPORTER_OTLP_CERTIFICATE", values: ["/nowhere/ca.pem"], expected: READABLE },
  { name: "OTEL_EXPORTER_OTLP_TRACES_CLIENT_KEY", values: ["/nowhere/key.pem"], expected: READABLE },
  {
    name: "OTEL_RESOURCE_ATTRIBUTES",
    values: ["a", "a=b=c", "a=1,=2", "a=%zz", `a=${"x".repeat(256)}`],
    expected: ATTRIBUTES,
  },
  { name: "OTEL_SDK_DISABLED", values: ["1", "yes"], expected: "true or false; what is not is ignored" },
  {
    name: "OTEL_EXPORTER_OTLP_PROTOCOL",
    values: ["http", "HTTP/JSON"],
    expected: "http/json, http/protobuf or grpc; what is not is ignored",
  },
  {
    name: "OTEL_TRACES_SAMPLER",
    values: ["ALWAYS_OFF", "jaeger_remote"],
    expected:
      "one of always_on, parentbased_always_on, always_off, parentbased_always_off, traceidratio, parentbased_traceidratio; what is not is ignored",
  },
])("$name: what the SDK would pass over in silence is said, without its value", async ({ name, values, expected }) => {
  for (const value of values)
    expect([value, await saidOf({ [name]: value })]).toEqual([value, [ignored(name, expected)]]);
});

test("a ratio that is none is said where a sampler takes one", async () => {
  for (const OTEL_TRACES_SAMPLER_ARG of ["2", "-1", "half"]) {
    expect(await saidOf({ OTEL_TRACES_SAMPLER: "parentbased_traceidratio", OTEL_TRACES_SAMPLER_ARG })).toEqual([
      ignored("OTEL_TRACES_SAMPLER_ARG", RATIO),
    ]);
    expect(await saidOf({ OTEL_TRACES_SAMPLER: "always_on", OTEL_TRACES_SAMPLER_ARG })).toEqual([]);
  }
});

test("variables that can be used, and blank ones, are not said", async () => {
  expect(
    await saidOf({
      OTEL_EXPORTER_OTLP_TIMEOUT: " 500 ",
      OTEL_EXPORTER_OTLP_COMPRESSION: "gzip",
      OTEL_EXPORTER_OTLP_HEADERS: "authorization=Basic%20YTpiPQ==,x-tenant=a%2Cb",
      OTEL_EXPORTER_OTLP_CERTIFICATE: import.meta.filename,
      OTEL_RESOURCE_ATTRIBUTES: "team=a%3Db, deployment.environment.name=staging,",
      OTEL_SDK_DISABLED: "FALSE",
      OTEL_TRACES_SAMPLER: "traceidratio",
      OTEL_TRACES_SAMPLER_ARG: "0.5",
      OTEL_EXPORTER_OTLP_TRACES_TIMEOUT: " ",
      OTEL_BSP_EXPORT_TIMEOUT: "",
    }),
  ).toEqual([]);
});

test("blanks around a value mean the same to the SDK as to what is said about it", async () => {
  await using sink = await OtlpSink.start();
  const telemetry = start({
    environment: {
      OTEL_EXPORTER_OTLP_ENDPOINT: ` ${sink.endpoint}/ `,
      OTEL_SERVICE_NAME: " agent\n",
      OTEL_TRACES_SAMPLER: "always_on ",
    },
  });
  trace.getTracer("test").startSpan("span").end();
  expect(await telemetry.flush()).toEqual({ flushed: true });
  expect(sink.requests.map(({ path, resource }) => [path, resource["service.name"]])).toEqual([
    ["/v1/traces", "agent"],
  ]);
  await telemetry.shutdown();
  expect(start({ environment: { OTEL_TRACES_SAMPLER: " always_off " }, logger: new Log() }).recording).toBe(false);
  expect(trace.getTracer("test").startSpan("span").isRecording()).toBe(false);
});

test("headers with an encoded comma and an equals sign arrive as they were meant, compressed or not", async () => {
  await using sink = await OtlpSink.start();
  const telemetry = start({
    environment: {
      OTEL_EXPORTER_OTLP_ENDPOINT: sink.endpoint,
      OTEL_EXPORTER_OTLP_HEADERS: "authorization=Basic%20YTpiPQ==,x-tenant=a%2Cb",
      OTEL_EXPORTER_OTLP_COMPRESSION: "gzip",
    },
  });
  trace.getTracer("test").startSpan("span").end();
  expect(await telemetry.flush()).toEqual({ flushed: true });
  const headers = sink.requests[0]?.headers;
  expect([headers?.authorization, headers?.["x-tenant"], headers?.["content-encoding"]]).toEqual([
    "Basic YTpiPQ==",
    "a,b",
    "gzip",
  ]);
  expect(sink.accepted.map((span) => span.name)).toEqual(["span"]);
});

test("a time limit longer than a timer can be is as long as one can be", async () => {
  await using sink = await OtlpSink.start();
  const telemetry = start({
    endpoint: sink.endpoint,
    environment: { OTEL_BSP_EXPORT_TIMEOUT: "99999999999", OTEL_BSP_SCHEDULE_DELAY: "99999999999" },
  });
  sink.answer = "hang";
  trace.getTracer("test").startSpan("span").end();
  const flushed = telemetry.flush({ timeoutMs: Infinity });
  await sink.until(() => sink.requests.length === 1);
  sink.release();
  expect(await flushed).toEqual({ flushed: true });
});
