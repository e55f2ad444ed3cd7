import type { Builder, Dataquery } from "@grafana/grafana-foundation-sdk/cog";
import { PanelBuilder, type DataTransformerConfig } from "@grafana/grafana-foundation-sdk/dashboard";
import { PanelBuilder as Table } from "@grafana/grafana-foundation-sdk/table";
import { ATTRIBUTES, type AttributeKey } from "@hookscope/hooks";

import { reference } from "./data-sources.ts";
import { panel, type PanelSpec, type PanelText } from "./panel.ts";
import { PLACES } from "./places.ts";
import type { VariableName } from "./variables.ts";

/** A query to Jaeger, as Grafana's data source keeps it. A search without `queryType` is for the trace `query`. */
export interface JaegerQuery {
  readonly refId: string;
  readonly datasource: { readonly type: string; readonly uid: string };
  readonly queryType?: "search";
  readonly service?: string;
  readonly tags?: string;
  readonly limit?: number;
  readonly query?: string;
}

interface SearchText extends PanelText {
  /** The hidden variable with the tags to search by. */
  readonly tags: VariableName;
  /** Variables that the hook timeline takes over, so that the lists there stay as they are. */
  readonly keeps: readonly VariableName[];
}

/** Turns that Jaeger finds. A click on one opens it in the hook timeline. */
export function search({ tags, keeps, ...text }: SearchText): PanelSpec {
  const kept = keeps.map((name) => `\${${name}:queryparam}`);
  const query = ["${__url_time_range}", ...kept, "var-traceID=${__value.raw}"].join("&");
  const choose = { title: "Show this turn", url: `/d/${PLACES.timeline.uid}?${query}` };
  const builder = new Table()
    .datasource(reference("jaeger"))
    .targets([jaeger({ queryType: "search", service: "$service", tags: `$${tags}`, limit: 50 })])
    .filterable(true)
    .overrideByName("traceID", [{ id: "links", value: [choose] }])
    .sortBy([{ build: () => ({ displayName: "Start time", desc: true }) }]);
  return panel(text, builder);
}

/** The waterfall of the trace `$traceID`. */
export function trace(text: PanelText): PanelSpec {
  return panel(
    text,
    new PanelBuilder()
      .type("traces")
      .datasource(reference("jaeger"))
      .targets([jaeger({ query: "$traceID" })]),
  );
}

/** The hook invocations of the trace `$traceID`, the longest first. */
export function invocations(text: PanelText): PanelSpec {
  const builder = new Table()
    .datasource(reference("jaeger"))
    .targets([jaeger({ query: "$traceID" })])
    .filterable(true)
    .transformations([...INVOCATION_COLUMNS])
    .overrideByName("duration", [{ id: "unit", value: "ms" }])
    .overrideByName("start", [{ id: "unit", value: "dateTimeAsIso" }])
    .sortBy([{ build: () => ({ displayName: "duration", desc: true }) }]);
  return panel(text, builder);
}

interface Column {
  readonly key: AttributeKey;
  readonly column: string;
  readonly optional?: true;
}

/** The column of each attribute; what is optional may be missing on a span of a hook. */
const COLUMNS: readonly Column[] = [
  { key: "agent_hook.point", column: "point" },
  { key: "agent_hook.name", column: "hook" },
  { key: "agent_hook.execution", column: "execution" },
  { key: "agent_hook.decision", column: "decision" },
  { key: "agent_hook.applied", column: "applied", optional: true },
  { key: "agent_hook.not_applied_reason", column: "not_applied", optional: true },
  { key: "agent_hook.reason", column: "reason", optional: true },
];

/** What else a trace's frame has. */
const LEFT_OUT: readonly string[] = [
  "traceID",
  "spanID",
  "parentSpanID",
  "operationName",
  "serviceName",
  "serviceTags",
  "kind",
  "statusCode",
  "statusMessage",
  "instrumentationLibraryName",
  "instrumentationLibraryVersion",
  "traceState",
  "logs",
  "references",
  "tags",
  "warnings",
  "stackTraces",
  "errorIconColor",
];

/** A trace's frame has the tags of a span as one list: it becomes a text, from which each column is read. */
const INVOCATION_COLUMNS: readonly DataTransformerConfig[] = [
  { id: "convertFieldType", options: { conversions: [{ targetField: "tags", destinationType: "string" }] } },
  {
    id: "extractFields",
    options: { source: "tags", format: "regexp", regExp: `/^${COLUMNS.map(lookAhead).join("")}/` },
  },
  {
    id: "filterByValue",
    options: {
      type: "include",
      match: "all",
      filters: [{ fieldName: "hook", config: { id: "isNotNull", options: {} } }],
    },
  },
  {
    id: "organize",
    options: {
      excludeByName: Object.fromEntries(LEFT_OUT.map((field) => [field, true])),
      renameByName: { startTime: "start" },
      indexByName: Object.fromEntries(
        ["startTime", "duration", ...COLUMNS.map(({ column }) => column)].map((field, index) => [field, index]),
      ),
    },
  },
];

/** The tags come in no fixed order, so that each is looked for from the start. */
function lookAhead({ key, column, optional }: Column): string {
  const value = ATTRIBUTES[key].type === "boolean" ? `(?<${column}>true|false)` : `"(?<${column}>(?:[^"\\\\]|\\\\.)*)"`;
  const found = `.*?"key":"${key.replaceAll(".", "\\.")}",(?:"type":"\\w+",)?"value":${value}`;
  return optional === true ? `(?=${found}|)` : `(?=${found})`;
}

function jaeger(query: Omit<JaegerQuery, "refId" | "datasource">): Builder<Dataquery> {
  const built: JaegerQuery = { refId: "A", datasource: reference("jaeger"), ...query };
  // The SDK has no query for Jaeger; its type of a query is a mark without content.
  return { build: () => built as unknown as Dataquery };
}
