import type { Decision } from "@hookscope/hooks";
import { FAILURES } from "@hookscope/metrics";

import type { RowSpec } from "../../dashboard.ts";
import { stateTimeline } from "../../panels.ts";
import { max, type Expression } from "../../promql.ts";
import { overTimeAtLeastOnce, union } from "../../states.ts";

type ShownDecision = Exclude<Decision, "none">;

/** From the least to the most notable. */
const STATES: readonly { readonly name: string; readonly color: string; readonly decision?: ShownDecision }[] = [
  { name: "idle", color: "transparent" },
  { name: "continue", color: "green", decision: "continue" },
  { name: "modify", color: "blue", decision: "modify" },
  { name: "ask_user", color: "yellow", decision: "ask_user" },
  { name: "block", color: "orange", decision: "block" },
  { name: "failed", color: "red" },
];

export const hooksOverTime: RowSpec = {
  title: "Hooks over time",
  panels: [
    stateTimeline({
      title: "Decisions per hook",
      shows: "The most notable thing each hook did in each step of time: failed, block, ask_user, modify or continue.",
      whenBad: "A red line is a hook that fails: choose it as hook, set execution, and open one of its turns.",
      next: ["hooks", "blocked"],
      width: 24,
      height: 10,
      query: { expression: mostNotable(), legend: "{{hook}}" },
      states: STATES,
    }),
  ],
};

function mostNotable(): Expression<"hook"> {
  const ranks = STATES.flatMap(({ name, decision }, rank) => {
    if (decision !== undefined) return [overTimeAtLeastOnce({ decision, execution: "ok" }, rank)];
    return name === "failed" ? FAILURES.map((execution) => overTimeAtLeastOnce({ execution }, rank)) : [];
  });
  return max(union(ranks), ["hook"]);
}
