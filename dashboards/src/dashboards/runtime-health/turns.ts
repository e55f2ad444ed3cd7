import { countsBy } from "../../counts-panel.ts";
import type { RowSpec } from "../../dashboard.ts";
import { timeSeries } from "../../panels.ts";
import { quantile, rate, series, sum } from "../../promql.ts";
import { chosen } from "../../variables.ts";

const ended = "agent_turns_total";
const running = "agent_turns_in_flight";
const duration = "agent_turn_duration_seconds";
const calls = "agent_tool_calls_total";
const callTime = "agent_tool_duration_seconds";

export const turns: RowSpec = {
  title: "Turns and tool calls",
  panels: [
    countsBy(ended, "outcome", {
      title: "Turns by outcome",
      shows: "Turns about each minute by how they ended.",
      whenBad: "For error open the point of an exemplar; for max_turns raise the limit or give smaller tasks.",
      next: ["timeline"],
      width: 8,
    }),
    timeSeries({
      title: "Turns running",
      shows: "Turns that have not ended, subagents included.",
      whenBad:
        "A number that never falls is a turn that hangs: look for a question that waits, or a hook that is running.",
      next: ["blocked", "hooks"],
      width: 8,
      unit: "short",
      queries: [{ expression: sum(series(running, chosen(running)), []), legend: "running" }],
    }),
    timeSeries({
      title: "Duration of turns",
      shows: "The time below which 95 % of the turns of each agent lie.",
      whenBad: "Open the point of an exemplar and look for the longest span.",
      next: ["timeline", "hooks"],
      width: 8,
      unit: "s",
      exemplars: true,
      queries: [
        { expression: quantile(0.95, duration, { by: ["agent"], where: chosen(duration) }), legend: "{{agent}}" },
      ],
    }),
    timeSeries({
      title: "Tool calls by outcome",
      shows: "Tool calls per second by how they ended.",
      whenBad: "For failed open the point of an exemplar; for blocked and denied see Blocked tool calls.",
      next: ["blocked", "timeline"],
      width: 12,
      unit: "ops",
      stacked: true,
      exemplars: true,
      queries: [{ expression: sum(rate(calls, { where: chosen(calls) }), ["outcome"]), legend: "{{outcome}}" }],
    }),
    timeSeries({
      title: "Duration of tools",
      shows: "The time below which 95 % of the calls of each tool lie, without hooks and questions.",
      whenBad: "Open the point of an exemplar to see the call.",
      next: ["timeline"],
      width: 12,
      unit: "s",
      exemplars: true,
      queries: [
        { expression: quantile(0.95, callTime, { by: ["tool"], where: chosen(callTime) }), legend: "{{tool}}" },
      ],
    }),
  ],
};
