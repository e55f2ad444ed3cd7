import type { DashboardSpec } from "../../dashboard.ts";
import { causes, choice, service, single, tags } from "../../variables.ts";
import { approvals } from "./approvals.ts";
import { blocks } from "./blocks.ts";
import { theTurns } from "./the-turns.ts";

export const blockedToolCalls: DashboardSpec = {
  place: "blocked",
  description: "Which tool calls were stopped, by what, and the turns in which it happened.",
  variables: [
    service(),
    choice("agent", "agent_turns_total", "agent"),
    single("tool", "agent_tool_calls_total", "tool"),
    single("hook", "agent_tool_calls_blocked_total", "hook"),
    causes(),
    tags("blockedTags", {
      "gen_ai.tool.name": "tool",
      "agent_tool.blocked_by": "hook",
      "agent_tool.cause": "cause",
    }),
  ],
  rows: [blocks, theTurns, approvals],
};
