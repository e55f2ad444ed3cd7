import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { ALERT_NAMES, ALERTS, generatedFiles, PLACES, runbook } from "../src/index.ts";
import { BUILT, variablesOf } from "./built.ts";

const files = generatedFiles();
const runbooks = join(import.meta.dirname, "../../docs/runbooks");

interface PrometheusRule {
  readonly alert: string;
  readonly expr: string;
  readonly annotations: Readonly<Record<string, string>>;
}

interface GrafanaRule {
  readonly uid: string;
  readonly title: string;
  readonly condition: string;
  readonly data: readonly { readonly refId: string; readonly model: { readonly expr?: string } }[];
}

const [prometheus] = (parse(files["prometheus/rules/hookscope.yml"] ?? "") as { groups: { rules: PrometheusRule[] }[] })
  .groups;
const [grafana] = (
  parse(files["grafana/provisioning/alerting/hookscope.yaml"] ?? "") as { groups: { rules: GrafanaRule[] }[] }
).groups;

test("Prometheus and Grafana have the same alerts, on the same conditions", () => {
  const conditions = ALERT_NAMES.map((name) => ({ name, condition: ALERTS[name].expression.text }));
  expect(prometheus?.rules.map(({ alert, expr }) => ({ name: alert, condition: expr }))).toEqual(conditions);
  expect(
    grafana?.rules.map(({ title, data: [query] }) => ({
      name: title,
      condition: /^clamp\((.*), 1, 1\)$/.exec(query?.model.expr ?? "")?.[1],
    })),
  ).toEqual(conditions);
});

test("each of Grafana's rules has an id of its own, of at most 40 characters, and a condition among its queries", () => {
  const rules = grafana?.rules ?? [];
  expect(new Set(rules.map(({ uid }) => uid)).size).toBe(ALERT_NAMES.length);
  expect(rules.filter(({ uid }) => uid.length > 40 || !/^[\w-]+$/.test(uid))).toEqual([]);
  expect(rules.filter(({ condition, data }) => !data.some(({ refId }) => refId === condition))).toEqual([]);
});

describe.each(ALERT_NAMES)("%s", (name) => {
  const row = ALERTS[name];
  const rule = prometheus?.rules.find(({ alert }) => alert === name);

  test("opens a dashboard that has the variables it sets", () => {
    const dashboard = BUILT.find(({ uid }) => uid === PLACES[row.dashboard].uid);
    const known = dashboard === undefined ? [] : variablesOf(dashboard).map((variable) => variable.name);
    expect(Object.keys(row.variables).filter((variable) => !known.includes(variable as never))).toEqual([]);
    expect(rule?.annotations["dashboard_url"]).toMatch(new RegExp(`/d/${PLACES[row.dashboard].uid}([?]var-|$)`));
  });

  test("its texts use only labels that its expression has", () => {
    const used = [...JSON.stringify(rule?.annotations).matchAll(/\.Labels\.(\w+)/g)].map(([, label]) => label ?? "");
    const labels = /^\(*(?:sum|max) by \(([^)]*)\)|by \(le, ([^)]*)\)/.exec(row.expression.text);
    const known = (labels?.[1] ?? labels?.[2] ?? "").split(", ");
    expect([...new Set(used)].filter((label) => !known.includes(label))).toEqual([]);
  });

  test("has a runbook that says what it means, how to look and what to do", () => {
    const text = readFileSync(join(runbooks, runbook(name)), "utf8");
    expect(rule?.annotations["runbook_url"]).toBe(`{{ .ExternalLabels.runbooks }}/${runbook(name)}`);
    expect([...text.matchAll(/^#+ .*$/gm)].map(([heading]) => heading)).toEqual([
      `# ${name}`,
      "## What it means",
      "## How to look",
      "## What to do",
    ]);
  });
});

test("there is no runbook without an alert", () => {
  expect(readdirSync(runbooks).toSorted()).toEqual(["README.md", ...ALERT_NAMES.map(runbook)].toSorted());
});
