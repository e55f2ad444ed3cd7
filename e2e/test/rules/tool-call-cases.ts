import type { AlertName } from "@hookscope/dashboards";
import { BLOCKED_CALL_CASES } from "./blocked-call-cases.ts";
import { blocked, began, scraped, series, SERVICE, span, SPAN, spanLabels, spansScraped, waiting } from "./inputs.ts";
import type { AlertCases } from "./situation.ts";

type ToolCallAlert = Extract<
  AlertName,
  "ToolCallBlocked" | "ToolCallBlockedInSpans" | "HookBlocksOften" | "PolicyFailingClosed" | "ApprovalWaitingTooLong"
>;

/** Of tool calls. */
export const TOOL_CALL_CASES: Readonly<Record<ToolCallAlert, AlertCases>> = {
  ToolCallBlocked: BLOCKED_CALL_CASES,
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
      {
        when: "a process blocks fifteen calls, starts again, and blocks ten more",
        input: { [blocked("policy")]: "0x10 15x2 10x5", [scraped]: "0x20", [began]: "-86400x13 790x6" },
        at: 17,
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
