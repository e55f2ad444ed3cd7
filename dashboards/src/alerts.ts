import { alert, type AlertName, type AlertRow } from "./alert.ts";
import { counted, countedOrMissed } from "./counted.ts";
import { absent, and, divide, observed, or, quantile, rename, rise, series, sum, times, where } from "./promql.ts";

const blocked = "agent_tool_calls_blocked_total";
const spans = "hookscope_span_calls_total";
const failures = "agent_hook_failures_total";
const invocation = "agent_hook_duration_seconds";
const request = "agent_model_request_duration_seconds";
const ratio = "agent_budget_spent_ratio";

const HOOK = ["service", "hook", "point"] as const;
const MODEL = ["service", "provider", "model"] as const;
const TEN_MINUTES = 600;
const QUARTER_OF_AN_HOUR = 900;
const now95 = quantile(0.95, invocation, { by: HOOK, window: "15m" });
const failedRequests = sum(observed(request, { where: { outcome: "error" }, window: "10m" }), MODEL);

/**
 * Every alert. Prometheus's rules, Grafana's and the list of runbooks are made from it. What is counted over five minutes
 * has the first appearance of a series in it, so that a counter that starts at 1 fires too, and a counter that stands
 * still never does, however long nobody looked at it.
 */
export const ALERTS: Readonly<Record<AlertName, AlertRow>> = {
  ToolCallBlocked: alert({
    expression: where(
      sum(countedOrMissed(blocked, { window: "5m" }), ["service", "agent", "tool", "hook", "cause"]),
      ">",
      0,
    ),
    severity: "warning",
    summary: (label) => `${label("hook")} stopped ${label("tool")} of ${label("agent")} (${label("cause")})`,
    dashboard: "blocked",
    variables: { service: "service", tool: "tool", hook: "hook", cause: "cause" },
  }),
  ToolCallBlockedInSpans: alert({
    expression: where(
      rename(countedOrMissed(spans, { where: { agent_tool_outcome: ["blocked", "denied"] }, window: "5m" }), {
        service: "service_name",
        tool: "gen_ai_tool_name",
        hook: "agent_tool_blocked_by",
        cause: "agent_tool_cause",
      }),
      ">",
      0,
    ),
    severity: "warning",
    summary: (label) => `${label("hook")} stopped ${label("tool")} (${label("cause")}), as its spans say`,
    dashboard: "blocked",
    variables: { service: "service", tool: "tool", hook: "hook", cause: "cause" },
  }),
  HookBlocksOften: alert({
    expression: where(
      sum(counted(blocked, { where: { cause: "policy" }, window: "10m" }), ["service", "hook"]),
      ">",
      20,
    ),
    severity: "warning",
    summary: (label) => `${label("hook")} blocked more than 20 tool calls in ten minutes`,
    dashboard: "blocked",
    variables: { service: "service", hook: "hook" },
  }),
  PolicyFailingClosed: alert({
    expression: where(
      sum(countedOrMissed(blocked, { where: { cause: "failure" }, window: "5m" }), [
        "service",
        "tool",
        "hook",
        "cause",
      ]),
      ">",
      0,
    ),
    severity: "critical",
    summary: (label) => `${label("hook")} fails, and so blocks ${label("tool")}`,
    dashboard: "blocked",
    variables: { service: "service", tool: "tool", hook: "hook", cause: "cause" },
  }),
  HookErrors: alert({
    expression: where(
      sum(countedOrMissed(failures, { where: { execution: ["error", "invalid_result"] }, window: "5m" }), [
        "service",
        "hook",
        "point",
        "execution",
      ]),
      ">",
      0,
    ),
    keepFiringFor: "5m",
    severity: "warning",
    summary: (label) => `${label("hook")} at ${label("point")} fails: ${label("execution")}`,
    dashboard: "timeline",
    variables: { service: "service", hook: "hook", execution: "execution" },
  }),
  HookTimeoutOrSuspension: alert({
    expression: or(
      where(
        sum(countedOrMissed(failures, { where: { execution: ["timeout", "suspended"] }, window: "5m" }), [
          "service",
          "hook",
          "point",
        ]),
        ">",
        0,
      ),
      where(sum(series("agent_hooks_suspended"), ["service", "hook", "point"]), ">", 0),
    ),
    keepFiringFor: "5m",
    severity: "critical",
    summary: (label) => `${label("hook")} at ${label("point")} takes too long and is suspended`,
    dashboard: "timeline",
    variables: { service: "service", hook: "hook" },
  }),
  HookSlowerThanUsual: alert({
    expression: and(
      and(
        where(now95, ">", {
          text: `3 * ${quantile(0.95, invocation, { by: HOOK, window: "1d", offset: "1h" }).text}`,
          labels: HOOK,
        }),
        where(now95, ">", 0.1),
      ),
      // The p95 of fewer is that of the slowest one.
      where(times(sum(observed(invocation, { window: "15m" }), HOOK), QUARTER_OF_AN_HOUR), ">=", 20),
    ),
    for: "10m",
    severity: "warning",
    summary: (label) => `${label("hook")} at ${label("point")} takes three times as long as in the last day`,
    dashboard: "hooks",
    variables: { service: "service", hook: "hook" },
  }),
  ApprovalWaitingTooLong: alert({
    expression: where(sum(series("agent_approvals_waiting"), ["service", "tool"]), ">", 0),
    for: "4m",
    severity: "warning",
    summary: (label) => `For four minutes a question about ${label("tool")} has been waiting`,
    dashboard: "blocked",
    variables: { service: "service", tool: "tool" },
  }),
  BudgetBurnFast: alert({
    expression: and(
      where(rise(ratio, ["service", "budget"], "1h"), ">", 0.25),
      where(rise(ratio, ["service", "budget"], "10m"), ">", 0.02),
    ),
    severity: "critical",
    summary: (label) => `The budget ${label("budget")} lost a quarter in an hour, and still falls`,
    dashboard: "cost",
    variables: { service: "service" },
  }),
  BudgetBurnSlow: alert({
    expression: and(
      where(rise(ratio, ["service", "budget"], "6h"), ">", 0.5),
      where(rise(ratio, ["service", "budget"], "1h"), ">", 0.04),
    ),
    severity: "warning",
    summary: (label) => `The budget ${label("budget")} lost half in six hours, and still falls`,
    dashboard: "cost",
    variables: { service: "service" },
  }),
  SpansDropped: alert({
    expression: where(
      sum(countedOrMissed("hookscope_spans_dropped_total", { window: "5m" }), ["service", "instance", "reason"]),
      ">",
      0,
    ),
    keepFiringFor: "5m",
    severity: "warning",
    summary: (label) => `${label("instance")} loses spans: ${label("reason")}`,
    dashboard: "health",
    variables: { service: "service" },
  }),
  ModelErrors: alert({
    expression: and(
      where(divide(failedRequests, sum(observed(request, { window: "10m" }), MODEL)), ">", 0.2),
      // One that failed among few is no fault of the model's; three extrapolated from their samples are more than 2.5.
      where(times(failedRequests, TEN_MINUTES), ">", 2.5),
    ),
    for: "5m",
    severity: "warning",
    summary: (label) => `More than a fifth of the calls of ${label("provider")} ${label("model")} fail`,
    dashboard: "cost",
    variables: { service: "service" },
  }),
  CollectorQueueFilling: alert({
    expression: where(
      divide(
        sum(series("otelcol_exporter_queue_size"), ["instance", "exporter"]),
        sum(series("otelcol_exporter_queue_capacity"), ["instance", "exporter"]),
      ),
      ">",
      0.5,
    ),
    for: "5m",
    severity: "warning",
    summary: (label) =>
      `The queue of ${label("exporter")} on ${label("instance")} is more than half full; a full one loses spans`,
    dashboard: "health",
    variables: {},
  }),
  CollectorDown: alert({
    expression: or(where(series("up", { job: "collector" }), "==", 0), absent("up", { job: "collector" })),
    for: "1m",
    severity: "critical",
    summary: () => "The Collector is down: spans wait in the agents, and are lost when their queues are full",
    dashboard: "health",
    variables: {},
    absenceAlerts: true,
  }),
};

export const ALERT_NAMES: readonly AlertName[] = Object.keys(ALERTS) as AlertName[];
