/*
 * What the tests use of `@opentelemetry/sdk-trace` 3.x, made of the 2.x line: there the package has another name, the
 * provider too, and a simple processor takes its exporter bare.
 */
import { SimpleSpanProcessor as BareSpanProcessor, type SpanExporter } from "@opentelemetry/sdk-trace-base";

export {
  AlwaysOffSampler,
  BasicTracerProvider as TracerProvider,
  InMemorySpanExporter,
  RandomIdGenerator,
  type ReadableSpan,
  type Sampler,
  type SpanProcessor,
} from "@opentelemetry/sdk-trace-base";

export class SimpleSpanProcessor extends BareSpanProcessor {
  constructor({ exporter }: { readonly exporter: SpanExporter }) {
    super(exporter);
  }
}
