import type { Decision, Execution } from "@hookscope/hooks";

import { or, sum, times, observed, where, type Expression } from "./promql.ts";
import { chosen } from "./variables.ts";

type Label = "hook" | "decision" | "execution";

/** `rank` for each hook that had such an invocation in the step, 0 for the others. */
export function overTimeAtLeastOnce(
  kind: { readonly decision?: Decision; readonly execution: Execution },
  rank: number,
): Expression<Label> {
  const metric = "agent_hook_duration_seconds";
  const { text, labels } = sum(observed(metric, { where: { ...chosen(metric), ...kind } }), [
    "hook",
    "decision",
    "execution",
  ]);
  return times({ text: `(${where({ text, labels }, "> bool", 0).text})`, labels }, rank);
}

/** All of them; their labels tell them apart. */
export function union(expressions: readonly Expression<Label>[]): Expression<Label> {
  return expressions.reduce((left, right) => or(left, right));
}
