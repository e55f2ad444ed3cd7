import { counted } from "../../counted.ts";
import type { RowSpec } from "../../dashboard.ts";
import { stat, timeSeries } from "../../panels.ts";
import { increase, orZero, series, sum } from "../../promql.ts";
import { chosen } from "../../variables.ts";

const dropped = "hookscope_spans_dropped_total";
const queue = "hookscope_export_queue_size";
const overflow = "hookscope_series_overflow_total";
const refused = "hookscope_values_refused_total";
const mods = "agent_mod_load_failures_total";

export const processes: RowSpec = {
  title: "Agents",
  panels: [
    timeSeries({
      title: "Spans dropped",
      shows: "Spans lost on their way out, by reason.",
      whenBad: "Traces have holes: see whether the Collector is up and fast enough.",
      next: ["timeline"],
      width: 8,
      unit: "short",
      queries: [{ expression: sum(increase(dropped, { where: chosen(dropped) }), ["reason"]), legend: "{{reason}}" }],
    }),
    timeSeries({
      title: "Spans waiting",
      shows: "Spans that wait in the agents to be exported.",
      whenBad: "A queue that stays full drops spans: see whether the Collector is up and fast enough.",
      next: ["timeline"],
      width: 7,
      unit: "short",
      queries: [{ expression: sum(series(queue, chosen(queue)), ["instance"]), legend: "{{instance}}" }],
    }),
    stat({
      title: "Series overflow",
      shows: "Recordings that fell into __other__ because a metric has its most series.",
      whenBad: "A label has too many values, mostly tool names: name tools alike, or raise maxSeries.",
      next: ["hooks"],
      width: 3,
      unit: "short",
      redFrom: 1,
      once: true,
      query: orZero(sum(counted(overflow, { where: chosen(overflow), window: "$__range" }), [])),
    }),
    stat({
      title: "Values refused",
      shows: "Values that are no finite number of at least 0, and were not recorded.",
      whenBad: "Something reports broken usage or times: the agent's log names the first one.",
      next: ["cost"],
      width: 3,
      unit: "short",
      redFrom: 1,
      once: true,
      query: orZero(sum(counted(refused, { where: chosen(refused), window: "$__range" }), [])),
    }),
    stat({
      title: "Mods not loaded",
      shows: "Mods that could not be loaded since the processes started.",
      whenBad: "The agent runs without them: its log says why.",
      next: ["timeline"],
      width: 3,
      unit: "short",
      redFrom: 1,
      query: orZero(sum(series(mods, chosen(mods)), [])),
    }),
  ],
};
