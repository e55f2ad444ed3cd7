import { counted } from "../../counted.ts";
import { countsBy } from "../../counts-panel.ts";
import type { RowSpec } from "../../dashboard.ts";
import { ranking, stat, timeSeries } from "../../panels.ts";
import { divide, orZero, rate, series, sum, topk, where } from "../../promql.ts";
import { chosen } from "../../variables.ts";

const blocked = "agent_tool_calls_blocked_total";
const calls = "agent_tool_calls_total";

export const blocks: RowSpec = {
  title: "Blocked tool calls",
  panels: [
    stat({
      title: "Blocked",
      shows: "Tool calls stopped in the time that is shown.",
      whenBad: "See by what in the panels beside this, then the turns below.",
      next: ["timeline"],
      width: 4,
      unit: "short",
      once: true,
      query: orZero(sum(counted(blocked, { where: chosen(blocked), window: "$__range" }), [])),
    }),
    stat({
      title: "Failed closed",
      shows: "Tool calls stopped because a hook failed, not because a policy said so.",
      whenBad: "The hook is broken and blocks what it should not: see its error in one of the turns below.",
      next: ["hooks", "timeline"],
      width: 4,
      unit: "short",
      redFrom: 1,
      once: true,
      query: orZero(sum(counted(blocked, { where: { ...chosen(blocked), cause: "failure" }, window: "$__range" }), [])),
    }),
    timeSeries({
      title: "Share of calls that were blocked",
      shows: "Blocked calls against all calls, by agent.",
      whenBad:
        "An agent that runs into blocks again and again needs other instructions, or a rule that is less strict.",
      next: ["timeline"],
      width: 8,
      unit: "percentunit",
      queries: [
        {
          expression: divide(
            sum(rate(blocked, { where: chosen(blocked) }), ["agent"]),
            sum(rate(calls, { where: chosen(calls) }), ["agent"]),
          ),
          legend: "{{agent}}",
        },
      ],
    }),
    countsBy(blocked, "cause", {
      title: "Blocked calls over time",
      shows: "Blocked calls about each minute by cause; a point is an exemplar, which opens its trace.",
      whenBad: "policy is a rule at work; failure is a broken hook; person and permission are refusals.",
      next: ["timeline"],
      width: 8,
    }),
    ranking({
      title: "Most blocked tools",
      shows: "Blocked calls of each tool since its process started.",
      whenBad: "Choose the tool to see its turns.",
      next: ["timeline"],
      width: 8,
      unit: "short",
      value: "blocked",
      query: top("tool"),
    }),
    ranking({
      title: "Hooks that block most",
      shows: "Calls blocked by each hook or mod since its process started.",
      whenBad: "Choose the hook to see its turns and its reasons.",
      next: ["hooks", "timeline"],
      width: 8,
      unit: "short",
      value: "blocked",
      query: top("hook"),
    }),
    ranking({
      title: "Most blocked agents",
      shows: "Blocked calls of each agent since its process started.",
      whenBad: "Choose the agent to see what it tries.",
      next: ["timeline"],
      width: 8,
      unit: "short",
      value: "blocked",
      query: top("agent"),
    }),
  ],
};

function top(by: "tool" | "hook" | "agent") {
  return topk(20, where(sum(series(blocked, chosen(blocked)), [by]), ">", 0));
}
