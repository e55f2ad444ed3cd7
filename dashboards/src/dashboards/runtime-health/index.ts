import type { DashboardSpec } from "../../dashboard.ts";
import { choice, service } from "../../variables.ts";
import { collector } from "./collector.ts";
import { processes } from "./processes.ts";
import { turns } from "./turns.ts";

export const runtimeHealth: DashboardSpec = {
  place: "health",
  description: "Whether turns run, and whether what is known about them arrives.",
  variables: [
    service(),
    choice("agent", "agent_turns_total", "agent"),
    choice("tool", "agent_tool_calls_total", "tool"),
  ],
  rows: [turns, processes, collector],
};
