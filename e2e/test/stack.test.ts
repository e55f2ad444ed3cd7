import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { parse } from "yaml";
import { ALERT_NAMES, ALERTS, DASHBOARDS, PLACES, type AlertName, type Expression } from "@hookscope/dashboards";
import { poll } from "../backends/poll.ts";
import { ODD_NAME, SECRET } from "./fixtures/traffic/protocol.ts";
import { blockedLabels, isStopped, unique } from "./stack/expected.ts";
import { interpolate, openDashboard, settle, type Setting } from "./stack/grafana.ts";
import { alertsOf, type Alert } from "./stack/alerts.ts";
import { jaegerTests } from "./stack/jaeger-tests.ts";
import { Report } from "./stack/report.ts";
import { GENERATED, startStack, type Stack } from "./stack/stack.ts";

const report = new Report();
let stack: Stack;

beforeAll(async () => {
  stack = await startStack();
});
afterAll(async () => {
  const ended = stack?.describe().filter((state) => state.includes("HAS ENDED")) ?? [];
  await stack?.stop();
  if (ended.length > 0) process.stdout.write(`\n${ended.join("\n\n")}\n`);
  process.stdout.write(`\n${report.toString()}`);
});

const PANEL_QUERIES = DASHBOARDS.flatMap(({ place, rows }) =>
  rows.flatMap(({ panels }) =>
    panels.flatMap(({ title, queries }) =>
      queries.map(({ expression, legend }, index) => ({
        name: `${PLACES[place].title}: ${title}${queries.length > 1 ? ` (${legend || index})` : ""}`,
        place,
        expression,
      })),
    ),
  ),
);

test.for(PANEL_QUERIES)("$name returns series with the labels it groups by", async ({ name, place, expression }) => {
  const settings = await initialSettings(place);
  const samples = await stack.prometheus.query(interpolate(expression.text, settings), stack.time);
  report.add("panel", name, summary(expression, samples.length));
  expect(unique(samples.map(({ metric }) => keysOf(metric)))).toEqual([[...expression.labels].toSorted()]);
  expect(samples.filter(({ value }) => Number.isFinite(Number(value[1]))).length).toBeGreaterThan(0);
});

test("a hook's name may hold what regular expressions and PromQL give a meaning", async () => {
  const { uid } = PLACES.hooks;
  const address = new URLSearchParams({ "var-hook": ODD_NAME });
  const settings = await settle(await openDashboard(uid), address, stack.prometheus);
  const { expression } = PANEL_QUERIES.find(({ name }) => name === "Hooks: Invocations by hook") ?? {};
  const samples = await stack.prometheus.query(interpolate(expression?.text ?? "", settings), stack.time);
  expect(samples.map(({ metric }) => metric)).toEqual([{ hook: ODD_NAME }]);
});

test.for(ALERT_NAMES)("the condition of %s returns series with the labels it groups by", async (name) => {
  const { expression } = ALERTS[name];
  const samples = await stack.prometheus.query(undecided(expression.text), stack.time);
  report.add("rule", name, summary(expression, samples.length));
  const own = name === "CollectorDown" ? ["instance", "job"] : [...expression.labels].toSorted();
  expect(unique(samples.map(({ metric }) => keysOf(metric)))).toEqual([own]);
});

test("Prometheus evaluates every rule without an error", async () => {
  const rules = await stack.prometheus.rules();
  expect(rules.map(({ name, health, lastError }) => ({ name, health, lastError }))).toEqual(
    ALERT_NAMES.map((name) => ({ name, health: "ok", lastError: undefined })),
  );
});

test("Grafana's rules hold where Prometheus's do, with 1 for each series", async () => {
  const file = await readFile(join(GENERATED, "grafana/provisioning/alerting/hookscope.yaml"), "utf8");
  const { groups } = parse(file) as GrafanaAlerting;
  for (const { title, data } of groups.flatMap(({ rules }) => rules)) {
    const samples = await stack.prometheus.query(data[0]?.model.expr ?? "", stack.time);
    const own = await stack.prometheus.query(ALERTS[title].expression.text, stack.time);
    report.add("grafana", title, own.length === 0 ? "quiet" : `${samples.length} series`);
    expect({ title, values: samples.map(({ value }) => value[1]) }).toEqual({ title, values: own.map(() => "1") });
  }
});

