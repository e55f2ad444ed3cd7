import {
  createContextKey,
  isSpanContextValid,
  ProxyTracerProvider,
  ROOT_CONTEXT,
  trace,
  type Context,
} from "@opentelemetry/api";

/** Whether an SDK stands behind the API already, ours or somebody else's. */
export function isRegistered(): boolean {
  const provider: unknown = trace.getTracerProvider();
  if (!(typeof provider === "object" && provider !== null && "getDelegate" in provider)) return true;
  return (
    typeof provider.getDelegate !== "function" || provider.getDelegate() !== new ProxyTracerProvider().getDelegate()
  );
}

/**
 * Whether a span made through the API reaches an SDK: a span that goes nowhere has no identity. One that is made and
 * left out by a sampler has one. The span of this check is never ended, so that nothing exports it.
 */
export function reachesAnSdk(): boolean {
  const context = ROOT_CONTEXT.setValue(SELF_CHECK, true);
  const span = trace.getTracer("@hookscope/telemetry").startSpan("start-up check", {}, context);
  return isSpanContextValid(span.spanContext());
}

export function isSelfCheck(context: Context): boolean {
  return context.getValue(SELF_CHECK) === true;
}

const SELF_CHECK = createContextKey("hookscope.self_check");
