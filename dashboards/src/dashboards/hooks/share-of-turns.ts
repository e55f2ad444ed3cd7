import type { RowSpec } from "../../dashboard.ts";
import { timeSeries } from "../../panels.ts";
import { divide, quantile, sum, total } from "../../promql.ts";
import { chosen } from "../../variables.ts";

const hookTime = "agent_turn_hook_time_seconds";
const turnTime = "agent_turn_duration_seconds";
const wait = "agent_tool_hook_wait_seconds";

export const shareOfTurns: RowSpec = {
  title: "What it costs a turn",
  panels: [
    timeSeries({
      title: "Share of turn time spent in hooks",
      shows: "Time of all hooks, summed, against the time of the turns; above 100 % where hooks run side by side.",
      whenBad: "Above a tenth, hooks are felt: see Slowest hooks.",
      next: ["timeline"],
      width: 12,
      unit: "percentunit",
      queries: [
        {
          expression: divide(
            sum(total(hookTime, { where: chosen(hookTime) }), ["agent"]),
            sum(total(turnTime, { where: chosen(turnTime) }), ["agent"]),
          ),
          legend: "{{agent}}",
        },
      ],
    }),
    timeSeries({
      title: "Tool calls waiting for hooks",
      shows: "The time for which 95 % of the calls of a tool wait for hooks at most.",
      whenBad: "See which hook at pre_tool_call is slow.",
      next: ["timeline"],
      width: 12,
      unit: "s",
      exemplars: true,
      queries: [{ expression: quantile(0.95, wait, { by: ["tool"], where: chosen(wait) }), legend: "{{tool}}" }],
    }),
  ],
};
