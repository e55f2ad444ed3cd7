import type { RowSpec } from "../../dashboard.ts";
import { search } from "../../trace-panels.ts";
import type { VariableName } from "../../variables.ts";

const FILTERS: readonly VariableName[] = [
  "service",
  "session",
  "agent",
  "outcome",
  "block",
  "hook",
  "decision",
  "execution",
];

export const findATurn: RowSpec = {
  title: "Find a turn",
  panels: [
    search({
      title: "Turns by session, agent, outcome and block",
      shows:
        "The latest turns that fit the variables session, agent, outcome and block. Click a trace id to see the turn below.",
      whenBad:
        "An empty list means that nothing fits, or that spans do not arrive: set the variables to any, then look at Runtime health.",
      next: ["health", "blocked"],
      width: 12,
      tags: "turnTags",
      keeps: FILTERS,
    }),
    search({
      title: "Turns by hook, decision and execution",
      shows:
        "The latest turns in which one invocation fits the variables session, hook, decision and execution. Click a trace id to see the turn below.",
      whenBad:
        "An empty list for a hook that is registered means that its point was not reached: see Hooks for where it ran last.",
      next: ["hooks", "health"],
      width: 12,
      tags: "hookTags",
      keeps: FILTERS,
    }),
  ],
};
