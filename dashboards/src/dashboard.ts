import type { Builder } from "@grafana/grafana-foundation-sdk/cog";
import {
  DashboardBuilder,
  DashboardCursorSync,
  DashboardLinkBuilder,
  DashboardLinkType,
  RowBuilder,
  type Dashboard,
  type DashboardLink,
  type GridPos,
  type VariableModel,
} from "@grafana/grafana-foundation-sdk/dashboard";

import type { PanelSpec } from "./panel.ts";
import { PLACES, type PlaceName } from "./places.ts";

export interface RowSpec {
  readonly title: string;
  /** Placed from left to right; one that does not fit goes below. */
  readonly panels: readonly PanelSpec[];
}

export interface DashboardSpec {
  readonly place: PlaceName;
  readonly description: string;
  readonly variables: readonly VariableModel[];
  readonly rows: readonly RowSpec[];
}

const COLUMNS = 24;
const HEIGHT = 8;
const TAG = "hookscope";

/** As Grafana reads it from a file. */
export function buildDashboard({ place, description, variables, rows }: DashboardSpec): Dashboard {
  const { uid, title } = PLACES[place];
  const builder = new DashboardBuilder(title)
    .uid(uid)
    .description(description)
    .tags([TAG])
    .editable()
    .tooltip(DashboardCursorSync.Crosshair)
    .time({ from: "now-1h", to: "now" })
    .refresh("30s")
    .variables(variables.map((variable) => ({ build: () => variable })))
    .link(menu());
  let id = 0;
  let y = 0;
  for (const row of rows) {
    builder.withRow(new RowBuilder(row.title).id(++id).gridPos({ x: 0, y, w: COLUMNS, h: 1 }));
    const { positions, bottom } = layOut(row.panels, y + 1);
    for (const [index, panel] of row.panels.entries()) {
      const gridPos = positions[index];
      const built = { ...panel.build(), id: ++id, ...(gridPos === undefined ? {} : { gridPos }) };
      builder.withPanel({ build: () => built });
    }
    y = bottom;
  }
  return builder.build();
}

function menu(): Builder<DashboardLink> {
  const builder = new DashboardLinkBuilder("Hookscope")
    .type(DashboardLinkType.Dashboards)
    .tags([TAG])
    .asDropdown(true)
    .keepTime(true)
    .includeVars(true);
  // Otherwise it would be in a menu of its own, where nobody looks.
  const { placement: _, ...link } = builder.build();
  return { build: () => link };
}

/** Each panel's place below line `top`, and the first free line. */
function layOut(panels: readonly PanelSpec[], top: number): { readonly positions: GridPos[]; readonly bottom: number } {
  const positions: GridPos[] = [];
  let [x, y, bottom] = [0, top, top];
  for (const { width, height = HEIGHT } of panels) {
    if (x + width > COLUMNS) [x, y] = [0, bottom];
    positions.push({ x, y, w: width, h: height });
    x += width;
    bottom = Math.max(bottom, y + height);
  }
  return { positions, bottom };
}
