import { readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { parse, stringify } from "yaml";
import { ALERT_NAMES, ALERTS, type AlertName } from "@hookscope/dashboards";
import { temporaryDirectory } from "../../backends/process.ts";
import { runTool, type ToolResult } from "../../backends/tool.ts";
import { CASES } from "./cases.ts";
import type { Situation } from "./situation.ts";

const generated = join(import.meta.dirname, "../../../dashboards/generated");
const rulesFile = join(generated, "prometheus/rules/hookscope.yml");
const LINKS = { grafana: "https://grafana.example", runbooks: "https://runbooks.example" };

let folder: Awaited<ReturnType<typeof temporaryDirectory>>;
beforeAll(async () => {
  folder = await temporaryDirectory("rules");
});
afterAll(() => folder?.remove());

const situations = ALERT_NAMES.flatMap((alert) => [
  ...CASES[alert].fires.map((situation) => ({ alert, does: "fires when", ...situation })),
  ...CASES[alert].quiet.map((situation) => ({ alert, does: "stays quiet when", ...situation })),
]);

test.for(ALERT_NAMES)("%s fires when it should, and stays quiet when it should", async (alert) => {
  const own = situations.filter((situation) => situation.alert === alert);
  expect(own.filter(({ does, alerts }) => (does === "fires when") !== alerts.length > 0)).toEqual([]);
  expect(await testRules(alert, own)).toEqual({ exitCode: 0, output: "" });
});

test("a rule that does not do what a test says is reported", async () => {
  const [situation] = CASES.CollectorDown.quiet;
  const { exitCode, output } = await testRules("CollectorDown", [{ ...situation, alerts: [{ job: "collector" }] }]);
  expect({ exitCode, output }).toMatchObject({ exitCode: 1, output: expect.stringContaining("exp:") as string });
});

test.for([
  { program: "promtool", backend: "prometheus", args: ["check", "rules", "--lint-fatal", rulesFile] },
  {
    program: "promtool",
    backend: "prometheus",
    args: ["check", "config", join(generated, "prometheus/prometheus.yml")],
  },
  {
    program: "amtool",
    backend: "alertmanager",
    args: ["check-config", join(generated, "alertmanager/alertmanager.yml")],
  },
] as const)("$program $args.0 $args.1 accepts the generated file", async ({ backend, program, args }) => {
  const { exitCode, stderr } = await runTool({ backend, program, args, reads: [generated] });
  expect({ exitCode, stderr: exitCode === 0 ? "" : stderr }).toEqual({ exitCode: 0, stderr: "" });
});

/** Runs promtool on situations of one alert. Its words, where it does not agree. */
async function testRules(
  alert: AlertName,
  cases: readonly Situation[],
): Promise<{ readonly exitCode: ToolResult["exitCode"]; readonly output: string }> {
  const file = join(folder.path, `${alert}.test.yml`);
  const tests = cases.map(({ when, input, at, alerts }) => ({
    name: when,
    interval: "1m",
    external_labels: LINKS,
    input_series: Object.entries(input).map(([series, values]) => ({ series, values })),
    alert_rule_test: [
      { eval_time: `${at}m`, alertname: alert, exp_alerts: alerts.map((labels) => expected(alert, labels)) },
    ],
  }));
  await writeFile(file, stringify({ rule_files: [rulesFile], evaluation_interval: "1m", tests }, { lineWidth: 0 }));
  const { exitCode, stdout, stderr } = await runTool({
    backend: "prometheus",
    program: "promtool",
    args: ["test", "rules", file],
    reads: [generated, folder.path],
  });
  return { exitCode, output: exitCode === 0 ? "" : stdout + stderr };
}

function expected(alert: AlertName, labels: Readonly<Record<string, string>>): object {
  return {
    exp_labels: { ...labels, severity: ALERTS[alert].severity },
    exp_annotations: Object.fromEntries(
      Object.entries(annotationsOf(alert)).map(([name, template]) => [name, fill(template, labels)]),
    ),
  };
}

function annotationsOf(alert: AlertName): Readonly<Record<string, string>> {
  interface Rules {
    readonly groups: readonly {
      readonly rules: readonly { readonly alert: string; readonly annotations: Readonly<Record<string, string>> }[];
    }[];
  }
  const { groups } = parse(readFileSync(rulesFile, "utf8")) as Rules;
  return groups.flatMap(({ rules }) => rules).find((rule) => rule.alert === alert)?.annotations ?? {};
}

/** What Prometheus's templates make of the text; here with values that need no escaping in an address. */
function fill(template: string, labels: Readonly<Record<string, string>>): string {
  return template
    .replaceAll(/\{\{ \.Labels\.(\w+)(?: \| urlquery)? \}\}/g, (_, label: string) => labels[label] ?? "")
    .replaceAll(/\{\{ \.ExternalLabels\.(\w+) \}\}/g, (_, label: string) => LINKS[label as keyof typeof LINKS]);
}
