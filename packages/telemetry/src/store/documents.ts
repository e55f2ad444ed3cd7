import type { HookInvocation } from "@hookscope/hooks";

/** A finished span, redacted. Times are milliseconds since the epoch, with fractions. */
export interface SpanDocument {
  readonly spanId: string;
  /** null for a trace's root. */
  readonly parentSpanId: string | null;
  readonly name: string;
  readonly kind: "INTERNAL" | "SERVER" | "CLIENT" | "PRODUCER" | "CONSUMER";
  readonly startTime: number;
  readonly endTime: number;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly status: { readonly code: "UNSET" | "OK" | "ERROR"; readonly message?: string };
  readonly links: readonly {
    readonly traceId: string;
    readonly spanId: string;
    readonly attributes: Readonly<Record<string, unknown>>;
  }[];
  readonly events: readonly {
    readonly name: string;
    readonly time: number;
    readonly attributes: Readonly<Record<string, unknown>>;
  }[];
}

/** An invocation, read back from its span. */
export type InvocationDocument = Pick<
  HookInvocation,
  | "point"
  | "hook"
  | "kind"
  | "index"
  | "pass"
  | "execution"
  | "decision"
  | "applied"
  | "notAppliedReason"
  | "changedKeys"
  | "reason"
  | "failurePolicy"
  | "startTime"
  | "durationMs"
  | "error"
  | "source"
> & { readonly spanId: string };

/** What the turn's span says; a sum is absent where the turn did not set it. */
export interface TurnSummary {
  readonly turnId: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly startTime: number;
  readonly endTime: number;
  readonly sessionId?: string;
  readonly agent?: string;
  readonly outcome?: string;
  readonly model?: string;
  readonly parentTurnId?: string;
  readonly profile?: string;
  readonly platform?: string;
  readonly endedBy?: string;
  readonly rounds?: number;
  readonly toolCalls?: number;
  readonly blockedToolCalls?: number;
  readonly hookInvocations?: number;
  readonly hookFailures?: number;
  /** Seconds. */
  readonly hookTime?: number;
  /** Seconds. */
  readonly hookWallTime?: number;
  readonly spansSuppressed?: number;
  readonly costUsd?: number;
  readonly hasBlock?: boolean;
  readonly hasFailure?: boolean;
  readonly hasTimeout?: boolean;
}

/**
 * A turn with everything under it, subagents included, and the message's span above it where there is one. Spans and
 * invocations stand in the order they started.
 */
export interface TurnDocument {
  readonly turn: TurnSummary;
  readonly traceId: string;
  readonly spans: readonly SpanDocument[];
  readonly invocations: readonly InvocationDocument[];
}

/** All spans of one trace, in the order they started; its turns, a subagent's too. */
export interface TraceDocument {
  readonly traceId: string;
  readonly turns: readonly TurnSummary[];
  readonly spans: readonly SpanDocument[];
  readonly invocations: readonly InvocationDocument[];
}
