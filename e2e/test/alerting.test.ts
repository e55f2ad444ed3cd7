import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { poll } from "../backends/poll.ts";
import { startAlertmanager, startPrometheus, type Alertmanager, type Prometheus } from "../backends/start.ts";
import { runTool } from "../backends/tool.ts";

const fixture = (name: string): string => join(import.meta.dirname, "fixtures", name);
const TRACE_ID = "0af7651916cd43dd8448eb211c80319c";
const METRICS = `# TYPE agent_tool_calls_blocked counter
agent_tool_calls_blocked_total{tool="shell",hook="approval_policy"} 2 # {trace_id="${TRACE_ID}"} 1
# EOF
`;

let scraped: Server;
let target: string;
let alertmanager: Alertmanager;
let prometheus: Prometheus;

beforeAll(async () => {
  scraped = createServer((_request, response) => {
    response.setHeader("content-type", "application/openmetrics-text; version=1.0.0; charset=utf-8");
    response.end(METRICS);
  }).listen(0, "127.0.0.1");
  await once(scraped, "listening");
  target = `127.0.0.1:${(scraped.address() as AddressInfo).port}`;
  alertmanager = await startAlertmanager({ config: fixture("alertmanager.yml") });
  prometheus = await startPrometheus({
    config: fixture("prometheus.yml"),
    rules: [fixture("rules.yml")],
    replacements: { "hookscope:9464": target, "alertmanager:9093": alertmanager.address },
  });
});
afterAll(async () => {
  await prometheus?.stop();
  await alertmanager?.stop();
  scraped?.closeAllConnections();
  scraped?.close();
});

test("Prometheus scrapes a counter, and a rule on it reaches Alertmanager with its labels", async () => {
  const alerts = await waitFor<{ labels: object; annotations: object }>(
    `${alertmanager.url}/api/v2/alerts`,
    (body) => body,
  );
  expect(alerts.map(({ labels, annotations }) => ({ labels, annotations }))).toEqual([
    {
      labels: {
        alertname: "ToolCallBlocked",
        hook: "approval_policy",
        instance: target,
        job: "hookscope",
        severity: "warning",
        tool: "shell",
      },
      annotations: { summary: "approval_policy blocked shell" },
    },
  ]);
});

test("Prometheus stores the exemplar, with its trace id", async () => {
  interface Series {
    readonly exemplars: readonly { readonly labels: object; readonly value: string }[];
  }
  const now = Date.now() / 1000;
  const query = new URLSearchParams({
    query: "agent_tool_calls_blocked_total",
    start: String(now - 600),
    end: String(now + 600),
  });
  const url = `${prometheus.url}/api/v1/query_exemplars?${query.toString()}`;
  const [series] = await waitFor<Series>(url, (body) => (body as { readonly data: readonly Series[] }).data);
  expect(series?.exemplars[0]).toMatchObject({ labels: { trace_id: TRACE_ID }, value: "1" });
});

test.for([
  { program: "promtool", args: ["check", "config", "--syntax-only"], file: "prometheus.yml" },
  { program: "promtool", args: ["check", "rules"], file: "rules.yml" },
  { program: "promtool", args: ["test", "rules"], file: "rules.test.yml" },
])("$program accepts $file", async ({ args, file }) => {
  const { exitCode } = await promtool(...args, fixture(file));
  expect(exitCode).toBe(0);
});

test("promtool refuses a rule file that is not one", async () => {
  const { exitCode } = await promtool("check", "rules", fixture("alertmanager.yml"));
  expect(exitCode).toBe(1);
});

test("amtool accepts alertmanager.yml and refuses another file", async () => {
  const check = async (name: string): Promise<number | null> =>
    (
      await runTool({
        backend: "alertmanager",
        program: "amtool",
        args: ["check-config", fixture(name)],
        reads: [import.meta.dirname],
      })
    ).exitCode;
  expect([await check("alertmanager.yml"), await check("prometheus.yml")]).toEqual([0, 1]);
});

test("a replacement for a text that the configuration does not hold is BACKEND_CONFIG_MISMATCH", async () => {
  const start = startPrometheus({ config: fixture("prometheus.yml"), replacements: { "nobody:1": "127.0.0.1:1" } });
  await expect(start).rejects.toMatchObject({ code: "BACKEND_CONFIG_MISMATCH" });
});

test("a configuration the program refuses is BACKEND_EXITED, with the program's own words", async () => {
  const start = startAlertmanager({ config: fixture("prometheus.yml") });
  await expect(start).rejects.toMatchObject({
    code: "BACKEND_EXITED",
    message: expect.stringContaining("field scrape_configs not found") as string,
  });
});

const promtool = (...args: readonly string[]) =>
  runTool({ backend: "prometheus", program: "promtool", args, reads: [import.meta.dirname] });

/** The list that the answer of `url` holds, once it is not empty; up to 20 s. */
function waitFor<Item>(url: string, listOf: (body: unknown) => unknown): Promise<readonly Item[]> {
  return poll(
    async () => {
      const list = listOf(await (await fetch(url)).json()) as readonly Item[];
      return list.length > 0 ? list : undefined;
    },
    { onTimeout: () => new Error(`${url} stays empty`) },
  );
}
