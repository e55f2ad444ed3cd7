import type { AlertName } from "@hookscope/dashboards";
import {
  began,
  SERVICE,
  scraped,
  series,
  blocked,
  POLICY,
  spanLabels,
  span,
  SPAN,
  spansScraped,
  waiting,
} from "./inputs.ts";
import type { AlertCases } from "./situation.ts";

type ToolCallAlert = Extract<
  AlertName,
  "ToolCallBlocked" | "ToolCallBlockedInSpans" | "HookBlocksOften" | "PolicyFailingClosed" | "ApprovalWaitingTooLong"
>;

/** Of tool calls. */
export const TOOL_CALL_CASES: Readonly<Record<ToolCallAlert, AlertCases>> = {
  ToolCallBlocked: {
    fires: [
      {
        when: "a counter that stood at 0 goes to 1",
        input: { [blocked("policy")]: "0x4 1x5" },
        at: 6,
        alerts: [POLICY],
      },
      {
        when: "a counter is first seen at 1",
        input: { [blocked("policy")]: "_x4 1x5", [scraped]: "0x9" },
        at: 5,
        alerts: [POLICY],
      },
      {
        when: "it was seen at 1, and has been there for two scrapes",
        input: { [blocked("policy")]: "_x4 1x5", [scraped]: "0x9" },
        at: 7,
        alerts: [POLICY],
      },
      {
        when: "the first scrape of a process that has just begun has a blocked call",
        input: { [blocked("policy")]: "_x4 1x5", [scraped]: "_x4 0x5", [began]: "_x4 250x5" },
        at: 5,
        alerts: [POLICY],
      },
      { when: "a counter goes from 7 to 8", input: { [blocked("policy")]: "7x60 8x5" }, at: 62, alerts: [POLICY] },
      {
        when: "the process starts again and blocks once",
        input: { [blocked("policy")]: "7x60 0x2 1x5" },
        at: 65,
        alerts: [POLICY],
      },
      {
        when: "the process starts again and has blocked as often as before when it is next scraped",
        input: { [blocked("policy")]: "1x70", [scraped]: "0x70", [began]: "-86400x60 3630x10" },
        at: 62,
        alerts: [POLICY],
      },
      {
        when: "the process started again forty minutes ago, and now blocks as often as before",
        input: { [blocked("policy")]: "1x20 _x40 1x5", [scraped]: "0x70", [began]: "-86400x20 1250x50" },
        at: 62,
        alerts: [POLICY],
      },
      {
        when: "the process was down for ten minutes, and its first scrape has a blocked call",
        input: {
          [blocked("policy")]: "1x20 _x10 1x5",
          [scraped]: "0x20 _x10 0x5",
          [began]: "-86400x20 _x10 1850x5",
        },
        at: 32,
        alerts: [POLICY],
      },
      {
        when: "a call was blocked while Prometheus was away for half an hour",
        input: { [blocked("policy")]: "7x30 _x30 8x10", [scraped]: "0x30 _x30 0x10" },
        at: 62,
        alerts: [POLICY],
      },
    ],
    quiet: [
      { when: "nothing was ever blocked", input: { [blocked("policy")]: "0x20" }, at: 15, alerts: [] },
      {
        when: "the last block is more than five minutes ago",
        input: { [blocked("policy")]: "0x4 1x20" },
        at: 15,
        alerts: [],
      },
      {
        when: "Prometheus was away for half an hour, and nothing changed",
        input: { [blocked("policy")]: "7x30 _x30 7x10", [scraped]: "0x30 _x30 0x10", [began]: "-86400x80" },
        at: 62,
        alerts: [],
      },
      {
        when: "Prometheus was away for a day, and nothing changed",
        input: { [blocked("policy")]: "7x30 _x1440 7x10", [scraped]: "0x30 _x1440 0x10", [began]: "-86400x1480" },
        at: 1472,
        alerts: [],
      },
      {
        when: "Prometheus is new beside a process that has long run",
        input: { [blocked("policy")]: "_x4 7x10", [scraped]: "_x4 0x10", [began]: "_x4 -86400x10" },
        at: 6,
        alerts: [],
      },
      {
        when: "one scrape of the process fails",
        input: { [blocked("policy")]: "7x20 _ 7x10", [scraped]: "0x20 _ 0x10", [began]: "-86400x20 _ -86400x10" },
        at: 23,
        alerts: [],
      },
      {
        when: "the process starts again and blocks nothing",
        input: { [blocked("policy")]: "7x20 0x10", [scraped]: "0x30", [began]: "-86400x20 1250x10" },
        at: 23,
        alerts: [],
      },
    ],
  },
  ToolCallBlockedInSpans: {
    fires: [
      { when: "the Collector counts the first blocked call", input: { [span]: "0x4 1x5" }, at: 6, alerts: [SPAN] },
      {
        when: "a blocked call is first seen as 1",
        input: { [span]: "_x4 1x5", [spansScraped]: "1x9" },
        at: 5,
        alerts: [SPAN],
      },
      {
        when: "a permission denied the call: there is no hook",
        input: {
          [series("hookscope_span_calls_total", {
            ...spanLabels,
            agent_tool_outcome: "denied",
            agent_tool_cause: "permission",
            agent_tool_blocked_by: "",
          })]: "_x4 1x5",
          [spansScraped]: "1x9",
        },
        at: 5,
        alerts: [{ ...SERVICE, tool: "shell", cause: "permission" }],
      },
    ],
    quiet: [
      {
        when: "calls are completed, and fail",
        input: {
          [series("hookscope_span_calls_total", { ...spanLabels, agent_tool_outcome: "completed" })]: "0+3x10",
          [series("hookscope_span_calls_total", { ...spanLabels, agent_tool_outcome: "failed" })]: "0+1x10",
        },
        at: 8,
        alerts: [],
      },
      {
        when: "two scrapes of the Collector fail, and nothing changes",
        input: { [span]: "7x20 _x2 7x10", [spansScraped]: "1x20 0x2 1x10" },
        at: 24,
        alerts: [],
      },
      {
        when: "Prometheus was away for a day, and nothing changed",
        input: { [span]: "7x30 _x1440 7x10", [spansScraped]: "1x30 _x1440 1x10" },
        at: 1472,
        alerts: [],
      },
    ],
  },
  HookBlocksOften: {
    fires: [
      {
        when: "a hook blocks three calls a minute",
        input: { [blocked("policy")]: "0+3x20" },
        at: 15,
        alerts: [{ ...SERVICE, hook: "approval_policy" }],
      },
    ],
    quiet: [
      { when: "a hook blocks one call a minute", input: { [blocked("policy")]: "0+1x20" }, at: 15, alerts: [] },
      {
        when: "it blocked thirty calls while Prometheus was away for an hour",
        input: { [blocked("policy")]: "1x30 _x60 31x10", [scraped]: "0x30 _x60 0x10", [began]: "-86400x100" },
        at: 92,
        alerts: [],
      },
      { when: "a broken hook blocks as often", input: { [blocked("failure")]: "0+3x20" }, at: 15, alerts: [] },
    ],
  },
  PolicyFailingClosed: {
    fires: [
      {
        when: "a hook's failure blocks a call",
        input: { [blocked("failure")]: "0x4 1x5" },
        at: 6,
        alerts: [{ ...SERVICE, tool: "shell", hook: "approval_policy", cause: "failure" }],
      },
      {
        when: "the first failure is seen as 1",
        input: { [blocked("failure")]: "_x4 1x5", [scraped]: "0x9" },
        at: 5,
        alerts: [{ ...SERVICE, tool: "shell", hook: "approval_policy", cause: "failure" }],
      },
    ],
    quiet: [
      {
        when: "a rule blocks a call",
        input: { [blocked("policy")]: "0x4 1x5", [blocked("failure")]: "0x10" },
        at: 6,
        alerts: [],
      },
    ],
  },
  ApprovalWaitingTooLong: {
    fires: [
      {
        when: "a question has waited for five minutes",
        input: { [waiting]: "0x4 1x10" },
        at: 10,
        alerts: [{ ...SERVICE, tool: "shell" }],
      },
    ],
    quiet: [
      { when: "a question has waited for two minutes", input: { [waiting]: "0x4 1x10" }, at: 7, alerts: [] },
      {
        when: "each question is answered within three minutes",
        input: { [waiting]: "1 1 1 0 1 1 1 0 1 1 1 0" },
        at: 10,
        alerts: [],
      },
    ],
  },
};
