import type { VariableName } from "./variables.ts";

/** Every dashboard, in the order of the menu. */
export const PLACES: Readonly<Record<PlaceName, Place>> = {
  timeline: { uid: "hookscope-timeline", title: "Hook timeline" },
  hooks: { uid: "hookscope-hooks", title: "Hooks" },
  blocked: { uid: "hookscope-blocked", title: "Blocked tool calls" },
  cost: { uid: "hookscope-cost", title: "Cost and usage" },
  health: { uid: "hookscope-health", title: "Runtime health" },
};

export type PlaceName = "timeline" | "hooks" | "blocked" | "cost" | "health";

export interface Place {
  readonly uid: string;
  readonly title: string;
}

/** The path of a dashboard on Grafana, with what its variables are set to. Values are put in as they are. */
export function pathOf(place: PlaceName, variables: { readonly [Name in VariableName]?: string } = {}): string {
  const query = Object.entries(variables).map(([name, value]) => `var-${name}=${value}`);
  return `/d/${PLACES[place].uid}${query.length === 0 ? "" : `?${query.join("&")}`}`;
}

/** From a panel: with the dashboard's time and variables. */
export function linkTo(place: PlaceName): { readonly title: string; readonly url: string } {
  return { title: PLACES[place].title, url: `${pathOf(place)}?\${__url_time_range}&\${__all_variables}` };
}