interface GrafanaAlerting {
  readonly groups: readonly {
    readonly rules: readonly {
      readonly title: AlertName;
      readonly data: readonly { readonly model: { readonly expr?: string } }[];
    }[];
  }[];
}

test("blocked calls, broken hooks and timeouts reach Alertmanager, each with its labels, and nothing else does", async () => {
  const expected = blockedLabels(stack.turns);
  const withoutAgent = unique(expected.map(({ agent: _agent, ...labels }) => labels));
  const failing = withoutAgent.filter(({ cause }) => cause === "failure");
  const wanted: Readonly<Record<string, readonly object[]>> = {
    ToolCallBlocked: expected,
    ToolCallBlockedInSpans: withoutAgent,
    HookBlocksOften: [{ hook: "approval_policy", service: "hookscope" }],
    PolicyFailingClosed: failing,
    HookErrors: [
      { execution: "error", hook: "fragile_policy", point: "pre_tool_call", service: "hookscope" },
      { execution: "invalid_result", hook: "confused", point: "pre_llm_call", service: "hookscope" },
    ],
    HookTimeoutOrSuspension: [{ hook: "slow_policy", point: "pre_tool_call", service: "hookscope" }],
  };
  const alerts = await alertsOnceComplete(Object.values(wanted).flat().length);
  for (const name of ALERT_NAMES) {
    const own = alerts.filter(({ labels }) => labels["alertname"] === name);
    report.add("alert", name, own.length === 0 ? "quiet" : `${own.length} in Alertmanager`);
    const labels = own.map(({ labels: { alertname: _name, severity, ...rest } }) => {
      expect(severity).toBe(ALERTS[name].severity);
      return rest;
    });
    expect({ name, labels: unique(labels) }).toEqual({ name, labels: wanted[name] ?? [] });
  }
});

test("a blocked call is reported once: what says the same about it is held back", async () => {
  const alerts = await alertsOf(stack);
  const open = alerts.filter(({ labels, status }) => {
    const repeats = labels["alertname"] === "ToolCallBlockedInSpans";
    const isFailure = labels["alertname"] === "ToolCallBlocked" && labels["cause"] === "failure";
    return (repeats || isFailure) && status.inhibitedBy.length === 0;
  });
  expect(open).toEqual([]);
  const others = alerts.filter(
    ({ labels }) => labels["alertname"] === "ToolCallBlocked" && labels["cause"] !== "failure",
  );
  expect(others.filter(({ status }) => status.inhibitedBy.length > 0)).toEqual([]);
});

jaegerTests(() => stack, report);

/** Their exemplars are slow ones only, and nothing was slow. */
const SLOW_ONLY = ["agent_tool_hook_wait_seconds", "agent_approval_wait_seconds"];

test.for(Object.values(PLACES))(
  "panels of $title that show exemplars get some, of traces that Jaeger has",
  async ({ uid, title }) => {
    const dashboard = await openDashboard(uid);
    const settings = await settle(dashboard, new URLSearchParams(), stack.prometheus);
    for (const panel of dashboard.panels) {
      for (const { expr = "", exemplar } of panel.targets ?? []) {
        if (exemplar !== true || SLOW_ONLY.some((metric) => expr.includes(metric))) continue;
        const exemplars = await stack.prometheus.exemplars(interpolate(expr, settings), stack.time);
        report.add("exemplar", `${title}: ${panel.title}`, `${exemplars.length} points`);
        expect({ panel: panel.title, some: exemplars.length > 0 }).toEqual({ panel: panel.title, some: true });
        const response = await fetch(`${stack.jaeger.queryUrl}/api/traces/${exemplars.at(-1)?.labels["trace_id"]}`);
        expect(response.status).toBe(200);
      }
    }
  },
);

