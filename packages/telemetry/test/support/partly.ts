import type { FlushResult, Telemetry } from "@hookscope/telemetry";
import { trace } from "@opentelemetry/api";

import type { Answer } from "./otlp-sink.ts";

/** Makes spans and flushes them. */
export async function send(telemetry: Telemetry, count: number): Promise<FlushResult> {
  const tracer = trace.getTracer("test");
  for (let index = 0; index < count; index += 1) tracer.startSpan(`span ${index}`).end();
  return telemetry.flush();
}

/** An answer of success that rejects some of the spans. */
export function partly(rejectedSpans: unknown, errorMessage?: unknown): Answer {
  return { body: JSON.stringify({ partialSuccess: { rejectedSpans, errorMessage } }) };
}
