import {
  createTestTelemetry,
  type RecordedSpan,
  type TestTelemetry,
  type TestTelemetryOptions,
} from "@hookscope/testing";
import { onTestFinished } from "vitest";

/** Telemetry for the running test; taken back when it is over. Make it before the rig. */
export function recordSpans(options?: TestTelemetryOptions): TestTelemetry {
  const telemetry = createTestTelemetry(options);
  onTestFinished(() => telemetry.dispose());
  return telemetry;
}

/** The first span of that name. */
export function spanNamed(telemetry: TestTelemetry, name: string): RecordedSpan {
  const span = telemetry.spans().find((each) => each.name === name);
  if (span === undefined) throw new Error(`no span "${name}" among: ${telemetry.tree().join(", ")}`);
  return span;
}
