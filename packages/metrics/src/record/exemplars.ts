import type { Execution, HookInvocation } from "@hookscope/hooks";
import type { Span } from "@opentelemetry/api";

import type { TraceReference } from "../cells/cell.ts";

/**
 * Which trace is shown beside a value. A trace that nothing keeps would open nothing: what keeps its turn by itself (docs/
 * sampling.md) has its trace always, anything else only where the turn is known to be kept.
 */
export class Exemplars {
  readonly #keepsTrace: (traceId: string) => boolean;

  constructor(keepsTrace: (traceId: string) => boolean) {
    this.#keepsTrace = keepsTrace;
  }

  /** Of what happened under this span. @param keepsTurn whether it keeps its turn by itself */
  of(span: Span, keepsTurn = false): TraceReference | undefined {
    const { traceId, spanId, traceFlags } = span.spanContext();
    return (traceFlags & SAMPLED) === 0 ? undefined : this.#ifKept({ traceId, spanId }, keepsTurn);
  }

  ofInvocation(invocation: HookInvocation): TraceReference | undefined {
    const { traceId, spanId } = invocation;
    if (traceId === undefined || spanId === undefined) return undefined;
    return this.#ifKept({ traceId, spanId }, keepsItsTurn(invocation));
  }

  #ifKept(trace: TraceReference, keepsTurn: boolean): TraceReference | undefined {
    return keepsTurn || this.#keepsTrace(trace.traceId) ? trace : undefined;
  }
}

const SAMPLED = 1;

/** A hook that was suspended blocks at a point that fails closed, and keeps nothing elsewhere. */
function keepsItsTurn({ execution, decision, applied }: HookInvocation): boolean {
  return decision === "block" || FAILED.has(execution) || (execution !== "ok" && applied);
}

const FAILED: ReadonlySet<Execution> = new Set<Execution>(["error", "timeout"]);
