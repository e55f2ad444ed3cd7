import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { poll } from "../backends/poll.ts";
import { temporaryDirectory } from "../backends/process.ts";
import { startCollector, type Collector } from "../backends/start.ts";
import { newSpanId, newTraceId, postSpans } from "./post-spans.ts";

/* What collector/collector.yaml makes metrics of. Jaeger is away meanwhile, which they do not feel. */
let collector: Collector;
let queue: Awaited<ReturnType<typeof temporaryDirectory>>;

beforeAll(async () => {
  queue = await temporaryDirectory("queue");
  collector = await startCollector({
    config: join(import.meta.dirname, "../../collector/collector.yaml"),
    env: { HOOKSCOPE_JAEGER: "127.0.0.1:1", HOOKSCOPE_QUEUE: queue.path },
    writes: [queue.path],
  });
});
afterAll(async () => {
  await collector?.stop();
  await queue?.remove();
});

test("after calls of more made-up tools than there may be series, a blocked call still has its tool, hook and cause", async () => {
  const madeUp = Array.from({ length: 2_500 }, (_, index) => call(`made_up_${index}`, "failed"));
  await postSpans(collector.otlpHttpUrl, "inventive", madeUp);
  const stopped = { "agent_tool.blocked_by": "guard", "agent_tool.cause": "policy" };
  await postSpans(collector.otlpHttpUrl, "inventive", [call("shell", "blocked", stopped)]);
  const all = madeUp.length + 1;
  const series = await poll(
    async () => {
      const lines = (await (await fetch(collector.prometheusUrl)).text()).split("\n");
      const found = lines.filter((line) => line.startsWith("hookscope_span_calls_total{")).map(shown);
      return found.reduce((sum, { calls }) => sum + calls, 0) === all ? found : undefined;
    },
    { intervalMs: 250, onTimeout: () => new Error(`${all} calls are not counted`) },
  );
  expect(series.toSorted((a, b) => a.calls - b.calls)).toEqual([
    { tool: "shell", hook: "guard", cause: "policy", outcome: "blocked", calls: 1 },
    { tool: undefined, hook: undefined, cause: undefined, outcome: "failed", calls: 2_500 },
  ]);
});

function shown(line: string) {
  const label = (name: string): string | undefined => new RegExp(`[{,]${name}="([^"]*)"`).exec(line)?.[1];
  return {
    tool: label("gen_ai_tool_name"),
    hook: label("agent_tool_blocked_by"),
    cause: label("agent_tool_cause"),
    outcome: label("agent_tool_outcome"),
    calls: Number(line.split(" ").at(-1)),
  };
}

function call(tool: string, outcome: string, more: Readonly<Record<string, string>> = {}) {
  const attributes = { "gen_ai.tool.name": tool, "agent_tool.outcome": outcome, ...more };
  const now = BigInt(Date.now()) * 1_000_000n;
  return {
    traceId: newTraceId(),
    spanId: newSpanId(),
    name: `execute_tool ${tool}`,
    kind: 1,
    startTimeUnixNano: String(now),
    endTimeUnixNano: String(now + 2_000_000n),
    attributes: Object.entries(attributes).map(([key, stringValue]) => ({ key, value: { stringValue } })),
  };
}
