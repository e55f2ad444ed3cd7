import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { poll } from "../backends/poll.ts";
import { temporaryDirectory } from "../backends/process.ts";
import { startCollector, startJaeger, type Collector, type Jaeger } from "../backends/start.ts";
import { findTraces, readTrace } from "../jaeger-client.ts";
import { newSpanId, newTraceId, postSpans } from "./post-spans.ts";

/*
 * collector/agent.yaml in front of two gateways (collector.yaml and gateway.yaml), as the compose stack's profile `scale`
 * has them. The agent finds them by DNS there; here, where there is one host, their addresses are given.
 */
const shipped = (file: string): string => join(import.meta.dirname, "../../collector", file);
const stops: (() => Promise<unknown>)[] = [];
let jaeger: Jaeger;
let gateways: readonly Collector[];
let agent: Collector;

beforeAll(async () => {
  jaeger = await startJaeger({ config: shipped("jaeger.yaml") });
  stops.push(() => jaeger.stop());
  gateways = await Promise.all([startGateway(), startGateway()]);
  const hostnames = gateways.map(({ otlpGrpcEndpoint }) => otlpGrpcEndpoint).join(", ");
  agent = await startCollector({
    config: shipped("agent.yaml"),
    overrides: [
      "exporters::load_balancing::resolver::dns: null",
      `exporters::load_balancing::resolver::static::hostnames: [${hostnames}]`,
    ],
  });
  stops.push(() => agent.stop());
});
afterAll(async () => {
  for (const stop of stops.toReversed()) await stop();
});

async function startGateway(): Promise<Collector> {
  const queue = await temporaryDirectory("queue");
  const gateway = await startCollector({
    config: [shipped("collector.yaml"), shipped("gateway.yaml")],
    env: {
      HOOKSCOPE_JAEGER: jaeger.otlpGrpcEndpoint,
      HOOKSCOPE_QUEUE: queue.path,
      HOOKSCOPE_DECISION_WAIT: "5s",
      HOOKSCOPE_KEEP_PERCENT: "0",
    },
    writes: [queue.path],
  });
  stops.push(
    () => queue.remove(),
    () => gateway.stop(),
  );
  return gateway;
}

interface Turn {
  readonly traceId: string;
  readonly keep: boolean;
}

test("blocked, failed, slow and costly turns are kept whole, the others not, and metrics count them all", async () => {
  const kinds = [
    { keep: false, turn: {}, tool: { "agent_tool.outcome": "completed" } },
    { keep: true, turn: { "agent_turn.has_block": true }, tool: { "agent_tool.outcome": "blocked" } },
    { keep: true, turn: {}, tool: { "agent_tool.outcome": "denied" } },
    { keep: true, turn: { "agent_turn.cost_usd": 2.5 }, tool: { "agent_tool.outcome": "completed" } },
    { keep: true, turn: {}, tool: { "agent_tool.outcome": "failed" }, failed: true },
    { keep: true, turn: {}, tool: { "agent_tool.outcome": "completed" }, seconds: 90 },
  ];
  const turns: Turn[] = [];
  for (const kind of Array.from({ length: 10 }, () => kinds).flat()) {
    const turn = turnOf(kind);
    turns.push({ traceId: turn.traceId, keep: kind.keep });
    // The two halves arrive apart, as they do from two machines.
    for (const span of turn.spans) await postSpans(agent.otlpHttpUrl, "sampled", [span]);
  }

  expect(await countedCalls(turns.length)).toBe(turns.length);
  const kept = turns.filter(({ keep }) => keep).map(({ traceId }) => traceId);
  const found = await findTraces(jaeger.queryUrl, { service: "sampled", limit: 200, expectedTraces: kept.length });
  expect(found.toSorted()).toEqual(kept.toSorted());
  for (const traceId of kept.slice(0, 6)) {
    expect((await readTrace(jaeger.queryUrl, traceId, { expectedSpans: 2 })).length).toBe(2);
  }
});

test("both gateways had turns", async () => {
  const accepted = await Promise.all(
    gateways.map(({ metricsUrl }) => valuesOf(metricsUrl, /^otelcol_receiver_accepted_spans/)),
  );
  expect(accepted.filter(([spans = 0]) => spans > 0).length).toBe(2);
});

/** Tool calls that the gateways made metrics of, once there are so many. */
function countedCalls(expected: number): Promise<number> {
  let counted = 0;
  return poll(
    async () => {
      const calls = await Promise.all(
        gateways.map(({ prometheusUrl }) =>
          valuesOf(prometheusUrl, /^hookscope_span_calls_total\{.*agent_tool_outcome="/),
        ),
      );
      counted = calls.flat().reduce((sum, value) => sum + value, 0);
      return counted >= expected ? counted : undefined;
    },
    { intervalMs: 250, onTimeout: () => new Error(`${counted} of ${expected} calls are counted`) },
  );
}

async function valuesOf(url: string, line: RegExp): Promise<readonly number[]> {
  const text = await (await fetch(url)).text();
  return text
    .split("\n")
    .filter((each) => line.test(each))
    .map((each) => Number(/\} (\S+)/.exec(each)?.[1]));
}

interface Kind {
  readonly turn: Readonly<Record<string, boolean | number>>;
  readonly tool: Readonly<Record<string, string>>;
  readonly failed?: boolean;
  readonly seconds?: number;
}

function turnOf({ turn, tool, failed = false, seconds = 1 }: Kind) {
  const traceId = newTraceId();
  const [root, start] = [newSpanId(), BigInt(Date.now()) * 1_000_000n];
  const end = start + BigInt(seconds) * 1_000_000_000n;
  const span = (name: string, attributes: Readonly<Record<string, string | boolean | number>>) => ({
    traceId,
    name,
    kind: 1,
    startTimeUnixNano: String(start),
    endTimeUnixNano: String(end),
    attributes: Object.entries(attributes).map(([key, value]) => ({ key, value: otlpValue(value) })),
  });
  return {
    traceId,
    spans: [
      {
        ...span("execute_tool shell", tool),
        spanId: newSpanId(),
        parentSpanId: root,
        ...(failed ? { status: { code: 2 } } : {}),
      },
      { ...span("invoke_agent reviewer", turn), spanId: root },
    ],
  };
}

function otlpValue(value: string | boolean | number) {
  if (typeof value === "boolean") return { boolValue: value };
  return typeof value === "number" ? { doubleValue: value } : { stringValue: value };
}
