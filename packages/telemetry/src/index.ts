export { BACKEND_HINTS, createBackendHints, type BackendHint } from "./backend-hints.ts";
export type { SpanDestination } from "./destinations.ts";
export { DROP_REASONS, type DropListener, type DropReason, type SinkName, type SpanDrop } from "./drops.ts";
export type { Environment } from "./environment.ts";
export { TELEMETRY_ERRORS, TelemetryError, type TelemetryErrorCode } from "./errors.ts";
export type { EndedBy } from "./open-spans.ts";
export type { ExitHandlingOptions, FlushOptions, FlushResult, Telemetry, TelemetryOptions } from "./options.ts";
export {
  createTurnSampler,
  type KeepReason,
  type TurnSampler,
  type TurnSamplerCounts,
  type TurnSamplerOptions,
  type TurnSamplerParts,
} from "./sampler/index.ts";
export { withSession } from "./session.ts";
export type { QueueSettings } from "./span-queue.ts";
export { startTelemetry } from "./telemetry.ts";
export {
  createTraceStore,
  type InvocationDocument,
  type SpanDocument,
  type TraceDocument,
  type TraceStore,
  type TraceStoreOptions,
  type TurnDocument,
  type TurnsQuery,
  type TurnSummary,
} from "./store/index.ts";
