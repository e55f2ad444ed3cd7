import {
  type ApprovalChoice,
  type Decision,
  type Execution,
  type ToolCallCause,
  type ToolCallStatus,
  type Usage,
} from "@hookscope/hooks";
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
  agent_hook_duration_seconds: {
    point: string;
    hook: string;
    execution: Execution;
    decision: Decision;
  };
  agent_hook_failures_total: {
    point: string;
    hook: string;
    execution: Failure;
  };
  agent_hook_results_ignored_total: {
    point: string;
    hook: string;
    reason: IgnoredReason;
  };
  agent_hook_late_results_total: {
    point: string;
    hook: string;
  };
  agent_hooks_suspended: {
    point: string;
    hook: string;
  };
  agent_hooks_in_flight: {
    point: string;
    hook: string;
  };
  agent_stream_deltas_dropped_total: {
    hook: string;
  };
  agent_tool_calls_total: {
    tool: string;
    agent: string;
    outcome: ToolOutcome;
  };
  agent_tool_calls_blocked_total: {
    tool: string;
    hook: string;
    cause: BlockCause;
    agent: string;
  };
  agent_tool_duration_seconds: {
    tool: string;
  };
  agent_tool_hook_wait_seconds: {
    tool: string;
  };
  agent_approvals_total: {
    tool: string;
    choice: ApprovalChoice;
  };
  agent_approvals_waiting: {
    tool: string;
  };
  agent_approval_wait_seconds: NoLabels;
  agent_turns_total: {
    agent: string;
    outcome: string;
    subagent: YesNo;
  };
  agent_turn_duration_seconds: {
    agent: string;
  };
  agent_turn_hook_time_seconds: {
    agent: string;
  };
  agent_turns_in_flight: NoLabels;
  agent_tokens_total: {
    provider: string;
    model: string;
    type: TokenType;
    agent: string;
    profile: string;
  };
  agent_cost_usd_total: {
    provider: string;
    model: string;
    agent: string;
    profile: string;
  };
  agent_unpriced_tokens_total: {
    provider: string;
    model: string;
  };
  agent_budget_spent_ratio: {
    budget: string;
  };
  agent_model_request_duration_seconds: {
    provider: string;
    model: string;
    outcome: RequestOutcome;
  };
  agent_mod_load_failures_total: {
    mod: string;
  };
  hookscope_spans_dropped_total: {
    reason: string;
  };
  hookscope_export_queue_size: NoLabels;
  hookscope_start_timestamp_seconds: NoLabels;
  hookscope_values_refused_total: {
    metric: string;
  };
  hookscope_series_overflow_total: {
    metric: string;
  };
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
  readonly labels: {
    readonly [Label in keyof Labels]: LabelRow<Extract<Labels[Label], string>>;
  };
  /** Upper bounds of a histogram, in its unit. */
  readonly buckets?: readonly number[];
  /**
   * What is recorded with a trace's id: what somebody will look for. Where turns are sampled, docs/sampling.md says of which
   * the trace is kept. `slowSeconds`: what takes at least this long.
   */
  readonly exemplars?: {
    readonly of: string;
    readonly slowSeconds?: number;
  };
  /** How processes of one cluster add up; `sum` when absent. `omit`: not at all. */
  readonly aggregator?: "sum" | "max" | "omit";
  /** The hook point, or what else it is recorded from. */
  readonly from: string;
}
export declare const TOOL_OUTCOMES: {
  readonly [Status in ToolCallStatus]: ToolOutcome;
};
export declare const BLOCK_CAUSES: readonly BlockCause[];
export declare const APPROVAL_CHOICES: readonly ApprovalChoice[];
export declare const TOKEN_TYPES: readonly TokenType[];
export declare const FAILURES: readonly Failure[];
export declare function isFailure(execution: Execution): execution is Failure;
export declare const METRICS: {
  readonly [Name in MetricName]: MetricRow<TypeOfMetric<Name>, MetricLabels[Name]>;
};
export declare const METRIC_NAMES: readonly MetricName[];
