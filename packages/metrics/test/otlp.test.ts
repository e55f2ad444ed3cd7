import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { createHookBus } from "@hookscope/hooks";
import { afterEach, expect, test } from "vitest";

import { startOtlpMetrics, type OtlpMetrics } from "../src/otlp/index.ts";
import { failedCall, modelCall, rig, toolCall, TURN, usage } from "./support.ts";

interface Point {
  readonly attributes: readonly { readonly key: string; readonly value: { readonly stringValue: string } }[];
  readonly [field: string]: unknown;
}

interface Metric {
  readonly name: string;
  readonly unit: string;
  readonly sum?: { readonly dataPoints: readonly Point[]; readonly isMonotonic: boolean };
  readonly gauge?: { readonly dataPoints: readonly Point[] };
  readonly histogram?: { readonly dataPoints: readonly Point[] };
}

/** Time that no load of the machine uses up. */
const HOUR_MS = 3_600_000;
const servers: Server[] = [];
const running: OtlpMetrics[] = [];
afterEach(async () => {
  await Promise.all(running.splice(0).map((otlp) => otlp.shutdown({ timeoutMs: 100 })));
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

interface Receiver {
  url: string;
  /** What it answers with; undefined: nothing. */
  status: number | undefined;
  metrics: Metric[];
  resource: unknown;
}

/** An OTLP receiver: a real HTTP server that keeps what arrives, and answers as it is told. */
async function receiver(): Promise<Receiver> {
  const seen: Receiver = { url: "", status: 200, metrics: [], resource: undefined };
  const server = createServer((request, response) => {
    let body = "";
    request.setEncoding("utf8");
    request.on("data", (chunk: string) => (body += chunk));
    request.on("end", () => {
      if (seen.status === undefined) return;
      response.writeHead(seen.status, { "content-type": "application/json" }).end("{}");
      if (seen.status !== 200) return;
      const [first] = (
        JSON.parse(body) as { resourceMetrics: { resource: unknown; scopeMetrics: { metrics: Metric[] }[] }[] }
      ).resourceMetrics;
      seen.resource = first?.resource;
      seen.metrics = first?.scopeMetrics.flatMap(({ metrics }) => metrics) ?? [];
    });
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  seen.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/metrics`;
  return seen;
}

type Attributes = Point["attributes"];

const asObject = (attributes: Attributes = []): Readonly<Record<string, string>> =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, value.stringValue]));
const labelsOf = (point: Point | undefined): object => asObject(point?.attributes);
const resourceOf = (seen: { readonly resource: unknown }): Readonly<Record<string, string>> =>
  asObject((seen.resource as { readonly attributes?: Attributes } | undefined)?.attributes);

test("the metrics of the table arrive with the same values as a scrape, once each", async () => {
  const seen = await receiver();
  const { metrics, fire } = rig();
  const otlp = startOtlpMetrics({ metrics, url: seen.url, resource: { "service.name": "bot" } });
  running.push(otlp);
  await fire("post_tool_call", toolCall({ duration_ms: 20 }));
  await fire("post_tool_call", toolCall({ duration_ms: 700_000 }));
  await otlp.flush({ timeoutMs: HOUR_MS });
  const named = (name: string): Metric | undefined => seen.metrics.find((metric) => metric.name === name);
  const names = seen.metrics.map(({ name }) => name);
  expect(names.length).toBe(new Set(names).size);
  expect(resourceOf(seen)["service.name"]).toBe("bot");
  const calls = named("agent_tool_calls_total")?.sum;
  expect([calls?.isMonotonic, calls?.dataPoints[0]?.["asDouble"], labelsOf(calls?.dataPoints[0])]).toEqual([
    true,
    2,
    { tool: "shell", agent: "reviewer", outcome: "completed" },
  ]);
  const duration = named("agent_tool_duration_seconds");
  expect([duration?.unit, duration?.histogram?.dataPoints[0]]).toMatchObject([
    "s",
    { count: 2, sum: 700.02, bucketCounts: [0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1] },
  ]);
  expect(named("agent_turns_in_flight")?.gauge?.dataPoints[0]?.["asDouble"]).toBe(0);
});

test("two processes of one service are two series: each has an instance of its own, unless it is given", async () => {
  const instances: unknown[] = [];
  for (const resource of [{}, {}, { "service.instance.id": "pod-7" }]) {
    const seen = await receiver();
    const otlp = startOtlpMetrics({
      metrics: rig().metrics,
      url: seen.url,
      resource: { "service.name": "bot", ...resource },
    });
    running.push(otlp);
    await otlp.flush({ timeoutMs: HOUR_MS });
    instances.push(resourceOf(seen)["service.instance.id"]);
  }
  const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
  expect(instances).toEqual([expect.stringMatching(uuid), expect.stringMatching(uuid), "pod-7"]);
  expect(new Set(instances).size).toBe(3);
});

test("the metrics of the GenAI convention arrive beside ours, in their units", async () => {
  const seen = await receiver();
  const { metrics } = rig();
  const otlp = startOtlpMetrics({ metrics, url: seen.url });
  running.push(otlp);
  const bus = createHookBus({ hooks: [otlp.hook] });
  await bus.dispatch("post_api_request", modelCall({ usage: usage({ input_tokens: 20, output_tokens: 3 }) }), {
    turn: TURN,
  });
  await bus.dispatch("api_request_error", failedCall(), { turn: TURN });
  await otlp.flush({ timeoutMs: HOUR_MS });
  const points = (name: string): readonly unknown[] =>
    seen.metrics
      .find((metric) => metric.name === name)
      ?.histogram?.dataPoints.map((point) => [labelsOf(point), point["sum"]]) ?? [];
  const common = {
    "gen_ai.operation.name": "chat",
    "gen_ai.provider.name": "anthropic",
    "gen_ai.request.model": "claude-sonnet-4-5",
  };
  const answered = { ...common, "gen_ai.response.model": "claude-sonnet-4-5" };
  expect(points("gen_ai.client.operation.duration")).toEqual([
    [answered, 2],
    [{ ...common, "error.type": "Overloaded" }, 0.5],
  ]);
  expect(points("gen_ai.client.token.usage")).toEqual([
    [{ ...answered, "gen_ai.token.type": "input" }, 20],
    [{ ...answered, "gen_ai.token.type": "output" }, 3],
  ]);
});

test("an export that is refused is counted and said once until one arrives, which makes up for it", async () => {
  const seen = await receiver();
  const { metrics, fire } = rig();
  const warnings: string[] = [];
  const logger = { warn: (message: string) => void warnings.push(message) };
  const otlp = startOtlpMetrics({ metrics, url: seen.url, logger });
  running.push(otlp);
  await fire("post_tool_call", toolCall());
  seen.status = 400;
  await otlp.flush({ timeoutMs: HOUR_MS });
  await otlp.flush({ timeoutMs: HOUR_MS });
  expect([otlp.failures, warnings.length, warnings[0]?.startsWith("metrics were not exported: ")]).toEqual([
    2,
    1,
    true,
  ]);
  seen.status = 200;
  await otlp.flush({ timeoutMs: HOUR_MS });
  const calls = seen.metrics.find(({ name }) => name === "agent_tool_calls_total");
  expect([otlp.failures, calls?.sum?.dataPoints[0]?.["asDouble"]]).toEqual([2, 1]);
  seen.status = 400;
  await otlp.flush({ timeoutMs: HOUR_MS });
  await otlp.flush({ timeoutMs: HOUR_MS });
  expect([otlp.failures, warnings.length]).toEqual([4, 2]);
});

test("a flush that gets no answer ends after its time, and what did not arrive is counted and said once", async () => {
  const seen = await receiver();
  const warnings: string[] = [];
  const logger = { warn: (message: string) => void warnings.push(message) };
  const otlp = startOtlpMetrics({ metrics: rig().metrics, url: seen.url, logger });
  running.push(otlp);
  seen.status = undefined;
  await otlp.flush({ timeoutMs: 50 });
  const why = "there was no answer in time. They add up, so a later export makes up for it.";
  expect([otlp.failures, warnings]).toEqual([1, [`metrics were not exported: ${why}`]]);
});

test("a flush to an address where nobody listens ends within its time", async () => {
  const { metrics } = rig();
  const otlp = startOtlpMetrics({ metrics, url: "http://127.0.0.1:1/v1/metrics", logger: { warn: () => undefined } });
  running.push(otlp);
  await otlp.flush({ timeoutMs: 50 });
  await expect(otlp.shutdown({ timeoutMs: 50 })).resolves.toBeUndefined();
});

test.for([
  { url: "nonsense" },
  { url: "localhost:4318/v1/metrics" },
  { intervalMs: 0 },
  // A timer that is set for longer fires each millisecond.
  { intervalMs: 2 ** 31 },
  { timeoutMs: Number.NaN },
])("an option that cannot be used is refused: %j", (options) => {
  const { metrics } = rig();
  expect(() => startOtlpMetrics({ metrics, url: "http://127.0.0.1:4318/v1/metrics", ...options })).toThrow(
    expect.objectContaining({ code: "METRICS_OPTION_INVALID" }),
  );
});
