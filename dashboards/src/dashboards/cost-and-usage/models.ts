import type { RowSpec } from "../../dashboard.ts";
import { timeSeries } from "../../panels.ts";
import { observed, quantile, sum } from "../../promql.ts";
import { chosen } from "../../variables.ts";

const request = "agent_model_request_duration_seconds";
const where = chosen(request);

export const models: RowSpec = {
  title: "Model calls",
  panels: [
    timeSeries({
      title: "Attempts by outcome",
      shows: "Attempts of model calls per second.",
      whenBad: "Errors are tried again, and cost time: open the point of an exemplar for the status code.",
      next: ["timeline"],
      width: 12,
      unit: "ops",
      stacked: true,
      queries: [
        { expression: sum(observed(request, { where }), ["model", "outcome"]), legend: "{{model}} {{outcome}}" },
      ],
    }),
    timeSeries({
      title: "Duration of attempts",
      shows: "The time below which 95 % of the attempts of each model lie.",
      whenBad: "Open the point of an exemplar; compare with what the provider says of itself.",
      next: ["timeline"],
      width: 12,
      unit: "s",
      exemplars: true,
      queries: [{ expression: quantile(0.95, request, { by: ["model"], where }), legend: "{{model}}" }],
    }),
  ],
};
