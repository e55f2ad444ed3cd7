import type { RowSpec } from "../../dashboard.ts";
import { invocations, trace } from "../../trace-panels.ts";

export const theTurn: RowSpec = {
  title: "The turn",
  panels: [
    trace({
      title: "Waterfall",
      shows: "The chosen turn: hooks stand under the model call or tool call that they belong to.",
      whenBad:
        "Look for the longest span, then for red ones, which are failures; a block is no failure and is in the table beside this.",
      next: ["hooks"],
      width: 14,
      height: 18,
    }),
    invocations({
      title: "Hook invocations",
      shows:
        "Each invocation of the chosen turn: when, how long, how the call went, what it decided, whether that was applied, and why.",
      whenBad:
        "Sort by duration for the slow ones. Where execution is not ok the hook is broken; where decision is block, reason says why.",
      next: ["hooks", "blocked"],
      width: 10,
      height: 18,
    }),
  ],
};
