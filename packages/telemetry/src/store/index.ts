/** The trace store by itself: a program that only reads it need not load the SDK. */
export type { InvocationDocument, SpanDocument, TraceDocument, TurnDocument, TurnSummary } from "./documents.ts";
export { createTraceStore, type TraceStore, type TraceStoreOptions, type TurnsQuery } from "./trace-store.ts";
