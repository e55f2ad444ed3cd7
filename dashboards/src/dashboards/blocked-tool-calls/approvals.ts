import { countsBy } from "../../counts-panel.ts";
import type { RowSpec } from "../../dashboard.ts";
import { stat, timeSeries } from "../../panels.ts";
import { observed, orZero, quantile, series, sum } from "../../promql.ts";
import { chosen } from "../../variables.ts";

const answers = "agent_approvals_total";
const waiting = "agent_approvals_waiting";
const wait = "agent_approval_wait_seconds";

export const approvals: RowSpec = {
  title: "Questions to a person",
  panels: [
    stat({
      title: "Waiting now",
      shows: "Questions that nobody has answered yet.",
      whenBad: "A turn stands still for each: answer them.",
      next: ["timeline"],
      width: 4,
      unit: "short",
      redFrom: 5,
      query: orZero(sum(series(waiting, chosen(waiting)), [])),
    }),
    timeSeries({
      title: "Asked and answered",
      shows: "Questions answered per second, whatever the answer.",
      whenBad: "Many questions tire people: allow by a policy what is always granted.",
      next: ["timeline"],
      width: 7,
      unit: "ops",
      queries: [{ expression: sum(observed(wait, { where: chosen(wait) }), []), legend: "answered" }],
    }),
    countsBy(answers, "choice", {
      title: "Answers",
      shows: "Answers about each minute by what they say; deny, timeout and unavailable stop the call.",
      whenBad: "timeout and unavailable mean that nobody looks: check how approvers are told.",
      next: ["timeline"],
      width: 7,
    }),
    timeSeries({
      title: "Time to an answer",
      shows: "Below p50 and p95 lie half and 95 % of the times until a person answered, or none did.",
      whenBad: "Long waits hold up turns; the limit is five minutes unless set.",
      next: ["timeline"],
      width: 6,
      unit: "s",
      exemplars: true,
      queries: [0.5, 0.95].map((q) => ({
        expression: quantile(q, wait, { by: [], where: chosen(wait) }),
        legend: `p${q * 100}`,
      })),
    }),
  ],
};
