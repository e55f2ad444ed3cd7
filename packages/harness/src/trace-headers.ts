import { isSpanContextValid, trace, type Context } from "@opentelemetry/api";

/** W3C Trace Context of a span; nothing where there is none. */
export interface TraceHeaders {
  readonly traceparent?: string;
  readonly tracestate?: string;
}

export function traceHeaders(context: Context): TraceHeaders {
  const span = trace.getSpanContext(context);
  if (span === undefined || !isSpanContextValid(span)) return {};
  const flags = span.traceFlags.toString(16).padStart(2, "0");
  const state = span.traceState?.serialize();
  return {
    traceparent: `00-${span.traceId}-${span.spanId}-${flags}`,
    ...(state === undefined || state === "" ? {} : { tracestate: state }),
  };
}
