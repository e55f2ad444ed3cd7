import type { SpanAttributes, TurnInfo } from "@hookscope/hooks";
import { cut, describeError, isRecorded, toHrTime, type InvocationCore } from "@hookscope/hooks/internal";
import {
  INVALID_SPAN_CONTEXT,
  SpanStatusCode,
  trace,
  type Context,
  type Link,
  type Span,
  type SpanContext,
  type SpanKind,
} from "@opentelemetry/api";

type SpanCore = Pick<InvocationCore, "tracer" | "log" | "redactText">;

export interface SpanRequest {
  readonly core: SpanCore;
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
 * none is made: the parent, which does nothing, stands in for it. A tracer, a span or a processor of spans that throws is
 * logged once, never felt.
 */
export class OpenSpan {
  readonly context: Context;
  readonly #core: SpanCore;
  readonly #span: Span;
  #ended = false;

  constructor(request: SpanRequest) {
    const { core, parent } = request;
    this.#core = core;
    const isMade = isRecorded(parent);
    this.#span = this.#safely(() => (isMade ? startSpan(request) : trace.getSpan(parent))) ?? placeholder(parent);
    this.context = trace.setSpan(parent, this.#span);
  }

  get traceId(): string | undefined {
    return this.#recordedContext()?.traceId;
  }

  get spanId(): string | undefined {
    return this.#recordedContext()?.spanId;
  }

  set(attributes: SpanAttributes): void {
    this.#safely(() => this.#span.setAttributes(attributes));
  }

  link(): Link {
    return { context: this.#safely(() => this.#span.spanContext()) ?? INVALID_SPAN_CONTEXT };
  }

  /** @param error set where the work failed: the status becomes ERROR */
  end(
    endTime: number,
    attributes: SpanAttributes = {},
    error?: { readonly type: string; readonly message: string },
  ): void {
    if (this.#ended) return;
    this.#safely(() => {
      this.#ended = this.#span.isRecording();
      if (error === undefined) this.#span.setAttributes(attributes);
      else {
        this.#span.setAttributes({ ...attributes, "error.type": cut(error.type, MAX_TEXT_LENGTH) });
        this.#span.setStatus({ code: SpanStatusCode.ERROR, message: cut(error.message, MAX_TEXT_LENGTH) });
      }
      this.#span.end(toHrTime(endTime));
    });
  }

  #recordedContext(): SpanContext | undefined {
    return this.#safely(() => (this.#ended || this.#span.isRecording() ? this.#span.spanContext() : undefined));
  }

  #safely<Value>(work: () => Value): Value | undefined {
    try {
      return work();
    } catch (error) {
      const { type, message } = describeError(error);
      const what = this.#core.redactText(`${type}: ${message}`);
      this.#core.log.warn(
        "loop span",
        `a span could not be made, changed or ended: ${what}. The turn goes on without it.`,
      );
      return undefined;
    }
  }
}

/** Attribute limits of an SDK do not hold for the message of a status. */
const MAX_TEXT_LENGTH = 256;

/** Does nothing itself; what is made under it goes under the parent. */
function placeholder(parent: Context): Span {
  return trace.wrapSpanContext(trace.getSpanContext(parent) ?? INVALID_SPAN_CONTEXT);
}

function startSpan({ core, name, kind, startTime, turn, attributes, links, parent }: SpanRequest): Span {
  const all = { ...(turn === undefined ? {} : turnAttributes(turn)), ...attributes };
  const span = core.tracer.startSpan(
    name,
    { kind, startTime: toHrTime(startTime), attributes: all, ...(links === undefined ? {} : { links }) },
    parent,
  );
  // One that cannot even say what it is must not become what others are made under.
  span.spanContext();
  return span;
}

/** On every span of a turn. */
function turnAttributes(turn: TurnInfo): SpanAttributes {
  return {
    "session.id": turn.session_id,
    "gen_ai.conversation.id": turn.session_id,
    "agent_turn.id": turn.turn_id,
  };
}
