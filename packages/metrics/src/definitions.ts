import {
  DECISIONS,
  EXECUTIONS,
  HOOK_POINT_NAMES,
  type ApprovalChoice,
  type Decision,
  type Execution,
  type ToolCallCause,
  type ToolCallStatus,
  type Usage,
} from "@hookscope/hooks";

/*
 * Every metric, described once: recording, exposition, OTLP, documentation, dashboards and alert rules are derived from
 * this file. A label is never a session, turn, trace, path, command or reason text.
 */

/** `completed` and `failed` calls ran; the others did not. The values of the span attribute `agent_tool.outcome`. */
export type ToolOutcome = "completed" | "failed" | "blocked" | "denied" | "cancelled";
/**
 * Tokens by kind, each token under one: `input` is what was neither read from nor written to a cache, `output` what was
 * not reasoning.
 */
export type TokenType = keyof Usage extends infer Key ? (Key extends `${infer Kind}_tokens` ? Kind : never) : never;
/** Why a result of a hook was ignored: the point does not take it, or it is no hook result. */
export type IgnoredReason = "not_accepted" | "invalid_result";
export type RequestOutcome = "ok" | "error";
export type YesNo = "true" | "false";
/** Why a tool call did not run, but for an interrupt, which nobody needs to hear of. */
export type BlockCause = Exclude<ToolCallCause, "interrupt">;

/** The labels of each metric. */
export interface MetricLabels {
  agent_hook_duration_seconds: { point: string; hook: string; execution: Execution; decision: Decision };
  agent_hook_failures_total: { point: string; hook: string; execution: Failure };
  agent_hook_results_ignored_total: { point: string; hook: string; reason: IgnoredReason };
  agent_hook_late_results_total: { point: string; hook: string };
  agent_hooks_suspended: { point: string; hook: string };
  agent_hooks_in_flight: { point: string; hook: string };
  agent_stream_deltas_dropped_total: { hook: string };
  agent_tool_calls_total: { tool: string; agent: string; outcome: ToolOutcome };
  agent_tool_calls_blocked_total: { tool: string; hook: string; cause: BlockCause; agent: string };
  agent_tool_duration_seconds: { tool: string };
  agent_tool_hook_wait_seconds: { tool: string };
  agent_approvals_total: { tool: string; choice: ApprovalChoice };
  agent_approvals_waiting: { tool: string };
  agent_approval_wait_seconds: NoLabels;
  agent_turns_total: { agent: string; outcome: string; subagent: YesNo };
  agent_turn_duration_seconds: { agent: string };
  agent_turn_hook_time_seconds: { agent: string };
  agent_turns_in_flight: NoLabels;
  agent_tokens_total: { provider: string; model: string; type: TokenType; agent: string; profile: string };
  agent_cost_usd_total: { provider: string; model: string; agent: string; profile: string };
  agent_unpriced_tokens_total: { provider: string; model: string };
  agent_budget_spent_ratio: { budget: string };
  agent_model_request_duration_seconds: { provider: string; model: string; outcome: RequestOutcome };
  agent_mod_load_failures_total: { mod: string };
  hookscope_spans_dropped_total: { reason: string };
  hookscope_export_queue_size: NoLabels;
  hookscope_start_timestamp_seconds: NoLabels;
  hookscope_values_refused_total: { metric: string };
  hookscope_series_overflow_total: { metric: string };
}

/** An empty record: no label may be given. */
export type NoLabels = Readonly<Record<string, never>>;
export type Failure = Exclude<Execution, "ok" | "aborted">;
export type MetricName = keyof MetricLabels;
/** A name says its type: counters end in `_total`, histograms in `_seconds` but for a `_timestamp_seconds`. */
export type TypeOfMetric<Name extends string> = Name extends `${string}_total`
  ? "counter"
  : Name extends `${string}_timestamp_seconds`
    ? "gauge"
    : Name extends `${string}_seconds`
      ? "histogram"
      : "gauge";
export type MetricType = TypeOfMetric<MetricName>;

export interface LabelRow<Value extends string = string> {
  readonly description: string;
  /** The values known beforehand. A label without any is open: past the cap of series it becomes `__other__`. */
  readonly values?: readonly Value[];
}

