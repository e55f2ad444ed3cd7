import type { Input } from "./situation.ts";

export type Labels = Readonly<Record<string, string>>;

const TARGET: Labels = { job: "hookscope", instance: "one:9464", service: "hookscope" };
export const SERVICE: Labels = { service: "hookscope" };

export const series = (name: string, labels: Labels): string =>
  `${name}{${Object.entries(labels)
    .map(([label, value]) => `${label}="${value}"`)
    .join(",")}}`;

/** In each scrape of a process. */
export const scraped: string = series("agent_turns_in_flight", TARGET);
/** Its value: when the process began, in seconds; the situation begins at 0. */
export const began: string = series("hookscope_start_timestamp_seconds", TARGET);
/** When a Pushgateway was given them last. */
export const pushed: string = series("push_time_seconds", TARGET);

/** What another program left at the same Pushgateway under the same job, when it did so, and when it had begun. */
export const otherProgram = (began: string, pushed: string): Input => {
  const labels = { ...TARGET, program: "other" };
  return {
    [series("agent_turns_in_flight", labels)]: "0x70",
    [series("hookscope_start_timestamp_seconds", labels)]: began,
    [series("push_time_seconds", labels)]: pushed,
  };
};

/** The Collector's series made of spans, and whether a scrape of them worked. */
const SPAN_METRICS: Labels = { job: "span-metrics", instance: "collector:8889" };
export const spansScraped: string = series("up", SPAN_METRICS);

const blockedCall = (cause: string): Labels => ({
  agent: "reviewer",
  tool: "shell",
  hook: "approval_policy",
  cause,
});
export const blocked = (cause: string): string =>
  series("agent_tool_calls_blocked_total", { ...TARGET, ...blockedCall(cause) });
export const POLICY: Labels = { ...SERVICE, ...blockedCall("policy") };

export const spanLabels: Labels = {
  ...SPAN_METRICS,
  service_name: "hookscope",
  gen_ai_tool_name: "shell",
  agent_tool_outcome: "blocked",
  agent_tool_cause: "policy",
  agent_tool_blocked_by: "approval_policy",
};
export const span: string = series("hookscope_span_calls_total", spanLabels);
export const SPAN: Labels = { ...SERVICE, tool: "shell", hook: "approval_policy", cause: "policy" };

export const atHook: Labels = { point: "pre_tool_call", hook: "approval_policy" };
export const failures = (execution: string): string =>
  series("agent_hook_failures_total", { ...TARGET, ...atHook, execution });
export const suspended: string = series("agent_hooks_suspended", { ...TARGET, ...atHook });

/** Cumulative buckets of a hook: `fast` invocations per minute below 0.05 s, `slow` ones between 0.5 and 1 s. */
export const durations = (counts: { readonly fast: string; readonly all: string }): Input => {
  const bucket = (le: string): string => series("agent_hook_duration_seconds_bucket", { ...TARGET, ...atHook, le });
  return {
    [bucket("0.05")]: counts.fast,
    [bucket("0.5")]: counts.fast,
    [bucket("1")]: counts.all,
    [bucket("+Inf")]: counts.all,
    [series("agent_hook_duration_seconds_count", { ...TARGET, ...atHook })]: counts.all,
  };
};

export const budget: string = series("agent_budget_spent_ratio", { ...TARGET, budget: "daily" });
export const BUDGET: Labels = { ...SERVICE, budget: "daily" };
export const waiting: string = series("agent_approvals_waiting", { ...TARGET, tool: "shell" });
export const dropped: string = series("hookscope_spans_dropped_total", { ...TARGET, reason: "queue_full" });
export const requests = (outcome: string): string =>
  series("agent_model_request_duration_seconds_count", { ...TARGET, provider: "anthropic", model: "large", outcome });
const QUEUE: Labels = {
  job: "collector",
  instance: "collector:8888",
  exporter: "otlp_grpc/jaeger",
  data_type: "traces",
};
export const queueSize: string = series("otelcol_exporter_queue_size", QUEUE);
export const queueCapacity: string = series("otelcol_exporter_queue_capacity", QUEUE);
export const up: string = series("up", { job: "collector", instance: "collector:8888" });
