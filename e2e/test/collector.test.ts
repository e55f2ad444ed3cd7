import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { PATIENCE_MS, poll } from "../backends/poll.ts";
import { temporaryDirectory } from "../backends/process.ts";
import { startCollector, startJaeger, type Collector, type Jaeger } from "../backends/start.ts";
import { runTool, type ToolResult } from "../backends/tool.ts";
import { findTraces, readTrace } from "../jaeger-client.ts";
import { spansOf, type OtlpTraces } from "../otlp-spans.ts";
import { newSpanId, newTraceId, postSpans } from "./post-spans.ts";

const config = join(import.meta.dirname, "fixtures/collector.yaml");
let jaeger: Jaeger;
let collector: Collector;
let queue: Awaited<ReturnType<typeof temporaryDirectory>>;
let env: Record<string, string>;

beforeAll(async () => {
  queue = await temporaryDirectory("queue");
  jaeger = await startJaeger();
  env = { QUEUE_DIRECTORY: queue.path, JAEGER_HTTP: jaeger.otlpHttpUrl, JAEGER_GRPC: jaeger.otlpGrpcEndpoint };
  collector = await startCollector({ config, env, writes: [queue.path] });
});
afterAll(async () => {
  await collector?.stop();
  await jaeger?.stop();
  await queue?.remove();
});

test("a span goes through every processor, is kept for its block, and comes back from Jaeger", async () => {
  const [kept, dropped] = [newTraceId(), newTraceId()];
  await postSpans(collector.otlpHttpUrl, "through-collector", [
    span(dropped, "invoke_agent reviewer", { "agent_turn.has_block": false }),
    span(kept, "noise", {}),
    span(kept, "invoke_agent reviewer", {
      "agent_turn.has_block": true,
      "gen_ai.usage.input_tokens": 7,
      access_token: "hidden",
      note: "sk-abcdef012345",
      long: "0123456789",
    }),
  ]);

  const stored = await readTrace(jaeger.queryUrl, kept);
  expect(stored.map(({ name, attributes, resource }) => ({ name, attributes, resource }))).toEqual([
    {
      name: "invoke_agent reviewer",
      attributes: {
        "agent_turn.has_block": true,
        "gen_ai.usage.input_tokens": 7,
        access_token: "****",
        note: "****",
        long: "01234567",
        seen_by: "attributes",
      },
      resource: { "service.name": "through-collector", "deployment.environment.name": "e2e" },
    },
  ]);
  expect(await findTraces(jaeger.queryUrl, { service: "through-collector" })).toEqual([kept]);
});

test.for(["otlp_grpc", "load_balancing"])("the exporter %s reaches Jaeger too", async (exporter) => {
  const files = await temporaryDirectory(exporter);
  const other = await startCollector({
    config,
    env: { ...env, QUEUE_DIRECTORY: files.path },
    overrides: [`service::pipelines::traces/kept::exporters: [${exporter}]`],
    writes: [files.path],
  });
  try {
    const traceId = newTraceId();
    await postSpans(other.otlpHttpUrl, exporter, [span(traceId, exporter, { "agent_turn.has_block": true })]);
    expect((await readTrace(jaeger.queryUrl, traceId)).map(({ name }) => name)).toEqual([exporter]);
  } finally {
    await other.stop();
    await files.remove();
  }
});

test("span metrics of all spans, sampled or not, are offered to a scraper", async () => {
  await postSpans(collector.otlpHttpUrl, "counted", [span(newTraceId(), "counted span", {})]);
  const calls = /^traces_span_metrics_calls_total\{.*service_name="counted".*span_name="counted span".*\} 1$/m;
  expect(await scraped(collector.prometheusUrl, calls)).toMatch(calls);
});

test("the collector offers its own telemetry", async () => {
  await postSpans(collector.otlpHttpUrl, "own-telemetry", [span(newTraceId(), "any", {})]);
  const accepted = /^otelcol_receiver_accepted_spans.*\} [1-9]/m;
  expect(await scraped(collector.metricsUrl, accepted)).toMatch(accepted);
});

test("the file exporter writes what the collector received", async () => {
  const traceId = newTraceId();
  await postSpans(collector.otlpHttpUrl, "filed", [span(traceId, "filed span", {})]);
  const read = (): Promise<string> => readFile(join(queue.path, "spans.json"), "utf8");
  const text = await eventually(read, (content) => content.includes(traceId));
  const last = spansOf(JSON.parse(text.trim().split("\n").at(-1) ?? "") as OtlpTraces);
  expect(last.map(({ name }) => name)).toEqual(["filed span"]);
});

test.for([
  "exporters::otlp::endpoint: 127.0.0.1:4317",
  "exporters::otlphttp::endpoint: http://127.0.0.1:4318",
  "exporters::loadbalancing::resolver::static::hostnames: [one]",
  "connectors::spanmetrics::namespace: old",
])("the deprecated name in %j is still understood", async (setting) => {
  expect(await validate(setting)).toEqual({ exitCode: 0, stdout: "", stderr: "" });
});

test("a component that the build does not have is refused by name", async () => {
  const { exitCode, stderr } = await validate("extensions::healthcheckv2::use_v2: true");
  expect({ exitCode, unknown: /unknown type: "(\w+)"/.exec(stderr)?.[1] }).toEqual({
    exitCode: 1,
    unknown: "healthcheckv2",
  });
});

function validate(setting: string): Promise<ToolResult> {
  return runTool({
    backend: "collector",
    program: "collector",
    args: ["validate", `--config=file:${config}`, `--config=yaml:${setting}`],
    env,
    reads: [config],
  });
}

async function scraped(url: string, wanted: RegExp): Promise<string> {
  return eventually(
    async () => (await fetch(url)).text(),
    (text) => wanted.test(text),
  );
}

/** The first text that fits, or when patience is over the one that did not. */
async function eventually(read: () => Promise<string>, fits: (text: string) => boolean): Promise<string> {
  const deadline = performance.now() + PATIENCE_MS;
  return poll(
    async () => {
      const text = await read();
      return fits(text) || performance.now() > deadline ? text : undefined;
    },
    { timeoutMs: 2 * PATIENCE_MS, onTimeout: () => new Error("reading does not end") },
  );
}

function span(traceId: string, name: string, attributes: Readonly<Record<string, string | number | boolean>>) {
  const start = BigInt(Date.now()) * 1_000_000n;
  return {
    traceId,
    spanId: newSpanId(),
    name,
    kind: 1,
    startTimeUnixNano: String(start),
    endTimeUnixNano: String(start + 2_000_000n),
    attributes: Object.entries(attributes).map(([key, value]) => ({ key, value: otlpValue(value) })),
  };
}

function otlpValue(value: string | number | boolean) {
  if (typeof value === "boolean") return { boolValue: value };
  return typeof value === "number" ? { intValue: String(value) } : { stringValue: value };
}
