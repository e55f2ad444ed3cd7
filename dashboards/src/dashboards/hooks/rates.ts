import type { RowSpec } from "../../dashboard.ts";
import { timeSeries } from "../../panels.ts";
import { observed, rate, sum } from "../../promql.ts";
import { chosen } from "../../variables.ts";

const duration = "agent_hook_duration_seconds";
const failures = "agent_hook_failures_total";

export const rates: RowSpec = {
  title: "How often",
  panels: [
    timeSeries({
      title: "Invocations by hook",
      shows: "Invocations per second of each hook.",
      whenBad: "A hook that stands at 0 while turns run is not registered, or its point is not reached.",
      next: ["timeline"],
      width: 8,
      unit: "ops",
      queries: [{ expression: sum(observed(duration, { where: chosen(duration) }), ["hook"]), legend: "{{hook}}" }],
    }),
    timeSeries({
      title: "Decisions",
      shows: "Invocations per second by what they decided.",
      whenBad: "A rise of block or ask_user is a policy at work or a hook gone wrong: see Blocked tool calls.",
      next: ["blocked", "timeline"],
      width: 8,
      unit: "ops",
      stacked: true,
      queries: [
        { expression: sum(observed(duration, { where: chosen(duration) }), ["decision"]), legend: "{{decision}}" },
      ],
    }),
    timeSeries({
      title: "Failures by hook and kind",
      shows: "Invocations per second that threw, timed out, were skipped while suspended or gave no valid result.",
      whenBad: "At pre_tool_call each one blocks a tool call. Open the point of an exemplar: the span has the error.",
      next: ["timeline", "blocked"],
      width: 8,
      unit: "ops",
      exemplars: true,
      queries: [
        {
          expression: sum(rate(failures, { where: chosen(failures) }), ["hook", "point", "execution"]),
          legend: "{{hook}} at {{point}}: {{execution}}",
        },
      ],
    }),
  ],
};
