import type { TurnInfo } from "./payloads.ts";
import type { FailurePolicy, HookKind } from "./points.ts";

/** How the call went. */
export type Execution = (typeof EXECUTIONS)[number];
/** What it asked for; `none` where it did not get to say. */
export type Decision = (typeof DECISIONS)[number];
export type NotAppliedReason = "superseded" | "not_accepted" | "failed_open";

export const EXECUTIONS = ["ok", "error", "timeout", "aborted", "suspended", "invalid_result"] as const;
export const DECISIONS = ["continue", "modify", "block", "ask_user", "none"] as const;

/** What a stream's one record adds up; times in milliseconds. */
export interface StreamSummary {
  readonly count: number;
  readonly totalMs: number;
  readonly longestMs: number;
  readonly failures: number;
  readonly dropped: number;
}

/**
 * One call of one hook, as it leaves the bus: redacted. `applied` says whether the decision shaped the outcome; a
 * failure of a hook that fails closed is applied where it is what blocked.
 */
export interface HookInvocation {
  /** A hook point, or the name of a mod hook. */
  readonly point: string;
  readonly hook: string;
  readonly kind: HookKind | "mod";
  /** Place in the order of the point's hooks, from 0. */
  readonly index: number;
  readonly pass: 1 | 2;
  readonly execution: Execution;
  readonly decision: Decision;
  readonly applied: boolean;
  readonly notAppliedReason?: NotAppliedReason | undefined;
  /** The keys a modify asked to change. */
  readonly changedKeys?: readonly string[] | undefined;
  /** Why it blocked, asked, failed or was ignored. */
  readonly reason?: string | undefined;
  readonly failurePolicy: FailurePolicy;
  /** Milliseconds since the epoch. */
  readonly startTime: number;
  readonly durationMs: number;
  readonly error?: { readonly type: string; readonly message: string } | undefined;
  readonly source?: string | undefined;
  readonly turn?: TurnInfo | undefined;
  /** Absent where the turn is not recorded. */
  readonly traceId?: string | undefined;
  readonly spanId?: string | undefined;
  readonly stream?: StreamSummary | undefined;
}
