import {
  BigValueColorMode,
  BigValueGraphMode,
  GraphDrawStyle,
  LegendDisplayMode,
  LegendPlacement,
  ReduceDataOptionsBuilder,
  StackingConfigBuilder,
  StackingMode,
  VizLegendOptionsBuilder,
} from "@grafana/grafana-foundation-sdk/common";
import {
  FieldColorBuilder,
  FieldColorModeId,
  MappingType,
  ThresholdsConfigBuilder,
  ThresholdsMode,
} from "@grafana/grafana-foundation-sdk/dashboard";
import {
  HeatmapColorMode,
  HeatmapColorOptionsBuilder,
  PanelBuilder as Heatmap,
} from "@grafana/grafana-foundation-sdk/heatmap";
import { PanelBuilder as Stat } from "@grafana/grafana-foundation-sdk/stat";
import { PanelBuilder as StateTimeline } from "@grafana/grafana-foundation-sdk/statetimeline";
import { PanelBuilder as Table } from "@grafana/grafana-foundation-sdk/table";
import { PanelBuilder as TimeSeries } from "@grafana/grafana-foundation-sdk/timeseries";

import { metricsPanel, type PanelSpec, type PanelText, type Query, type Unit } from "./panel.ts";
import type { Expression } from "./promql.ts";

interface Measured extends PanelText {
  readonly unit: Unit;
}

interface TimeSeriesText extends Measured {
  readonly queries: readonly Query[];
  readonly stacked?: boolean;
  readonly exemplars?: boolean;
  /** Its values are counts of single things: a point a minute, so that each is in one or two of them. */
  readonly counts?: true;
}

/** A course over time. */
export function timeSeries({
  queries,
  unit,
  stacked = false,
  exemplars = false,
  counts,
  ...text
}: TimeSeriesText): PanelSpec {
  const builder = new TimeSeries()
    .unit(unit)
    .min(0)
    .legend(legend())
    .drawStyle(stacked ? GraphDrawStyle.Bars : GraphDrawStyle.Line)
    .fillOpacity(stacked ? 60 : 5)
    .stacking(new StackingConfigBuilder().mode(stacked ? StackingMode.Normal : StackingMode.None).group("A"));
  if (counts === true) builder.interval("1m");
  return metricsPanel(text, queries, builder, { exemplar: exemplars });
}

interface StatText extends Measured {
  readonly query: Expression;
  /** From here on it is red; never, unless told. */
  readonly redFrom?: number;
  /** The query is over all the time that is shown, and so asked once; else its latest value is shown. */
  readonly once?: true;
}

/** One number. */
export function stat({ query, unit, redFrom, once, ...text }: StatText): PanelSpec {
  const steps = [{ color: "green", value: null }, ...(redFrom === undefined ? [] : [{ color: "red", value: redFrom }])];
  const builder = new Stat()
    .unit(unit)
    .graphMode(BigValueGraphMode.Area)
    .colorMode(BigValueColorMode.Value)
    .thresholds(new ThresholdsConfigBuilder().mode(ThresholdsMode.Absolute).steps(steps))
    .reduceOptions(new ReduceDataOptionsBuilder().calcs(["lastNotNull"]));
  return metricsPanel(text, [{ expression: query, legend: "" }], builder, { instant: once === true });
}

interface RankingText extends Measured {
  readonly query: Expression;
  /** The heading of the numbers. */
  readonly value: string;
}

/** A table of what is now, the highest first. */
export function ranking({ query, unit, value, ...text }: RankingText): PanelSpec {
  const builder = new Table()
    .overrideByName("Value", [
      { id: "unit", value: unit },
      { id: "displayName", value },
    ])
    .sortBy([{ build: () => ({ displayName: value, desc: true }) }])
    .withTransformation({ id: "organize", options: { excludeByName: { Time: true } } });
  return metricsPanel(text, [{ expression: query, legend: "" }], builder, { instant: true, format: "table" });
}

interface HeatmapText extends Measured {
  readonly query: Expression<"le">;
}

/** How values spread over time; its points are exemplars. */
export function heatmap({ query, unit, ...text }: HeatmapText): PanelSpec {
  const builder = new Heatmap()
    .yAxis({ build: () => ({ unit }) })
    .color(new HeatmapColorOptionsBuilder().mode(HeatmapColorMode.Scheme).scheme("Oranges").steps(64));
  return metricsPanel(text, [{ expression: query, legend: "{{le}}" }], builder, { exemplar: true, format: "heatmap" });
}

interface StatesText extends PanelText {
  readonly query: Query;
  readonly states: readonly { readonly name: string; readonly color: string }[];
}

/** One line per series; its value is the place of a state in the list. */
export function stateTimeline({ query, states, ...text }: StatesText): PanelSpec {
  const options = Object.fromEntries(states.map(({ name, color }, index) => [index, { text: name, color, index }]));
  const builder = new StateTimeline()
    .unit("none")
    .mappings([{ type: MappingType.ValueToText, options }])
    .colorScheme(new FieldColorBuilder().mode(FieldColorModeId.Thresholds))
    .mergeValues(true)
    .rowHeight(0.8)
    .legend(legend());
  return metricsPanel(text, [query], builder);
}

function legend(): VizLegendOptionsBuilder {
  return new VizLegendOptionsBuilder()
    .showLegend(true)
    .displayMode(LegendDisplayMode.List)
    .placement(LegendPlacement.Bottom)
    .calcs([]);
}
