import type { SpanAttributes, TurnInfo } from "@hookscope/hooks";
import { isRecorded, toHrTime } from "@hookscope/hooks/internal";
import {
  SpanStatusCode,
  trace,
  type Context,
  type Link,
  type Span,
  type SpanKind,
  type Tracer,
} from "@opentelemetry/api";

export interface SpanRequest {
  readonly tracer: Tracer;
  readonly name: string;
  readonly kind: SpanKind;
  readonly parent: Context;
  readonly startTime: number;
  readonly attributes: SpanAttributes;
  readonly turn?: TurnInfo;
  readonly links?: Link[];
}

/**
 * A span of ours and the context under which its children are made. It ends exactly once. Under a span that is not recorded
 * none is made: the parent, which does nothing, stands in for it.
 */
export class OpenSpan {
  readonly context: Context;
  readonly #span: Span;
  #ended = false;

  constructor(request: SpanRequest) {
    this.#span = isRecorded(request.parent) ? startSpan(request) : (trace.getSpan(request.parent) as Span);
    this.context = trace.setSpan(request.parent, this.#span);
  }

  get traceId(): string | undefined {
    return this.#span.isRecording() || this.#ended ? this.#span.spanContext().traceId : undefined;
  }

  get spanId(): string | undefined {
    return this.#span.isRecording() || this.#ended ? this.#span.spanContext().spanId : undefined;
  }

  set(attributes: SpanAttributes): void {
    this.#span.setAttributes(attributes);
  }

  link(): Link {
    return { context: this.#span.spanContext() };
  }

  /** @param error set where the work failed: the status becomes ERROR */
  end(
    endTime: number,
    attributes: SpanAttributes = {},
    error?: { readonly type: string; readonly message: string },
  ): void {
    if (this.#ended) return;
    this.#ended = this.#span.isRecording();
    this.#span.setAttributes(error === undefined ? attributes : { ...attributes, "error.type": error.type });
    if (error !== undefined) this.#span.setStatus({ code: SpanStatusCode.ERROR, message: error.message });
    this.#span.end(toHrTime(endTime));
  }
}

function startSpan({ tracer, name, kind, startTime, turn, attributes, links, parent }: SpanRequest): Span {
  const all = { ...(turn === undefined ? {} : turnAttributes(turn)), ...attributes };
  return tracer.startSpan(
    name,
    { kind, startTime: toHrTime(startTime), attributes: all, ...(links === undefined ? {} : { links }) },
    parent,
  );
}

/** On every span of a turn. */
function turnAttributes(turn: TurnInfo): SpanAttributes {
  return {
    "session.id": turn.session_id,
    "gen_ai.conversation.id": turn.session_id,
    "agent_turn.id": turn.turn_id,
  };
}
