import type { RowSpec } from "../../dashboard.ts";
import { heatmap, ranking, timeSeries } from "../../panels.ts";
import type { Query } from "../../panel.ts";
import { buckets, happened, quantile, topk } from "../../promql.ts";
import { chosen } from "../../variables.ts";

const duration = "agent_hook_duration_seconds";
const where = chosen(duration);

const QUANTILES: readonly number[] = [0.5, 0.95, 0.99];

export const times: RowSpec = {
  title: "How long",
  panels: [
    timeSeries({
      title: "Duration by point",
      shows: "Below p50, p95 and p99 lie half, 95 % and 99 % of the invocations at each point.",
      whenBad: "Find the hook in the panel beside this; give it a shorter timeoutMs, or make it faster.",
      next: ["timeline"],
      width: 12,
      unit: "s",
      exemplars: true,
      queries: QUANTILES.map((q): Query => ({
        expression: quantile(q, duration, { by: ["point"], where }),
        legend: `p${q * 100} {{point}}`,
      })),
    }),
    timeSeries({
      title: "Duration by hook",
      shows: "Below p50, p95 and p99 lie half, 95 % and 99 % of the invocations of each hook.",
      whenBad: "Open the point of an exemplar to see what the slow invocation waited for.",
      next: ["timeline"],
      width: 12,
      unit: "s",
      exemplars: true,
      queries: QUANTILES.map((q): Query => ({
        expression: quantile(q, duration, { by: ["hook"], where }),
        legend: `p${q * 100} {{hook}}`,
      })),
    }),
    heatmap({
      title: "Spread of durations",
      shows: "How many invocations took how long; a point is an exemplar, which opens its trace.",
      whenBad:
        "A second band means two kinds of invocations, mostly a cache that misses or a service that is slow: open a point in it.",
      next: ["timeline"],
      width: 12,
      unit: "s",
      query: buckets(duration, { where }),
    }),
    ranking({
      title: "Slowest hooks",
      shows: "The ten hooks with the highest p95 in the time that is shown, by point.",
      whenBad: "The first row is where time can be won; its turns are in the hook timeline.",
      next: ["timeline"],
      width: 12,
      unit: "s",
      value: "p95",
      query: topk(10, happened(quantile(0.95, duration, { by: ["hook", "point"], where, window: "$__range" }))),
    }),
  ],
};
