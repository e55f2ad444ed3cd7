import type { Dashboard, Panel, RowPanel, VariableModel } from "@grafana/grafana-foundation-sdk/dashboard";
import { buildDashboard, DASHBOARDS, type JaegerQuery } from "../src/index.ts";

export interface BuiltPanel {
  readonly dashboard: string;
  readonly panel: Panel;
}

/** As they are in the files. */
export const BUILT: readonly Dashboard[] = DASHBOARDS.map(
  (spec) => JSON.parse(JSON.stringify(buildDashboard(spec))) as Dashboard,
);

export const PANELS: readonly BuiltPanel[] = BUILT.flatMap((dashboard) =>
  everyPanel(dashboard)
    .filter((panel): panel is Panel => panel.type !== "row")
    .map((panel) => ({ dashboard: dashboard.uid ?? "", panel })),
);

export function everyPanel({ panels = [] }: Dashboard): readonly (Panel | RowPanel)[] {
  return panels.flatMap((panel) => ("panels" in panel ? [panel, ...panel.panels] : [panel]));
}

export function variablesOf({ templating }: Dashboard): readonly VariableModel[] {
  return templating?.list ?? [];
}

/** A panel's queries, to Prometheus and to Jaeger. */
export interface Target extends Partial<JaegerQuery> {
  readonly refId: string;
  readonly expr?: string;
}

export function targetsOf({ targets }: Panel): readonly Target[] {
  return (targets ?? []) as unknown as readonly Target[];
}

export interface Link {
  readonly title: string;
  readonly url: string;
}

/** The links in a panel's corner and in its cells. */
export function linksOf({ links, fieldConfig }: Panel): readonly Link[] {
  const inCells = (fieldConfig?.overrides ?? []).flatMap(({ properties }) =>
    properties.filter(({ id }) => id === "links").flatMap(({ value }) => value as readonly Link[]),
  );
  return [...((links ?? []) as readonly Link[]), ...inCells];
}