export interface MetricRow<Type extends MetricType = MetricType, Labels = object> {
  readonly type: Type;
  /** What it counts; a sentence. */
  readonly help: string;
  /** What to do when it looks bad; a sentence. */
  readonly advice: string;
  /** UCUM. What is counted stands in braces, which no translation of names between OpenTelemetry and Prometheus adds. */
  readonly unit: "s" | "1" | `{${string}}`;
  readonly labels: { readonly [Label in keyof Labels]: LabelRow<Extract<Labels[Label], string>> };
  /** Upper bounds of a histogram, in its unit. */
  readonly buckets?: readonly number[];
  /**
   * What is recorded with a trace's id: what somebody will look for. Where turns are sampled, docs/sampling.md says of which
   * the trace is kept. `slowSeconds`: what takes at least this long.
   */
  readonly exemplars?: { readonly of: string; readonly slowSeconds?: number };
  /** How processes of one cluster add up; `sum` when absent. `omit`: not at all. */
  readonly aggregator?: "sum" | "max" | "omit";
  /** The hook point, or what else it is recorded from. */
  readonly from: string;
}

/** A type's members as a list, complete by the compiler's word. */
function members<Member extends string>(table: { readonly [Name in Member]: true }): readonly Member[] {
  return Object.keys(table) as Member[];
}

export const TOOL_OUTCOMES: { readonly [Status in ToolCallStatus]: ToolOutcome } = {
  ok: "completed",
  error: "failed",
  blocked: "blocked",
  denied: "denied",
  cancelled: "cancelled",
};
export const BLOCK_CAUSES: readonly BlockCause[] = members<BlockCause>({
  policy: true,
  failure: true,
  person: true,
  permission: true,
  mod: true,
});
export const APPROVAL_CHOICES: readonly ApprovalChoice[] = members<ApprovalChoice>({
  once: true,
  session: true,
  always: true,
  deny: true,
  timeout: true,
  cancelled: true,
  unavailable: true,
});
export const TOKEN_TYPES: readonly TokenType[] = members<TokenType>({
  input: true,
  output: true,
  cache_read: true,
  cache_write: true,
  reasoning: true,
});
export const FAILURES: readonly Failure[] = EXECUTIONS.filter(isFailure);

export function isFailure(execution: Execution): execution is Failure {
  return execution !== "ok" && execution !== "aborted";
}

const POINT: LabelRow = { description: "Hook point, or mod hook.", values: HOOK_POINT_NAMES };
const HOOK: LabelRow = { description: "The hook's name." };
const TOOL: LabelRow = { description: "The tool's name." };
const AGENT: LabelRow = { description: "The agent's name." };
const PROVIDER: LabelRow = { description: "The model's provider." };
const MODEL: LabelRow = { description: "The model asked for." };
const PROFILE: LabelRow = { description: "The profile the turn runs under." };

/** From half a millisecond to the default time limit of a hook. */
const HOOK_BUCKETS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];
const WORK_BUCKETS = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600];
/** Up to the default limit of a person's answer and beyond. */
const PERSON_BUCKETS = [1, 2.5, 5, 10, 30, 60, 120, 300, 600, 1800, 3600];

