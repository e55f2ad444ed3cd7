import {
  context,
  SpanKind,
  SpanStatusCode,
  trace,
  type Attributes,
  type HrTime,
  type Tracer,
} from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import {
  InMemorySpanExporter,
  SimpleSpanProcessor,
  TracerProvider,
  type ReadableSpan,
  type Sampler,
  type SpanProcessor,
} from "@opentelemetry/sdk-trace";

/** A span that ended, as plain data. */
export interface RecordedSpan {
  readonly name: string;
  readonly kind: keyof typeof SpanKind;
  readonly traceId: string;
  readonly spanId: string;
  /** Absent on a root. */
  readonly parentSpanId?: string;
  /** Milliseconds since the epoch. */
  readonly startTime: number;
  readonly endTime: number;
  readonly attributes: Attributes;
  readonly status: { readonly code: keyof typeof SpanStatusCode; readonly message?: string };
  readonly links: readonly { readonly traceId: string; readonly spanId: string }[];
}

export interface TestTelemetryOptions {
  /** Default: everything under a root is sampled. */
  readonly sampler?: Sampler;
}

/** A real SDK that keeps its spans in memory. */
export interface TestTelemetry {
  /** For the spans of a test itself. */
  readonly tracer: Tracer;
  /** The spans that ended, in the order they started. */
  spans(): readonly RecordedSpan[];
  /** Names of the spans that started and did not end, in the order they started. */
  unended(): readonly string[];
  /** The spans' names, one a line, indented by two blanks under their parent. */
  tree(): readonly string[];
  /** Takes everything back that was registered; call it after each test. */
  dispose(): Promise<void>;
}

/**
 * Registers a tracer provider and a context manager globally, as an application does.
 *
 * @throws Error when something is registered already: an earlier one was not disposed
 */
export function createTestTelemetry({ sampler }: TestTelemetryOptions = {}): TestTelemetry {
  const exporter = new InMemorySpanExporter();
  const started = new StartedSpans();
  const provider = new TracerProvider({
    spanProcessors: [started, new SimpleSpanProcessor({ exporter })],
    ...(sampler === undefined ? {} : { sampler }),
  });
  register(provider);
  const spans = (): readonly RecordedSpan[] => {
    const ended = new Map(exporter.getFinishedSpans().map((span) => [span.spanContext().spanId, span]));
    return started.ids.flatMap((id) => ended.get(id) ?? []).map(toRecordedSpan);
  };
  return {
    tracer: provider.getTracer("@hookscope/testing"),
    spans,
    unended: () => started.unended(),
    tree: () => renderTree(spans()),
    async dispose() {
      trace.disable();
      context.disable();
      await provider.shutdown();
    },
  };
}

function register(provider: TracerProvider): void {
  const problem = "is registered already; dispose of the earlier telemetry first.";
  const manager = new AsyncLocalStorageContextManager().enable();
  if (!context.setGlobalContextManager(manager)) {
    manager.disable();
    throw new Error(`A context manager ${problem}`);
  }
  if (!trace.setGlobalTracerProvider(provider)) {
    context.disable();
    throw new Error(`A tracer provider ${problem}`);
  }
}

/** Remembers the order in which spans start: the exporter knows only the order in which they end. */
class StartedSpans implements SpanProcessor {
  readonly ids: string[] = [];
  readonly #open = new Map<string, string>();

  onStart(span: ReadableSpan): void {
    this.ids.push(span.spanContext().spanId);
    this.#open.set(span.spanContext().spanId, span.name);
  }

  onEnd(span: ReadableSpan): void {
    this.#open.delete(span.spanContext().spanId);
  }

  unended(): readonly string[] {
    return [...this.#open.values()];
  }

  async forceFlush(): Promise<void> {}
  async shutdown(): Promise<void> {}
}

function toRecordedSpan(span: ReadableSpan): RecordedSpan {
  const { traceId, spanId } = span.spanContext();
  const { code, message } = span.status;
  return {
    name: span.name,
    kind: SpanKind[span.kind] as keyof typeof SpanKind,
    traceId,
    spanId,
    ...(span.parentSpanContext === undefined ? {} : { parentSpanId: span.parentSpanContext.spanId }),
    startTime: toMs(span.startTime),
    endTime: toMs(span.endTime),
    attributes: { ...span.attributes },
    status: {
      code: SpanStatusCode[code] as keyof typeof SpanStatusCode,
      ...(message === undefined ? {} : { message }),
    },
    links: span.links.map((link) => ({ traceId: link.context.traceId, spanId: link.context.spanId })),
  };
}

function toMs([seconds, nanoseconds]: HrTime): number {
  return seconds * 1000 + nanoseconds / 1e6;
}

function renderTree(spans: readonly RecordedSpan[]): readonly string[] {
  const ids = new Set(spans.map(({ spanId }) => spanId));
  const isRoot = ({ parentSpanId }: RecordedSpan): boolean => parentSpanId === undefined || !ids.has(parentSpanId);
  const render = (span: RecordedSpan, indent: string): readonly string[] => [
    `${indent}${span.name}`,
    ...spans
      .filter(({ parentSpanId }) => parentSpanId === span.spanId)
      .flatMap((child) => render(child, `${indent}  `)),
  ];
  return spans.filter(isRoot).flatMap((root) => render(root, ""));
}
