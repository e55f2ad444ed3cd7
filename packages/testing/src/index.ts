export { HOOK_BUS_CONFORMANCE, type ConformanceCase, type CreateHookBus } from "./conformance/index.ts";
export { TESTING_ERRORS, TestingError, type TestingErrorCode } from "./errors.ts";
export { createFakeClock, type FakeClock, type FakeClockOptions } from "./fake-clock.ts";
export { createScriptedModel, type Script, type ScriptedModel, type ScriptedModelOptions } from "./scripted-model.ts";
export {
  breakAfter,
  callTools,
  failWith,
  hang,
  malformedToolCall,
  reply,
  type RecordedRequest,
  type ScriptedEnding,
  type ScriptedFailure,
  type ScriptedStep,
  type ScriptedToolCall,
  type StepMaker,
  type StreamedOptions,
} from "./scripted-steps.ts";
export {
  SESSION_STORE_CONFORMANCE,
  type CreateSessionPlace,
  type SessionPlace,
  type SessionStoreCase,
} from "./session-conformance.ts";
export { createTestTelemetry, type RecordedSpan, type TestTelemetry, type TestTelemetryOptions } from "./telemetry.ts";
export { collectWarnings, type Warning, type WarningCollector } from "./warnings.ts";
