import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { temporaryDirectory } from "../backends/process.ts";
import { startCollector, startJaeger, type Collector, type Jaeger } from "../backends/start.ts";
import { readTrace } from "../jaeger-client.ts";
import { newSpanId, newTraceId, postSpans } from "./post-spans.ts";

/*
 * The second line of defence, collector/collector.yaml: spans of libraries that no redactor of ours has seen. The secrets
 * are put together here, so that none stands in the file.
 */
const shipped = (file: string): string => join(import.meta.dirname, "../../collector", file);
const KEY = `sk-ant-${"A".repeat(30)}`;
const PASSWORD = "hunter2-hunter2";
const now = BigInt(Date.now()) * 1_000_000n;
let jaeger: Jaeger;
let collector: Collector;
let queue: Awaited<ReturnType<typeof temporaryDirectory>>;

beforeAll(async () => {
  queue = await temporaryDirectory("queue");
  jaeger = await startJaeger({ config: shipped("jaeger.yaml") });
  collector = await startCollector({
    config: shipped("collector.yaml"),
    env: { HOOKSCOPE_JAEGER: jaeger.otlpGrpcEndpoint, HOOKSCOPE_QUEUE: queue.path },
    writes: [queue.path],
  });
});
afterAll(async () => {
  await collector?.stop();
  await jaeger?.stop();
  await queue?.remove();
});

test("secrets are taken out of attributes, lists, maps, names and messages; what stands beside them stays", async () => {
  const traceId = newTraceId();
  await postSpans(collector.otlpHttpUrl, "third-party", [
    {
      traceId,
      spanId: newSpanId(),
      name: `GET /?key=${KEY}`,
      kind: 3,
      startTimeUnixNano: String(now),
      endTimeUnixNano: String(now + 2_000_000n),
      status: { code: 2, message: `refused: ${KEY}` },
      attributes: [
        text("url", `https://bot:${PASSWORD}@example.com/`),
        text("db.password", PASSWORD),
        text("body", JSON.stringify({ user: "bot", password: PASSWORD })),
        list("command", ["--key", KEY]),
        list("plain", ["--verbose"]),
        {
          key: "headers",
          value: { kvlistValue: { values: [text("x-api-key", PASSWORD), text("host", "example.com")] } },
        },
        { key: "gen_ai.usage.input_tokens", value: { intValue: "7" } },
      ],
      events: [
        { name: `exception ${KEY}`, timeUnixNano: String(now), attributes: [text("exception.message", `no ${KEY}`)] },
      ],
    },
  ]);
  const stored = await readTrace(jaeger.queryUrl, traceId);
  const seen = stored.map(({ name, status, attributes, events }) => ({
    name,
    status,
    attributes,
    events: events.map((event) => ({ name: event.name, attributes: event.attributes })),
  }));
  expect(seen).toEqual([
    {
      name: "GET /?key=****",
      status: { code: "ERROR", message: "refused: ****" },
      attributes: {
        url: "****example.com/",
        "db.password": "****",
        body: '{"user":"bot",****}',
        command: '["--key","****"]',
        plain: ["--verbose"],
        headers: '{"host":"example.com",****}',
        "gen_ai.usage.input_tokens": 7,
      },
      events: [{ name: "exception ****", attributes: { "exception.message": "no ****" } }],
    },
  ]);
});

test("a span without a secret comes back as it was, without an attribute more", async () => {
  const traceId = newTraceId();
  await postSpans(collector.otlpHttpUrl, "plain", [
    {
      traceId,
      spanId: newSpanId(),
      name: "execute_tool shell",
      kind: 1,
      startTimeUnixNano: String(now),
      endTimeUnixNano: String(now + 2_000_000n),
      attributes: [text("gen_ai.tool.name", "shell")],
    },
  ]);
  const [span, ...more] = await readTrace(jaeger.queryUrl, traceId);
  expect([span?.name, span?.status, span?.attributes, span?.events, more]).toEqual([
    "execute_tool shell",
    { code: "UNSET" },
    { "gen_ai.tool.name": "shell" },
    [],
    [],
  ]);
});

function text(key: string, stringValue: string) {
  return { key, value: { stringValue } };
}

function list(key: string, values: readonly string[]) {
  return { key, value: { arrayValue: { values: values.map((stringValue) => ({ stringValue })) } } };
}
