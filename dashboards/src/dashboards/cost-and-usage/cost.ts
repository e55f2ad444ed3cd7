import type { RowSpec } from "../../dashboard.ts";
import { stat, timeSeries } from "../../panels.ts";
import { divide, orZero, rate, sum, times } from "../../promql.ts";
import { chosen } from "../../variables.ts";

const spent = "agent_cost_usd_total";
const turns = "agent_turns_total";
const perSecond = rate(spent, { where: chosen(spent) });
const PER_HOUR = 3600;

export const cost: RowSpec = {
  title: "Cost",
  panels: [
    stat({
      title: "Now per hour",
      shows: "What an hour costs at the rate of the last ten minutes.",
      whenBad: "See beside this which model or agent it is; set a budget.",
      next: ["timeline"],
      width: 6,
      unit: "currencyUSD",
      query: orZero(times(sum(rate(spent, { where: chosen(spent), window: "10m" }), []), PER_HOUR)),
    }),
    timeSeries({
      title: "Per turn",
      shows: "Cost against turns that a person started; subagents are part of theirs.",
      whenBad: "A rise means longer conversations, more rounds or a dearer model: see the panels below.",
      next: ["timeline"],
      width: 9,
      unit: "currencyUSD",
      queries: [
        {
          expression: divide(
            sum(perSecond, []),
            sum(rate(turns, { where: { ...chosen(turns), subagent: "false" } }), []),
          ),
          legend: "per turn",
        },
      ],
    }),
    by("model", "A dear model may do work that a cheaper one can."),
    by("profile", "See which agent of the profile it is; give the profile a budget."),
    by("agent", "Open its longest turns; give it a cheaper model or fewer rounds."),
  ],
};

function by(label: "model" | "profile" | "agent", whenBad: string) {
  return timeSeries({
    title: `By ${label}`,
    shows: `What an hour costs at the rate of the time, by ${label}.`,
    whenBad,
    next: ["timeline"],
    width: label === "model" ? 9 : 12,
    unit: "currencyUSD",
    stacked: true,
    queries: [{ expression: times(sum(perSecond, [label]), PER_HOUR), legend: `{{${label}}}` }],
  });
}
