import type { Builder, Dataquery } from "@grafana/grafana-foundation-sdk/cog";
import type { Panel } from "@grafana/grafana-foundation-sdk/dashboard";
import { DataqueryBuilder, PromQueryFormat } from "@grafana/grafana-foundation-sdk/prometheus";

import { reference } from "./data-sources.ts";
import { linkTo, type PlaceName } from "./places.ts";
import type { Expression } from "./promql.ts";

/** What every panel says. */
export interface PanelText {
  readonly title: string;
  /** What it shows; a sentence. */
  readonly shows: string;
  /** What to do when it looks bad; a sentence. */
  readonly whenBad: string;
  /** Where to look next. */
  readonly next: readonly [PlaceName, ...PlaceName[]];
  /** Columns of 24. */
  readonly width: number;
  /** Rows of 30 pixels; 8 unless told. */
  readonly height?: number;
}

/** Grafana's units, as far as they are used. */
export type Unit = "s" | "ops" | "short" | "percentunit" | "currencyUSD" | "none" | "ms" | "dateTimeAsIso";

export interface Query {
  readonly expression: Expression;
  /** A series's name: `{{hook}}`. */
  readonly legend: string;
}

export interface PanelSpec extends PanelText {
  readonly queries: readonly Query[];
  build(): Panel;
}

/** What the builders of all kinds of panels have in common. */
interface AnyBuilder extends Builder<Panel> {
  title(title: string): this;
  description(description: string): this;
  datasource(datasource: { readonly type: string; readonly uid: string }): this;
  targets(targets: Builder<Dataquery>[]): this;
}

/** A panel over Prometheus. */
export function metricsPanel(
  text: PanelText,
  queries: readonly Query[],
  builder: AnyBuilder,
  options: QueryOptions = {},
): PanelSpec {
  const targets = queries.map(({ expression, legend }, index) => target(expression, legend, refId(index), options));
  return panel(text, builder.datasource(reference("prometheus")).targets(targets), queries);
}

export function panel(text: PanelText, builder: AnyBuilder, queries: readonly Query[] = []): PanelSpec {
  return {
    ...text,
    queries,
    build() {
      const built = builder
        .title(text.title)
        .description(`${text.shows}\n\nWhen it looks bad: ${text.whenBad}`)
        .build();
      // The SDK's type of a panel's link is a dashboard's; Grafana reads a title and an address.
      return { ...built, links: text.next.map(linkTo) as unknown as NonNullable<Panel["links"]> };
    },
  };
}

export interface QueryOptions {
  /** One value, now, instead of a course. */
  readonly instant?: boolean;
  readonly format?: "table" | "heatmap";
  /** With the exemplars of the metric. */
  readonly exemplar?: boolean;
}

function target(expression: Expression, legend: string, id: string, options: QueryOptions): DataqueryBuilder {
  const query = new DataqueryBuilder()
    .refId(id)
    .datasource(reference("prometheus"))
    .expr(expression.text)
    .legendFormat(legend);
  if (options.instant === true) query.instant();
  else query.range();
  if (options.exemplar === true) query.exemplar(true);
  if (options.format !== undefined) query.format(FORMATS[options.format]);
  return query;
}

const FORMATS = { table: PromQueryFormat.Table, heatmap: PromQueryFormat.Heatmap };

const refId = (index: number): string => String.fromCodePoint(65 + index);
