import type { ApprovalRule, PermissionMode } from "@hookscope/harness";
import type { BudgetOptions, ModelPrice } from "@hookscope/metrics";
import type { BackendHint } from "@hookscope/telemetry";

/** What `hookscope.toml` may say. Paths are relative to the file's folder. */
export interface Settings {
  readonly telemetry?: TelemetrySettings | undefined;
  readonly metrics?: MetricsSettings | undefined;
  readonly policy?: PolicySettings | undefined;
  readonly plugins?: { readonly paths?: readonly string[] | undefined } | undefined;
  readonly mods?: ModSettings | undefined;
  readonly sessions?: SessionSettings | undefined;
  readonly agent?: AgentSettings | undefined;
}

export interface TelemetrySettings {
  readonly endpoint?: string | undefined;
  readonly service_name?: string | undefined;
  readonly record_content?: boolean | undefined;
  readonly turn_sampler?: boolean | undefined;
  readonly backend_hints?: readonly BackendHint[] | undefined;
  readonly jaeger_url?: string | undefined;
  readonly trace_store?: string | undefined;
  readonly flush_timeout_ms?: number | undefined;
}

export interface MetricsSettings {
  readonly port?: number | undefined;
  readonly host?: string | undefined;
  readonly push?: string | undefined;
  readonly ledger?: boolean | string | undefined;
  readonly prices?: Readonly<Record<string, PriceSettings>> | undefined;
  readonly budgets?: readonly BudgetSettings[] | undefined;
}

export type PriceSettings = { readonly [Field in keyof ModelPrice]: ModelPrice[Field] | undefined };

export interface BudgetSettings {
  readonly name: string;
  readonly scope: BudgetOptions["scope"];
  readonly period?: BudgetOptions["period"] | undefined;
  readonly usd: number;
  readonly profile?: string | undefined;
  readonly on_message?: BudgetOptions["onMessage"] | undefined;
  readonly on_tool_call?: BudgetOptions["onToolCall"] | undefined;
}

export interface PolicySettings {
  readonly rules?: readonly RuleSettings[] | undefined;
  readonly default_rules?: boolean | undefined;
  readonly default?: ApprovalRule["action"] | undefined;
}

export interface RuleSettings {
  readonly name?: string | undefined;
  readonly tool?: string | readonly string[] | undefined;
  readonly risk?: ApprovalRule["risk"] | undefined;
  readonly args?: Readonly<Record<string, string>> | undefined;
  readonly tags?: { readonly key: string; readonly value?: string | undefined } | undefined;
  readonly action: ApprovalRule["action"];
  readonly reason?: string | undefined;
  readonly question?: string | undefined;
}

export interface ModSettings {
  readonly paths?: readonly string[] | undefined;
  readonly required?: readonly string[] | undefined;
}

export interface SessionSettings {
  readonly titles?: boolean | undefined;
  readonly compact_above_tokens?: number | undefined;
  readonly enabled?: boolean | undefined;
  readonly directory?: string | undefined;
}

export interface AgentSettings {
  readonly model?: string | undefined;
  readonly base_url?: string | undefined;
  readonly profile?: string | undefined;
  readonly permission_mode?: PermissionMode | undefined;
  readonly max_rounds?: number | undefined;
}
