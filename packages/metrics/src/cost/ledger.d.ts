import type { Tokens } from "../record/tokens.ts";
export interface LedgerOptions {
  /** The file, made when it is missing; `:memory:` keeps nothing. */
  readonly path: string;
}
export interface LedgerEntry {
  readonly turn: string;
  readonly session: string;
  /** The session a person began; its subagents have sessions of their own. */
  readonly rootSession: string;
  readonly profile: string;
  readonly agent: string;
  readonly provider: string;
  readonly model: string;
  /** Milliseconds since the epoch. */
  readonly time: number;
  /** US dollars; undefined where the model has no known price. */
  readonly cost: number | undefined;
  readonly tokens: Tokens;
}
export type ReportBy = "model" | "profile" | "session" | "day";
export interface ReportOptions {
  readonly by: ReportBy;
  /** From the (UTC) day of this time on. */
  readonly since?: Date | undefined;
}
export interface ReportRow {
  /** The model, profile, session that a person began, or UTC day as `2026-11-30`. */
  readonly key: string;
  /** Model calls, retries and every purpose included. */
  readonly calls: number;
  readonly turns: number;
  /** US dollars. */
  readonly cost_usd: number;
  readonly tokens: Tokens;
  /** Tokens that are missing from the cost, because their model has no known price. */
  readonly unpriced_tokens: number;
}
/** What a budget asks for. `key` is the session a person began, or the profile. */
export interface SpentQuery {
  readonly scope: "session" | "profile" | "all";
  readonly key: string;
  /** The first UTC day that counts, as `2026-11-30`; absent: all of them. */
  readonly sinceDay?: string | undefined;
}
/** Cost and tokens per turn and model, in one SQLite file, across restarts. Several processes may share it. */
export interface Ledger {
  /** On disk when it returns. @throws MetricsError METRICS_LEDGER_CLOSED, or what SQLite says */
  record(entry: LedgerEntry): void;
  /** Most expensive first; days in their order. */
  report(options: ReportOptions): readonly ReportRow[];
  /** US dollars. */
  spent(query: SpentQuery): number;
  close(): void;
}
/** @throws MetricsError METRICS_LEDGER_UNUSABLE */
export declare function createLedger({ path }: LedgerOptions): Ledger;
/** The UTC day of a time, as `2026-11-30`. */
export declare function dayOf(time: number): string;
