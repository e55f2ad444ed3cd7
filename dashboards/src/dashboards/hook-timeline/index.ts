import type { DashboardSpec } from "../../dashboard.ts";
import { decisions, executions, fixed, service, single, tags, text } from "../../variables.ts";
import { findATurn } from "./find-a-turn.ts";
import { hooksOverTime } from "./hooks-over-time.ts";
import { theTurn } from "./the-turn.ts";

export const hookTimeline: DashboardSpec = {
  place: "timeline",
  description: "Find a turn, and see what each hook did in it, when, for how long and why.",
  variables: [
    service(),
    text("session", "session"),
    single("agent", "agent_turns_total", "agent"),
    single("outcome", "agent_turns_total", "outcome"),
    fixed("block", "a call was blocked", ["true", "false"]),
    single("hook", "agent_hook_duration_seconds", "hook"),
    decisions(),
    executions(),
    text("traceID", "trace"),
    tags(
      "turnTags",
      {
        "session.id": "session",
        "gen_ai.agent.name": "agent",
        "agent_turn.outcome": "outcome",
        "agent_turn.has_block": "block",
      },
      { "gen_ai.operation.name": "invoke_agent" },
    ),
    tags("hookTags", {
      "session.id": "session",
      "agent_hook.name": "hook",
      "agent_hook.decision": "decision",
      "agent_hook.execution": "execution",
    }),
  ],
  rows: [findATurn, theTurn, hooksOverTime],
};
