import {
  CustomVariableBuilder,
  QueryVariableBuilder,
  TextBoxVariableBuilder,
  VariableHide,
  VariableRefresh,
  VariableSort,
  type VariableModel,
} from "@grafana/grafana-foundation-sdk/dashboard";
import { DECISIONS, EXECUTIONS, type AttributeKey } from "@hookscope/hooks";
import { BLOCK_CAUSES, METRICS, type MetricName } from "@hookscope/metrics";

import { reference } from "./data-sources.ts";
import { variable, type Matchers, type Variable } from "./selector.ts";
import type { LabelOf, SeriesName } from "./series.ts";

export type VariableName =
  | "service"
  | "agent"
  | "hook"
  | "tool"
  | "cause"
  | "session"
  | "outcome"
  | "block"
  | "decision"
  | "execution"
  | "traceID"
  | "turnTags"
  | "hookTags"
  | "blockedTags";

/** What All is in a query; it is put in as it is. */
const EVERYTHING = ".*";

/** What a choice among fixed values says for "do not filter". */
const ANY = "any";

/** The service: one, since Jaeger searches in one. */
export function service(): VariableModel {
  return labelValues("service", "agent_turns_in_flight", "service").build();
}

/** One, several or all values of a label. */
export function choice<Name extends MetricName>(
  name: VariableName,
  metric: Name,
  label: Extract<LabelOf<Name>, string>,
): VariableModel {
  return orAll(labelValues(name, metric, label))
    .multi(true)
    .current({ selected: true, text: ["All"], value: ["$__all"] })
    .build();
}

/** One value of a label, or all: for Jaeger, which searches by equality. */
export function single<Name extends MetricName>(
  name: VariableName,
  metric: Name,
  label: Extract<LabelOf<Name>, string>,
): VariableModel {
  return orAll(labelValues(name, metric, label)).build();
}

function orAll(values: QueryVariableBuilder): QueryVariableBuilder {
  return values.includeAll(true).allValue(EVERYTHING).current({ selected: true, text: "All", value: "$__all" });
}

export function fixed(name: VariableName, label: string, values: readonly string[]): VariableModel {
  return new CustomVariableBuilder(name)
    .label(label)
    .values([ANY, ...values].join(","))
    .current({ selected: true, text: ANY, value: ANY })
    .options([ANY, ...values].map((value) => ({ selected: value === ANY, text: value, value })))
    .build();
}

export function text(name: VariableName, label: string): VariableModel {
  return new TextBoxVariableBuilder(name)
    .label(label)
    .defaultValue("")
    .current({ selected: true, text: "", value: "" })
    .build();
}

export const causes = (): VariableModel => fixed("cause", "cause", BLOCK_CAUSES);
export const decisions = (): VariableModel => fixed("decision", "decision", DECISIONS);
export const executions = (): VariableModel => fixed("execution", "execution", EXECUTIONS);

/** A span's attributes and the variables that say what they are to be. */
export type TagFilter = { readonly [Key in AttributeKey]?: VariableName };

/**
 * A hidden variable: the tags of a Jaeger search, `key="value"` for each variable that was chosen. Jaeger knows only
 * equality and Grafana's variables know no condition, so that Prometheus puts the text together: what says All, `any`,
 * `none` or nothing is left out. `always` are tags in any case. Between backquotes a value may hold quotes, which Grafana
 * escapes as Jaeger's search wants it.
 */
export function tags(name: VariableName, filter: TagFilter, always: TagText = {}): VariableModel {
  return new QueryVariableBuilder(name)
    .hide(VariableHide.HideVariable)
    .datasource(reference("prometheus"))
    .query({ query: `query_result(${tagsQuery(filter, always)})`, refId: name })
    .definition(`query_result(${tagsQuery(filter, always)})`)
    .regex(TAGS_REGEX)
    .refresh(VariableRefresh.OnTimeRangeChanged)
    .build();
}

export type TagText = { readonly [Key in AttributeKey]?: string };

const TAGS_REGEX = '/tags="(.*)"}/';

function tagsQuery(filter: TagFilter, always: TagText): string {
  const fixedTags = Object.entries(always).map(([key, value]) => ({ key, value: `"${value}"`, absent: undefined }));
  const chosen = Object.entries(filter).map(([key, name]) => ({
    key,
    value: `\${${name}:doublequote}`,
    absent: ABSENT,
  }));
  const parts = [...fixedTags, ...chosen];
  const built = parts.reduce((inner, { key, value, absent }, index) => {
    const tag = `label_replace(${inner}, "t${index}", \`${key}=${value}\`, "", "")`;
    return absent === undefined ? tag : `label_replace(${tag}, "t${index}", "", "t${index}", \`${key}=${absent}\`)`;
  }, "vector(1)");
  const labels = parts.map((_, index) => `"t${index}"`).join(", ");
  return `sum by (tags) (label_join(${built}, "tags", " ", ${labels}))`;
}

/** All is the variable's own text for it, which Grafana does not quote. */
const ABSENT = String.raw`(\.\*|"(${ANY}|none|)")`;

/** The dashboard's variables for those labels that a metric has. */
export function chosen<Name extends MetricName>(metric: Name): Matchers<Name> {
  const labels = ["agent", "hook", "tool"].filter((label) => label in METRICS[metric].labels);
  const matchers = Object.fromEntries(
    ["service", ...labels].map((label): [string, Variable] => [label, variable(label)]),
  );
  return matchers as Matchers<Name>;
}

function labelValues(name: VariableName, metric: SeriesName, label: string): QueryVariableBuilder {
  const query = `label_values(${metric}, ${label})`;
  return new QueryVariableBuilder(name)
    .label(name)
    .datasource(reference("prometheus"))
    .query({ query, refId: name })
    .definition(query)
    .refresh(VariableRefresh.OnTimeRangeChanged)
    .sort(VariableSort.AlphabeticalAsc);
}
