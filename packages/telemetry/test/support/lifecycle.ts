import type { Logger } from "@hookscope/hooks";
import { context, logs, metrics, propagation, trace } from "@opentelemetry/api";
import { startTelemetry, type Telemetry, type TelemetryOptions } from "@hookscope/telemetry";
import { afterEach } from "vitest";

const running = new Set<Telemetry>();

/** Starts telemetry that neither reads this machine's environment nor listens to this process; stopped after the test. */
export function start(options: TelemetryOptions): Telemetry {
  const telemetry = startTelemetry({ environment: {}, exitHandling: false, ...options });
  running.add(telemetry);
  return telemetry;
}

export class Log implements Logger {
  readonly messages: string[] = [];

  warn(message: string): void {
    this.messages.push(message);
  }

  /** The codes said, in order. */
  get codes(): readonly string[] {
    return this.messages.map((message) => message.split(":")[0] ?? "");
  }
}

/** A batch of one request, sent soon: what most tests want. */
export const FAST = { OTEL_EXPORTER_OTLP_TIMEOUT: "500" };

afterEach(async () => {
  await Promise.all([...running].map((telemetry) => telemetry.shutdown({ timeoutMs: 20 })));
  running.clear();
  for (const api of [trace, context, propagation, metrics, logs]) api.disable();
});
