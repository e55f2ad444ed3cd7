import { trace } from "@opentelemetry/api";
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from "@opentelemetry/sdk-trace-base";

export interface OldLine {
  /** Makes a span through its own API, as an application of that line does. */
  makeSpan(name: string): void;
  /** Names of the spans its SDK recorded. */
  spanNames(): readonly string[];
}

/** Registers the 2.x SDK through API 1.9.1, as an application of that line does when it starts. */
export function registerOldLine(): OldLine {
  const exporter = new InMemorySpanExporter();
  const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
  if (!trace.setGlobalTracerProvider(provider)) throw new Error("A tracer provider is registered already.");
  return {
    makeSpan: (name) => trace.getTracer("old line").startSpan(name).end(),
    spanNames: () => exporter.getFinishedSpans().map(({ name }) => name),
  };
}