export const METRICS: { readonly [Name in MetricName]: MetricRow<TypeOfMetric<Name>, MetricLabels[Name]> } = {
  agent_hook_duration_seconds: {
    type: "histogram",
    help: "Time of each invocation of each hook, by how it went and what it decided.",
    advice: "Open an exemplar's trace to see what the slow invocation did; give the hook a shorter timeoutMs.",
    unit: "s",
    labels: {
      point: POINT,
      hook: HOOK,
      execution: { description: "How the call went.", values: EXECUTIONS },
      decision: { description: "What it asked for.", values: DECISIONS },
    },
    buckets: HOOK_BUCKETS,
    exemplars: { of: "blocks, failures, timeouts and slow invocations", slowSeconds: 1 },
    from: "invocations",
  },
  agent_hook_failures_total: {
    type: "counter",
    help: "Invocations that threw, timed out, were skipped while suspended or gave no valid result.",
    advice: "At pre_tool_call each one blocks a tool call; read the hook's error on its span.",
    unit: "{call}",
    labels: { point: POINT, hook: HOOK, execution: { description: "How it failed.", values: FAILURES } },
    exemplars: { of: "each" },
    from: "invocations",
  },
  agent_hook_results_ignored_total: {
    type: "counter",
    help: "Results a hook gave that its point does not take.",
    advice: "The hook believes it decides and does not; see docs/hook-points.md for what the point takes.",
    unit: "{result}",
    labels: {
      point: POINT,
      hook: HOOK,
      reason: { description: "Why it was ignored.", values: ["not_accepted", "invalid_result"] },
    },
    from: "invocations; for on_stream_delta bus.list()",
  },
  agent_hook_late_results_total: {
    type: "counter",
    help: "Results that came after the hook's time was over, and were dropped.",
    advice: "The hook works but is slower than its limit; raise timeoutMs or make it faster.",
    unit: "{result}",
    labels: { point: POINT, hook: HOOK },
    from: "bus.list() at the scrape",
  },
  agent_hooks_suspended: {
    type: "gauge",
    help: "1 while a hook that timed out is not run at that point.",
    advice: "At pre_tool_call every tool call is blocked meanwhile; repair or unregister the hook.",
    unit: "{hook}",
    labels: { point: POINT, hook: HOOK },
    from: "bus.list() at the scrape",
  },
  agent_hooks_in_flight: {
    type: "gauge",
    help: "Invocations running now.",
    advice: "A number that stays up is a hook that hangs; see what it waits for.",
    unit: "{call}",
    labels: { point: POINT, hook: HOOK },
    from: "bus.list() at the scrape",
  },
  agent_stream_deltas_dropped_total: {
    type: "counter",
    help: "Streamed deltas a hook was too slow to be given.",
    advice: "Make the hook at on_stream_delta faster; it misses text.",
    unit: "{delta}",
    labels: { hook: HOOK },
    from: "invocations",
  },
  agent_tool_calls_total: {
    type: "counter",
    help: "Tool calls by outcome.",
    advice: "For failed calls open an exemplar's trace; for blocked ones see agent_tool_calls_blocked_total.",
    unit: "{call}",
    labels: {
      tool: TOOL,
      agent: AGENT,
      outcome: { description: "How it ended.", values: Object.values(TOOL_OUTCOMES) },
    },
    exemplars: { of: "blocked, denied and failed calls" },
    from: "post_tool_call",
  },
  agent_tool_calls_blocked_total: {
    type: "counter",
    help: "Tool calls that were stopped, by what stopped them.",
    advice: "Cause policy is a rule at work, cause failure a broken hook; the trace has the reason.",
    unit: "{call}",
    labels: {
      tool: TOOL,
      hook: { description: "The hook or mod that stopped it, or that asked the person; `none` where there is none." },
      cause: { description: "Why it did not run.", values: BLOCK_CAUSES },
      agent: AGENT,
    },
    exemplars: { of: "each" },
    from: "post_tool_call",
  },
  agent_tool_duration_seconds: {
    type: "histogram",
    help: "Time the tools themselves took, without hooks and approvals.",
    advice: "Open an exemplar's trace to see the call.",
    unit: "s",
    labels: { tool: TOOL },
    buckets: WORK_BUCKETS,
    exemplars: { of: "failed and slow calls", slowSeconds: 30 },
    from: "post_tool_call",
  },
  agent_tool_hook_wait_seconds: {
    type: "histogram",
    help: "Time tool calls waited for hooks.",
    advice: "Find the slow hook in agent_hook_duration_seconds.",
    unit: "s",
    labels: { tool: TOOL },
    buckets: HOOK_BUCKETS,
    exemplars: { of: "slow waits", slowSeconds: 1 },
    from: "post_tool_call",
  },
  agent_approvals_total: {
    type: "counter",
    help: "Questions put to a person, by the answer.",
    advice: "Timeouts and unavailable mean that nobody looks; check how approvers are told.",
    unit: "{approval}",
    labels: { tool: TOOL, choice: { description: "The answer.", values: APPROVAL_CHOICES } },
    exemplars: { of: "all but grants" },
    from: "post_approval_response",
  },
  agent_approvals_waiting: {
    type: "gauge",
    help: "Questions a person has not answered yet.",
    advice: "A turn stands still for each; answer them.",
    unit: "{approval}",
    labels: { tool: TOOL },
    from: "pre_approval_request, post_approval_response",
  },
  agent_approval_wait_seconds: {
    type: "histogram",
    help: "Time until a person answered, or none did.",
    advice: "Long waits hold up turns; allow what is always granted by a policy.",
    unit: "s",
    labels: {},
    buckets: PERSON_BUCKETS,
    exemplars: { of: "slow answers", slowSeconds: 60 },
    from: "post_approval_response",
  },
  agent_turns_total: {
    type: "counter",
    help: "Turns by how they ended.",
    advice: "For outcome error read the turn's span; for max_turns raise the limit or give smaller tasks.",
    unit: "{turn}",
    labels: {
      agent: AGENT,
      outcome: { description: "The stop reason." },
      subagent: { description: "Whether another turn started it.", values: ["true", "false"] },
    },
    exemplars: { of: "failed turns" },
    from: "on_session_end",
  },
  agent_turn_duration_seconds: {
    type: "histogram",
    help: "Time of whole turns.",
    advice: "Open an exemplar's trace and look for the longest span.",
    unit: "s",
    labels: { agent: AGENT },
    buckets: WORK_BUCKETS,
    exemplars: { of: "failed and slow turns", slowSeconds: 120 },
    from: "pre_llm_call to on_session_end",
  },
  agent_turn_hook_time_seconds: {
    type: "histogram",
    help: "Time of all hooks of a turn, summed, subagents included.",
    advice: "Compare with agent_turn_duration_seconds: what share of a turn do hooks take?",
    unit: "s",
    labels: { agent: AGENT },
    buckets: HOOK_BUCKETS,
    exemplars: { of: "slow sums", slowSeconds: 5 },
    from: "on_session_end",
  },
  agent_turns_in_flight: {
    type: "gauge",
    help: "Turns running now, subagents included.",
    advice: "A number that never falls is a turn that hangs.",
    unit: "{turn}",
    labels: {},
    from: "pre_llm_call, on_session_end",
  },
  agent_tokens_total: {
    type: "counter",
    help: "Tokens of all model calls; each token is under one type, so that types can be summed.",
    advice: "Few cache_read tokens beside many input tokens mean that prompt caching does not work.",
    unit: "{token}",
    labels: {
      provider: PROVIDER,
      model: MODEL,
      type: { description: "input (not cached), cache_read, cache_write, output or reasoning.", values: TOKEN_TYPES },
      agent: AGENT,
      profile: PROFILE,
    },
    from: "post_api_request, api_request_error",
  },
  agent_cost_usd_total: {
    type: "counter",
    help: "Cost of all priced model calls, in US dollars.",
    advice: "See which model, agent and profile spend; set a budget.",
    unit: "{USD}",
    labels: { provider: PROVIDER, model: MODEL, agent: AGENT, profile: PROFILE },
    from: "post_api_request, api_request_error",
  },
  agent_unpriced_tokens_total: {
    type: "counter",
    help: "Tokens of models without a known price; they are missing from the cost.",
    advice: "Give the model's price in the option prices.",
    unit: "{token}",
    labels: { provider: PROVIDER, model: MODEL },
    from: "post_api_request, api_request_error",
  },
  agent_budget_spent_ratio: {
    type: "gauge",
    help: "Spent share of a budget; of the session or profile nearest to its limit.",
    advice: "From 1 on the budget stops what it is told to; raise it, or see what spends.",
    unit: "1",
    labels: { budget: { description: "The budget's name." } },
    aggregator: "max",
    from: "budgets at the scrape",
  },
  agent_model_request_duration_seconds: {
    type: "histogram",
    help: "Time of each attempt of each model call.",
    advice: "For outcome error open an exemplar's trace: the status code is on its span.",
    unit: "s",
    labels: {
      provider: PROVIDER,
      model: MODEL,
      outcome: { description: "How it went.", values: ["ok", "error"] },
    },
    buckets: WORK_BUCKETS,
    exemplars: { of: "failed and slow calls", slowSeconds: 60 },
    from: "post_api_request, api_request_error",
  },
  agent_mod_load_failures_total: {
    type: "counter",
    help: "Mods that could not be loaded.",
    advice: "The agent runs without them; the log says why.",
    unit: "{mod}",
    labels: { mod: { description: "The mod's name." } },
    from: "metrics.modLoadFailed()",
  },
  hookscope_spans_dropped_total: {
    type: "counter",
    help: "Spans that were lost on their way out.",
    advice: "Traces have holes; see whether the Collector is up and fast enough.",
    unit: "{span}",
    labels: { reason: { description: "Why." } },
    from: "metrics.observeExport() at the scrape",
  },
  hookscope_export_queue_size: {
    type: "gauge",
    help: "Spans waiting to be exported.",
    advice: "A queue that stays full drops spans; see whether the Collector is up and fast enough.",
    unit: "{span}",
    labels: {},
    from: "metrics.observeExport() at the scrape",
  },
  hookscope_start_timestamp_seconds: {
    type: "gauge",
    help: "When the process began to count, in seconds since the epoch.",
    advice: "A recent one means that the process has begun anew, and its counters with it.",
    unit: "s",
    labels: {},
    // A worker that begins anew does not take away what the others have counted.
    aggregator: "omit",
    from: "createMetrics()",
  },
  hookscope_values_refused_total: {
    type: "counter",
    help: "Values that are no finite number of at least 0, and were not recorded.",
    advice: "Something reports broken usage or times; the log named the first one.",
    unit: "{value}",
    labels: { metric: { description: "The metric it was for." } },
    from: "recording",
  },
  hookscope_series_overflow_total: {
    type: "counter",
    help: "Recordings that fell into __other__ because the metric has its most series.",
    advice: "A label has too many values, mostly tool names; name tools alike, or raise maxSeries.",
    unit: "{recording}",
    labels: { metric: { description: "The metric whose series are capped." } },
    from: "recording",
  },
};

export const METRIC_NAMES: readonly MetricName[] = Object.keys(METRICS) as MetricName[];
