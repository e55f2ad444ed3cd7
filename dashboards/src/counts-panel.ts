import type { MetricName } from "@hookscope/metrics";

import { counted } from "./counted.ts";
import type { PanelSpec, PanelText } from "./panel.ts";
import { timeSeries } from "./panels.ts";
import { sum } from "./promql.ts";
import type { CounterName, LabelOf } from "./series.ts";
import { chosen } from "./variables.ts";

/** Single things that happened, by one of their labels: bars about a minute each, and exemplars. */
export function countsBy<Name extends CounterName & MetricName>(
  name: Name,
  label: LabelOf<Name>,
  text: PanelText,
): PanelSpec {
  const expression = sum(counted(name, { where: chosen(name), window: "$__rate_interval" }), [label]);
  const queries = [{ expression, legend: `{{${label}}}` }];
  return timeSeries({ ...text, unit: "short", stacked: true, exemplars: true, counts: true, queries });
}
