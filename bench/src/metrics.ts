import { createHookBus, type HookBus, type HookInvocation, type InvocationListener } from "@hookscope/hooks";
import { createMetrics, type Metrics } from "@hookscope/metrics";
import { Counter, Histogram, Registry } from "prom-client";

import { makeHooks, payload, POINT, turn } from "./hooks.ts";
import { measure, type Case } from "./measure.ts";
import { timesTable, type Table } from "./report.ts";

const HOOKS = 4;
const SCRAPED_SERIES = [1_000, 10_000] as const;

export async function measureMetrics(): Promise<readonly Table[]> {
  const tables = [timesTable("Recording one invocation", await measure(await recordingCases()))];
  for (const series of SCRAPED_SERIES) {
    const cases = [scrapingPromClient(series), await scraping(series)];
    tables.push(timesTable(`A scrape, ${series.toLocaleString("en")} series of one counter`, await measure(cases)));
  }
  return tables;
}

/** What the metrics of a bus record, against one call of prom-client with as many labels. */
async function recordingCases(): Promise<readonly Case[]> {
  const invocations = await realInvocations();
  const labels = invocations.map(({ point, hook, decision }) => ({ point, hook, decision }));
  const labelNames = ["point", "hook", "decision"] as const;
  const registers = [new Registry()];
  const counter = new Counter({ name: "calls_total", help: "Calls.", labelNames, registers });
  const histogram = new Histogram({ name: "duration_seconds", help: "Duration.", labelNames, registers });
  const record = listenerOf(createMetrics());
  return [
    repeated("prom-client, one counter, inc with three labels", (index) => counter.inc(at(labels, index))),
    repeated("prom-client, one histogram, observe with three labels", (index) =>
      histogram.observe(at(labels, index), 0.001),
    ),
    {
      ...repeated("all metrics of one invocation", (index) => record(at(invocations, index))),
      aims: [{ atMost: 0.5 }],
    },
  ];
}

async function realInvocations(): Promise<readonly HookInvocation[]> {
  const bus = createHookBus({ hooks: makeHooks(HOOKS, "sync") });
  const { invocations } = await bus.dispatch(POINT, payload, { turn });
  return invocations;
}

/** What `observe` subscribes with. */
function listenerOf(metrics: Metrics): InvocationListener {
  const listeners: InvocationListener[] = [];
  const bus: HookBus = createHookBus();
  metrics.observe({
    ...bus,
    list: () => [],
    subscribe(listener) {
      listeners.push(listener);
      return () => {};
    },
  });
  const [listener] = listeners;
  if (listener === undefined) throw new Error("the metrics did not subscribe to the bus");
  return listener;
}

function scrapingPromClient(series: number): Case {
  const registry = new Registry();
  const labelNames = ["tool", "agent", "outcome"] as const;
  const counter = new Counter({
    name: "agent_tool_calls_total",
    help: "Tool calls.",
    labelNames,
    registers: [registry],
  });
  for (let index = 0; index < series; index += 1) counter.inc(toolLabels(index));
  return scrapes("prom-client's own counter", series, registry);
}

async function scraping(series: number): Promise<Case> {
  const { families, registry } = createMetrics({ maxSeries: series + 1 });
  for (let index = 0; index < series; index += 1) families.agent_tool_calls_total.add(toolLabels(index));
  return scrapes("the same counter of ours, with every other metric", series, registry);
}

function toolLabels(index: number): { readonly tool: string; readonly agent: string; readonly outcome: "completed" } {
  return { tool: `tool_${index}`, agent: "bench", outcome: "completed" };
}

function scrapes(name: string, series: number, registry: { metrics(): Promise<string> }): Case {
  return {
    name,
    async run(times) {
      for (let time = 0; time < times; time += 1) {
        const text = await registry.metrics();
        if (!text.includes(`tool_${series - 1}`)) throw new Error(`a scrape of ${series} series lacks the last`);
      }
    },
  };
}

function repeated(name: string, once: (index: number) => void): Case {
  return {
    name,
    run(times) {
      for (let time = 0; time < times; time += 1) once(time);
    },
  };
}

function at<Item>(items: readonly Item[], index: number): Item {
  return items[index % items.length] as Item;
}
