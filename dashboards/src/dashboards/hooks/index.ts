import type { DashboardSpec } from "../../dashboard.ts";
import { choice, service } from "../../variables.ts";
import { failures } from "./failures.ts";
import { rates } from "./rates.ts";
import { shareOfTurns } from "./share-of-turns.ts";
import { times } from "./times.ts";

export const hooks: DashboardSpec = {
  place: "hooks",
  description: "How often hooks run, how long they take, and which of them fail.",
  variables: [
    service(),
    choice("agent", "agent_turns_total", "agent"),
    choice("hook", "agent_hook_duration_seconds", "hook"),
    choice("tool", "agent_tool_calls_total", "tool"),
  ],
  rows: [rates, times, shareOfTurns, failures],
};