test("exemplars of blocked calls and of failures are of traces that open in Jaeger, and each trace holds such a span", async () => {
  for (const [metric, key, value] of [
    ["agent_tool_calls_blocked_total", "agent_tool.outcome", ["blocked", "denied"]],
    ["agent_hook_failures_total", "agent_hook.execution", ["error", "timeout", "suspended", "invalid_result"]],
  ] as const) {
    const exemplars = await stack.prometheus.exemplars(metric, stack.time);
    const ids = [...new Set(exemplars.map(({ labels }) => labels["trace_id"] ?? ""))];
    report.add("exemplar", metric, `${ids.length} traces`);
    expect(ids.length).toBeGreaterThan(0);
    const values = await Promise.all(ids.map((id) => tagValues(id, key)));
    expect(values.filter((found) => !found.some((one) => (value as readonly string[]).includes(one)))).toEqual([]);
  }
});

test("a secret in arguments, reasons and errors is in no store and no log, although those texts are there", async () => {
  const stopped = stack.turns.filter(isStopped);
  const traces = await Promise.all(
    stopped.map(({ traceId }) => textOf(`${stack.jaeger.queryUrl}/api/traces/${traceId}`)),
  );
  const everySeries = JSON.stringify(await stack.prometheus.query('{__name__=~".+"}', stack.time));
  const stores: Readonly<Record<string, string>> = {
    Jaeger: traces.join("\n"),
    Prometheus: everySeries,
    Alertmanager: await textOf(`${stack.alertmanager.url}/api/v2/alerts`),
    "the Collector's log": await stack.collectorLog(),
    "the Collector's metrics": await textOf(stack.collector.prometheusUrl),
  };
  for (const [store, text] of Object.entries(stores)) {
    const halves = [SECRET, SECRET.slice(4, 24), SECRET.slice(-20)].filter((part) => text.includes(part));
    report.add("secret", store, halves.length === 0 ? `not in ${text.length} characters` : "FOUND");
    expect({ store, halves, empty: text === "" }).toEqual({ store, halves: [], empty: false });
  }
  expect(stores["Jaeger"]).toContain("must not leave");
  expect(stores["Jaeger"]).toContain("the service refused");
});

async function initialSettings(place: keyof typeof PLACES): Promise<ReadonlyMap<string, Setting>> {
  return settle(await openDashboard(PLACES[place].uid), new URLSearchParams(), stack.prometheus);
}

/** The condition with 0 where it does not hold, and with history that a short run has. */
function undecided(condition: string): string {
  return condition
    .replaceAll(/ (>=|>|<|==) (?=[\d(])/g, " $1 bool ")
    .replaceAll("[1d] offset 1h", "[10m]")
    .replaceAll("[1h] offset 5m", "[10m]")
    .replaceAll(/\/ \((.*?) > bool 0\)/g, "/ ($1 > 0)");
}

async function alertsOnceComplete(count: number): Promise<readonly Alert[]> {
  let last: readonly Alert[] = [];
  return poll(
    async () => {
      last = await alertsOf(stack);
      return last.length >= count ? last : undefined;
    },
    {
      intervalMs: 500,
      onTimeout: () =>
        new Error(`${last.length} of ${count} alerts: ${JSON.stringify(last.map(({ labels }) => labels))}`),
    },
  );
}

async function tagValues(traceId: string, key: string): Promise<readonly string[]> {
  const { data } = JSON.parse(await textOf(`${stack.jaeger.queryUrl}/api/traces/${traceId}`)) as {
    readonly data: readonly {
      readonly spans: readonly { readonly tags: readonly { key: string; value: unknown }[] }[];
    }[];
  };
  const tags = data.flatMap(({ spans }) => spans.flatMap((span) => span.tags));
  return tags.filter((tag) => tag.key === key).map((tag) => String(tag.value));
}

async function textOf(url: string): Promise<string> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url}: ${response.status}`);
  return response.text();
}

const keysOf = (metric: Readonly<Record<string, string>>): string[] => Object.keys(metric).toSorted();

function summary({ labels }: Expression, count: number): string {
  return `${count} series${labels.length === 0 ? "" : ` by ${labels.join(", ")}`}`;
}
