import { expect, test } from "vitest";
import { counted, countedOrMissed } from "../src/counted.ts";
import {
  absent,
  divide,
  happened,
  increase,
  mean,
  observed,
  or,
  orZero,
  quantile,
  rate,
  rename,
  series,
  sum,
  topk,
  where,
  type Expression,
} from "../src/promql.ts";
import { variable } from "../src/selector.ts";

const blocked = "agent_tool_calls_blocked_total";
const spans = "hookscope_span_calls_total";
const duration = "agent_hook_duration_seconds";

test.for<readonly [string, Expression]>([
  ["agent_turns_in_flight", series("agent_turns_in_flight")],
  [`rate(${blocked}[$__rate_interval])`, rate(blocked)],
  [`increase(${blocked}{cause="policy"}[5m])`, increase(blocked, { where: { cause: "policy" }, window: "5m" })],
  [`rate(${blocked}{cause=~"policy|mod"}[1m])`, rate(blocked, { where: { cause: ["policy", "mod"] }, window: "1m" })],
  [`rate(${blocked}{hook!="none"}[1m])`, rate(blocked, { where: { hook: { not: "none" } }, window: "1m" })],
  [
    `rate(${blocked}{tool=~\`\${tool:regex}\`}[1m])`,
    rate(blocked, { where: { tool: variable("tool") }, window: "1m" }),
  ],
  [`rate(${duration}_count[5m])`, observed(duration, { window: "5m" })],
  [
    `histogram_quantile(0.95, sum by (le, hook) (rate(${duration}_bucket[5m] offset 1h)))`,
    quantile(0.95, duration, { by: ["hook"], window: "5m", offset: "1h" }),
  ],
  [
    `sum by (hook) (rate(${duration}_sum[5m])) / (sum by (hook) (rate(${duration}_count[5m])) > 0)`,
    mean(duration, { by: ["hook"], window: "5m" }),
  ],
  [`topk(3, sum by (hook) (rate(${blocked}[1m])))`, topk(3, sum(rate(blocked, { window: "1m" }), ["hook"]))],
  [`(sum(${blocked})) or vector(0)`, orZero(sum(series(blocked), []))],
  [
    `(${blocked} > 1) or (absent(up{job="collector"}))`,
    or<string>(where(series(blocked), ">", 1), absent("up", { job: "collector" })),
  ],
  [
    `sum by (tool) (label_replace(hookscope_span_calls_total, "tool", "$1", "gen_ai_tool_name", "(.*)"))`,
    rename(series("hookscope_span_calls_total"), { tool: "gen_ai_tool_name" }),
  ],
  [`sum(${blocked}) >= 0`, happened(sum(series(blocked), []))],
  [
    `((increase(${blocked}[5m]) > ${blocked}) or ` +
      `(${blocked} and ignoring (tool, hook, cause, agent) (hookscope_start_timestamp_seconds > time() - 300 or ` +
      `changes(hookscope_start_timestamp_seconds[5m]) > 0 or (push_time_seconds unless push_time_seconds offset 5m))) or ` +
      `(${blocked} and (count_over_time(${blocked}[5m]) < on (job, instance) group_left () ` +
      `max by (job, instance) (count_over_time(agent_turns_in_flight[5m])))) or increase(${blocked}[5m]))`,
    counted(blocked, { window: "5m" }),
  ],
  [
    `((increase(${spans}[2h]) > ${spans}) or (${spans} and (count_over_time(${spans}[2h]) < on (job, instance) group_left () ` +
      `max by (job, instance) (sum_over_time(up[2h])))) or increase(${spans}[2h]))`,
    counted(spans, { window: "2h" }),
  ],
  [
    `((${blocked} - last_over_time(${blocked}[1h] offset 5m) > 0) or ${counted(blocked, { window: "5m" }).text})`,
    countedOrMissed(blocked, { window: "5m" }),
  ],
])("%s", ([text, expression]) => {
  expect(expression.text).toBe(text);
});

test.for([
  ["$__range", "$__range_s"],
  ["$__rate_interval", "$__rate_interval_ms / 1000"],
  ["90s", "90"],
  ["2h", "7200"],
  ["1d", "86400"],
] as const)("of a process that began within %s, all is counted", ([window, seconds]) => {
  expect(counted(blocked, { window }).text).toContain(`(hookscope_start_timestamp_seconds > time() - ${seconds} or `);
});

test("a label's value is quoted", () => {
  expect(series(blocked, { tool: 'a"b\\c' }).text).toBe(`${blocked}{tool="a\\"b\\\\c"}`);
});

test("a metric that is not there, a label it has not and a value it cannot have do not compile", () => {
  const mistakes = [
    // @ts-expect-error there is no such metric
    () => rate("agent_tool_calls_stopped_total"),
    // @ts-expect-error a histogram has no rate of its own
    () => rate("agent_hook_duration_seconds"),
    // @ts-expect-error a counter has no quantile
    () => quantile(0.5, "agent_tool_calls_total", { by: [] }),
    // @ts-expect-error the label is called tool
    () => rate("agent_tool_calls_blocked_total", { where: { tool_name: "shell" } }),
    // @ts-expect-error no such cause
    () => rate("agent_tool_calls_blocked_total", { where: { cause: "weather" } }),
    // @ts-expect-error it cannot be grouped by what it has not
    () => sum(rate("agent_tool_calls_total"), ["hook"]),
    // @ts-expect-error what is summed away is gone
    () => sum(sum(rate("agent_tool_calls_total"), ["tool"]), ["agent"]),
    // @ts-expect-error only what has the same labels can be divided
    () => divide(sum(rate("agent_tool_calls_total"), ["tool"]), sum(rate("agent_tool_calls_total"), ["agent"])),
    // @ts-expect-error the attribute is agent_tool.outcome
    () => series("hookscope_span_calls_total", { agent_tool_result: "blocked" }),
  ];
  expect(mistakes.length).toBe(9);
});
