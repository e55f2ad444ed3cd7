import type { RowSpec } from "../../dashboard.ts";
import { timeSeries } from "../../panels.ts";
import { rate, series, sum } from "../../promql.ts";
import { chosen } from "../../variables.ts";

const failed = "agent_hook_failures_total";
const suspended = "agent_hooks_suspended";
const ignored = "agent_hook_results_ignored_total";
const late = "agent_hook_late_results_total";
const running = "agent_hooks_in_flight";
const dropped = "agent_stream_deltas_dropped_total";

const HOOK_AND_POINT = "{{hook}} at {{point}}";

export const failures: RowSpec = {
  title: "What goes wrong",
  panels: [
    timeSeries({
      title: "Timeouts",
      shows: "Invocations per second that took longer than their limit.",
      whenBad: "The hook is suspended at that point for a minute after each: repair what it waits for.",
      next: ["timeline"],
      width: 8,
      unit: "ops",
      exemplars: true,
      queries: [
        {
          expression: sum(rate(failed, { where: { ...chosen(failed), execution: "timeout" } }), ["hook", "point"]),
          legend: HOOK_AND_POINT,
        },
      ],
    }),
    timeSeries({
      title: "Suspended hooks",
      shows: "In how many processes a hook that timed out is not run at that point now.",
      whenBad: "At pre_tool_call every tool call is blocked meanwhile: repair or unregister the hook.",
      next: ["blocked", "timeline"],
      width: 8,
      unit: "short",
      queries: [{ expression: sum(series(suspended, chosen(suspended)), ["hook", "point"]), legend: HOOK_AND_POINT }],
    }),
    timeSeries({
      title: "Running now",
      shows: "Invocations that have not come back yet.",
      whenBad: "A number that stays up is a hook that hangs: see what it waits for.",
      next: ["timeline"],
      width: 8,
      unit: "short",
      queries: [{ expression: sum(series(running, chosen(running)), ["hook", "point"]), legend: HOOK_AND_POINT }],
    }),
    timeSeries({
      title: "Ignored results",
      shows: "Results per second that the point does not take.",
      whenBad: "The hook believes that it decides and does not: see docs/hook-points.md for what the point takes.",
      next: ["timeline"],
      width: 8,
      unit: "ops",
      queries: [
        {
          expression: sum(rate(ignored, { where: chosen(ignored) }), ["hook", "point", "reason"]),
          legend: `${HOOK_AND_POINT}: {{reason}}`,
        },
      ],
    }),
    timeSeries({
      title: "Late results",
      shows: "Results per second that came after the hook's time was over, and were dropped.",
      whenBad: "The hook works but is slower than its limit: raise timeoutMs or make it faster.",
      next: ["timeline"],
      width: 8,
      unit: "ops",
      queries: [{ expression: sum(rate(late, { where: chosen(late) }), ["hook", "point"]), legend: HOOK_AND_POINT }],
    }),
    timeSeries({
      title: "Streamed deltas dropped",
      shows: "Deltas per second that a hook at on_stream_delta was too slow to be given.",
      whenBad: "The hook misses text: make it faster.",
      next: ["timeline"],
      width: 8,
      unit: "ops",
      queries: [{ expression: sum(rate(dropped, { where: chosen(dropped) }), ["hook"]), legend: "{{hook}}" }],
    }),
  ],
};
