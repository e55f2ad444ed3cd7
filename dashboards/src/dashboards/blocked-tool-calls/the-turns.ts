import type { RowSpec } from "../../dashboard.ts";
import { search } from "../../trace-panels.ts";

export const theTurns: RowSpec = {
  title: "Where it happened",
  panels: [
    search({
      title: "Turns with a blocked call",
      shows:
        "The latest turns with a tool call that fits the variables tool, hook and cause. Click a trace id for the turn.",
      whenBad: "An empty list while the numbers above rise means that spans do not arrive: look at Runtime health.",
      next: ["health", "timeline"],
      width: 24,
      height: 10,
      tags: "blockedTags",
      keeps: ["service", "hook"],
    }),
  ],
};
