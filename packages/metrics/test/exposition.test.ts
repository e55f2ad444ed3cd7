import { Counter, Gauge, Histogram, Registry } from "prom-client";
import { expect, test } from "vitest";

import { expose, OPEN_METRICS, PLAIN_TEXT } from "../src/exposition.ts";
import { METRICS, type MetricName } from "../src/index.ts";
import { rig, toolCall } from "./support.ts";

/** The part of a text that is about one metric. */
function section(text: string, name: string): string {
  const lines = text.split("\n");
  const start = lines.findIndex((line) => line.startsWith(`# HELP ${name} `));
  const end = lines.findIndex((line, index) => index > start && (line.startsWith("# HELP") || line === "# EOF"));
  return lines
    .slice(start, end === -1 ? undefined : end)
    .filter((line) => line !== "")
    .join("\n");
}

const help = (name: MetricName): string => `${METRICS[name].help} ${METRICS[name].advice}`;

test("OpenMetrics names a counter without _total and its lines with it; plain text has it everywhere", async () => {
  const { metrics, fire } = rig();
  await fire("post_tool_call", toolCall());
  const line = 'agent_tool_calls_total{tool="shell",agent="reviewer",outcome="completed"} 1';
  expect(section(await expose(metrics.registry, OPEN_METRICS), "agent_tool_calls")).toBe(
    `# HELP agent_tool_calls ${help("agent_tool_calls_total")}\n# TYPE agent_tool_calls counter\n${line}`,
  );
  expect(section(await expose(metrics.registry, PLAIN_TEXT), "agent_tool_calls_total")).toBe(
    `# HELP agent_tool_calls_total ${help("agent_tool_calls_total")}\n# TYPE agent_tool_calls_total counter\n${line}`,
  );
});

test("a histogram is the same in both formats", async () => {
  const { metrics } = rig();
  metrics.families.agent_approval_wait_seconds.observe({}, 42);
  const expected = [
    `# HELP agent_approval_wait_seconds ${help("agent_approval_wait_seconds")}`,
    "# TYPE agent_approval_wait_seconds histogram",
    ...[1, 2.5, 5, 10, 30].map((bound) => `agent_approval_wait_seconds_bucket{le="${bound}"} 0`),
    ...[60, 120, 300, 600, 1800, 3600, "+Inf"].map((bound) => `agent_approval_wait_seconds_bucket{le="${bound}"} 1`),
    "agent_approval_wait_seconds_sum 42",
    "agent_approval_wait_seconds_count 1",
  ].join("\n");
  for (const format of [OPEN_METRICS, PLAIN_TEXT] as const) {
    expect(section(await expose(metrics.registry, format), "agent_approval_wait_seconds")).toBe(expected);
  }
});

test("formats asked for in turn and at once do not change each other's names", async () => {
  const { metrics, fire } = rig();
  await fire("post_tool_call", toolCall());
  const [first, second] = [await expose(metrics.registry, OPEN_METRICS), await expose(metrics.registry, PLAIN_TEXT)];
  const both = await Promise.all([expose(metrics.registry, OPEN_METRICS), expose(metrics.registry, PLAIN_TEXT)]);
  expect(both).toEqual([first, second]);
  expect(await Promise.all([expose(metrics.registry, PLAIN_TEXT), expose(metrics.registry, OPEN_METRICS)])).toEqual([
    second,
    first,
  ]);
});

test("OpenMetrics ends with # EOF, plain text does not", async () => {
  const { metrics } = rig();
  expect((await expose(metrics.registry, OPEN_METRICS)).endsWith("\n# EOF\n")).toBe(true);
  expect((await expose(metrics.registry, PLAIN_TEXT)).includes("EOF")).toBe(false);
});

test.for(["OpenMetrics", "plain text"])(
  "an application's own metrics in a registry for %s are in both formats",
  async (kind) => {
    const registry = new Registry();
    if (kind === "OpenMetrics") registry.setContentType(OPEN_METRICS as never);
    registry.setDefaultLabels({ service: "bot" });
    const registers = [registry];
    new Counter({ name: "jobs_total", help: "Jobs.", registers }).inc(3);
    new Gauge({ name: "workers", help: "Workers.", labelNames: ["zone"], registers }).set({ zone: "a" }, 2);
    new Histogram({ name: "job_seconds", help: "Time.", buckets: [1], registers }).observe(0.5);
    const { fire } = rig({ registry });
    await fire("post_tool_call", toolCall());
    for (const _again of [1, 2]) {
      const plain = await expose(registry, PLAIN_TEXT);
      expect(section(plain, "jobs_total")).toBe(
        '# HELP jobs_total Jobs.\n# TYPE jobs_total counter\njobs_total{service="bot"} 3',
      );
      expect(section(plain, "agent_tool_calls_total").split("\n").slice(1)).toEqual([
        "# TYPE agent_tool_calls_total counter",
        kind === "plain text"
          ? 'agent_tool_calls_total{service="bot",tool="shell",agent="reviewer",outcome="completed"} 1'
          : 'agent_tool_calls_total{tool="shell",agent="reviewer",outcome="completed",service="bot"} 1',
      ]);
      expect(section(plain, "workers")).toBe(
        '# HELP workers Workers.\n# TYPE workers gauge\nworkers{zone="a",service="bot"} 2',
      );
      const open = await expose(registry, OPEN_METRICS);
      expect(section(open, "jobs")).toBe('# HELP jobs Jobs.\n# TYPE jobs counter\njobs_total{service="bot"} 3');
      expect(section(open, "job_seconds").split("\n").slice(2)).toEqual([
        'job_seconds_bucket{le="1",service="bot"} 1',
        'job_seconds_bucket{le="+Inf",service="bot"} 1',
        'job_seconds_sum{service="bot"} 0.5',
        'job_seconds_count{service="bot"} 1',
      ]);
    }
  },
);

test("a registry that has one of the metrics is refused with its name, and nothing is registered in it", () => {
  const registry = new Registry();
  new Counter({ name: "agent_tool_calls_total", help: "Mine.", registers: [registry] });
  expect(() => rig({ registry })).toThrow(
    "METRICS_NAME_TAKEN: the registry has agent_tool_calls_total already. Give createMetrics a registry of its own, or call it once per registry.",
  );
  expect(registry.getMetricsAsArray().map(({ name }) => name)).toEqual(["agent_tool_calls_total"]);
});

test("a registry that is reset starts from nothing", async () => {
  const { metrics, bus, fire, lines } = rig();
  metrics.observe(bus);
  const seen = async (): Promise<readonly string[]> =>
    (await lines("agent_tool_calls_total", "agent_hook_duration_seconds")).filter((line) => /_total|_count/.test(line));
  await fire("post_tool_call", toolCall());
  metrics.registry.resetMetrics();
  expect(await seen()).toEqual([]);
  await fire("post_tool_call", toolCall());
  expect(await seen()).toEqual([
    'agent_hook_duration_seconds_count{point="post_tool_call",hook="usage",execution="ok",decision="continue"} 1',
    'agent_tool_calls_total{tool="shell",agent="reviewer",outcome="completed"} 1',
  ]);
});

test.for([0, -1, 1.5, Number.NaN])("maxSeries %s is refused", (maxSeries) => {
  expect(() => rig({ maxSeries })).toThrow(
    `METRICS_OPTION_INVALID: maxSeries is ${maxSeries}; it must be a whole number above 0.`,
  );
});
