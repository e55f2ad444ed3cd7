import { counted } from "../../counted.ts";
import type { RowSpec } from "../../dashboard.ts";
import { stat, timeSeries } from "../../panels.ts";
import { max, orZero, rise, series, sum } from "../../promql.ts";
import { chosen } from "../../variables.ts";

const ratio = "agent_budget_spent_ratio";
const unpriced = "agent_unpriced_tokens_total";

export const budgets: RowSpec = {
  title: "Budgets",
  panels: [
    timeSeries({
      title: "Spent share",
      shows: "How much of each budget is spent; of the session or profile nearest to its limit.",
      whenBad: "From 100 % on the budget stops what it is told to: raise it, or see what spends.",
      next: ["timeline"],
      width: 10,
      unit: "percentunit",
      queries: [{ expression: max(series(ratio, chosen(ratio)), ["budget"]), legend: "{{budget}}" }],
    }),
    timeSeries({
      title: "Spent in the last hour",
      shows: "Which share of each budget the last hour took.",
      whenBad: "A budget for a day lasts it at 4 % an hour.",
      next: ["timeline"],
      width: 9,
      unit: "percentunit",
      queries: [{ expression: rise(ratio, ["budget"], "1h"), legend: "{{budget}}" }],
    }),
    stat({
      title: "Tokens without a price",
      shows: "Tokens of models whose price is not known, in the time that is shown; they are missing from every cost.",
      whenBad: "Give the price of the model in the option prices.",
      next: ["health"],
      width: 5,
      unit: "short",
      redFrom: 1,
      once: true,
      query: orZero(sum(counted(unpriced, { where: chosen(unpriced), window: "$__range" }), [])),
    }),
  ],
};
