export { HOOK_BUS_CONFORMANCE, type ConformanceCase, type CreateHookBus } from "./conformance/index.ts";
export { createFakeClock, type FakeClock, type FakeClockOptions } from "./fake-clock.ts";
export { createTestTelemetry, type RecordedSpan, type TestTelemetry, type TestTelemetryOptions } from "./telemetry.ts";
export { collectWarnings, type Warning, type WarningCollector } from "./warnings.ts";
