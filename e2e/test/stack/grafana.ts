import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { parseKeyValues } from "./logfmt.ts";
import type { PrometheusClient } from "./prometheus-client.ts";
import { GENERATED } from "./stack.ts";

/*
 * What Grafana does with a dashboard's file, as far as it matters to the queries: variables, addresses, Jaeger searches
 * and the transformations of a trace. Grafana itself does not run here; this follows its documentation and source.
 */

export interface Variable {
  readonly name: string;
  readonly type: "query" | "custom" | "textbox";
  readonly query: string | { readonly query: string };
  readonly regex?: string;
  readonly allValue?: string;
  readonly current?: { readonly value?: string | readonly string[] };
}

export interface Target {
  readonly refId: string;
  readonly expr?: string;
  readonly exemplar?: boolean;
  readonly queryType?: string;
  readonly service?: string;
  readonly tags?: string;
  readonly limit?: number;
  readonly query?: string;
}

export interface Panel {
  readonly title: string;
  readonly type: string;
  readonly targets?: readonly Target[];
  readonly links?: readonly { readonly url: string }[];
  readonly transformations?: readonly { readonly id: string; readonly options: Readonly<Record<string, unknown>> }[];
  readonly fieldConfig?: {
    readonly overrides: readonly {
      readonly matcher: { readonly options: string };
      readonly properties: readonly { readonly id: string; readonly value: unknown }[];
    }[];
  };
}

export interface Dashboard {
  readonly uid: string;
  readonly panels: readonly Panel[];
  readonly templating: { readonly list: readonly Variable[] };
}

export async function openDashboard(uid: string): Promise<Dashboard> {
  return JSON.parse(await readFile(join(GENERATED, `grafana/dashboards/${uid}.json`), "utf8")) as Dashboard;
}

export function panelOf({ panels }: Dashboard, title: string): Panel {
  const panel = panels.find((candidate) => candidate.title === title);
  if (panel === undefined) throw new Error(`no panel "${title}"`);
  return panel;
}

/** What a variable is in an address, and the value that stands for it in a query. */
export interface Setting {
  readonly choice: string;
  readonly value: string;
}

export function chosen(value: string): Setting {
  return { choice: value, value };
}

const ALL = "$__all";

/** The dashboard's variables, each set from the address or else to what it is at first. */
export async function settle(
  { templating }: Dashboard,
  address: URLSearchParams,
  prometheus: PrometheusClient,
): Promise<ReadonlyMap<string, Setting>> {
  const settings = new Map<string, Setting>();
  for (const variable of templating.list) {
    const given = address.get(`var-${variable.name}`);
    const isGiven = given !== null && given !== ALL;
    settings.set(variable.name, isGiven ? chosen(given) : await initial(variable, settings, prometheus));
  }
  return settings;
}

async function initial(
  { type, query, regex, allValue, current }: Variable,
  settings: ReadonlyMap<string, Setting>,
  prometheus: PrometheusClient,
): Promise<Setting> {
  const value = [current?.value ?? ""].flat()[0] ?? "";
  if (value === ALL) return { choice: ALL, value: allValue ?? "" };
  if (type !== "query") return chosen(value);
  const asked = interpolate(typeof query === "string" ? query : query.query, settings);
  const values = /^label_values\((\w+), (\w+)\)$/.exec(asked);
  if (values !== null) {
    const [first = ""] = await prometheus.labelValues(values[2] ?? "", values[1] ?? "");
    return chosen(first);
  }
  const results = await prometheus.query(/^query_result\((.*)\)$/s.exec(asked)?.[1] ?? asked);
  const [line = ""] = results.map(({ metric, value: [time, number] }) => {
    const labels = Object.entries(metric).map(([label, text_]) => `${label}="${text_}"`);
    return `{${labels.join(",")}} ${number} ${time * 1000}`;
  });
  const found = new RegExp((regex ?? "").slice(1, -1)).exec(line)?.[1] ?? "";
  return chosen(found);
}

const TIME_RANGE = "from=now-1h&to=now";

/**
 * Puts settings into a text: `$name`, `${name}`, `${name:format}` and a cell's `${__value.raw}`. A range is as long as a run
 * takes at most, however slow the machine.
 */
export function interpolate(text: string, settings: ReadonlyMap<string, Setting>, cell = ""): string {
  return text
    .replaceAll("${__url_time_range}", TIME_RANGE)
    .replaceAll("${__value.raw}", cell)
    .replaceAll("$__rate_interval_ms", "600000")
    .replaceAll("$__rate_interval", "10m")
    .replaceAll("$__range_s", "600")
    .replaceAll("$__range", "10m")
    .replaceAll(/\$\{(\w+)(?::(\w+))?\}|\$(\w+)/g, (whole, braced?: string, format?: string, bare?: string) => {
      const name = braced ?? bare ?? "";
      const setting = settings.get(name);
      if (setting === undefined) return whole;
      return format === "queryparam" ? `var-${name}=${encodeURIComponent(setting.choice)}` : formatted(setting, format);
    });
}

/** What stands for All is put in as it is. */
function formatted({ choice, value }: Setting, format: string | undefined): string {
  if (choice === ALL) return value;
  if (format === "regex") return value.replaceAll(/[\\^$*+?.()|[\]{}/]/g, String.raw`\$&`);
  return format === "doublequote" ? `"${value.replaceAll('"', String.raw`\"`)}"` : value;
}

export interface JaegerTrace {
  readonly traceID: string;
  readonly spans: readonly {
    readonly operationName: string;
    readonly startTime: number;
    readonly duration: number;
    readonly tags: readonly { readonly key: string; readonly type: string; readonly value: unknown }[];
  }[];
}

/** What a Jaeger query of a panel finds: its search, or the trace it names. */
export async function askJaeger(
  queryUrl: string,
  { queryType, service = "", tags = "", limit = 20, query = "" }: Target,
  settings: ReadonlyMap<string, Setting>,
): Promise<readonly JaegerTrace[]> {
  const parameters = new URLSearchParams({
    service: interpolate(service, settings),
    limit: String(limit),
    lookback: "custom",
  });
  const wanted = parseKeyValues(interpolate(tags, settings));
  if (Object.keys(wanted).length > 0) parameters.set("tags", JSON.stringify(wanted));
  const path = queryType === "search" ? `?${parameters.toString()}` : `/${interpolate(query, settings)}`;
  const response = await fetch(`${queryUrl}/api/traces${path}`);
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return ((await response.json()) as { readonly data: readonly JaegerTrace[] | null }).data ?? [];
}
