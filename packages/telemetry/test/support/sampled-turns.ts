import {
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  type Attributes,
  type Link,
  type Span,
} from "@opentelemetry/api";
import {
  InMemorySpanExporter,
  RandomIdGenerator,
  SimpleSpanProcessor,
  TracerProvider,
  type ReadableSpan,
} from "@opentelemetry/sdk-trace";
import {
  createTurnSampler,
  type TurnSampler,
  type TurnSamplerCounts,
  type TurnSamplerOptions,
} from "@hookscope/telemetry";

interface SpanOptions {
  readonly at?: number;
  readonly parent?: Span;
  readonly attributes?: Attributes;
  readonly kind?: SpanKind;
  readonly links?: Link[];
}

interface EndOptions {
  readonly at?: number;
  readonly attributes?: Attributes;
  readonly error?: string;
}

/** A real SDK with the sampler in front of an exporter that keeps what it gets. Times in milliseconds since START. */
export class SampledTurns {
  readonly sampler: TurnSampler;
  /** What the buffer threw away, call by call. */
  readonly thrownAway: number[] = [];
  readonly #exporter = new InMemorySpanExporter();
  readonly #provider: TracerProvider;
  readonly #ids = new RandomIdGenerator();
  /** The next traces' ids; then random ones. */
  readonly traceIds: string[] = [];

  /** @param options the share is 0 unless it says otherwise */
  constructor(options: TurnSamplerOptions = {}) {
    this.sampler = createTurnSampler(
      {
        next: [new SimpleSpanProcessor({ exporter: this.#exporter })],
        onBufferFull: (spans) => this.thrownAway.push(spans),
      },
      { share: 0, ...options },
    );
    this.#provider = new TracerProvider({
      spanProcessors: [this.sampler],
      idGenerator: {
        generateTraceId: () => this.traceIds.shift() ?? this.#ids.generateTraceId(),
        generateSpanId: () => this.#ids.generateSpanId(),
      },
    });
  }

  get exported(): readonly ReadableSpan[] {
    return this.#exporter.getFinishedSpans();
  }

  /** Names of what got through, in the order it did. */
  get names(): readonly string[] {
    return this.exported.map((span) => span.name);
  }

  get counts(): TurnSamplerCounts {
    return this.sampler.counts();
  }

  start(
    name: string,
    { at = 0, parent, attributes = {}, kind = SpanKind.INTERNAL, links = [] }: SpanOptions = {},
  ): Span {
    const context = parent === undefined ? ROOT_CONTEXT : trace.setSpan(ROOT_CONTEXT, parent);
    return this.#provider
      .getTracer("test")
      .startSpan(name, { startTime: START + at, attributes, kind, links }, context);
  }

  startTurn(id: string, options: SpanOptions = {}): Span {
    const attributes = { "gen_ai.operation.name": "invoke_agent", "agent_turn.id": id, ...options.attributes };
    return this.start(`invoke_agent ${id}`, { ...options, attributes });
  }

  /** A hook's span, started and ended. */
  hook(parent: Span, name: string, attributes: Attributes = {}, at = 0): void {
    const all = { "agent_hook.point": "pre_tool_call", "agent_hook.decision": "continue", ...attributes };
    this.end(this.start(`pre_tool_call ${name}`, { at, parent, attributes: all }), { at });
  }

  end(span: Span, { at = 0, attributes = {}, error }: EndOptions = {}): void {
    span.setAttributes(attributes);
    if (error !== undefined) span.setStatus({ code: SpanStatusCode.ERROR, message: error });
    span.end(START + at);
  }
}

/** The year 2100: no SDK takes it for a time since the process started. */
const START = Date.UTC(2100, 0, 1);
