import { createSystemClock, type Clock, type Logger } from "@hookscope/hooks";
import { context, logs, metrics, propagation, trace } from "@opentelemetry/api";
import { startTelemetry, type Telemetry, type TelemetryOptions } from "@hookscope/telemetry";
import { afterEach } from "vitest";

const running = new Set<Telemetry>();

const system = createSystemClock();

/** The machine's, but that a flush and a shutdown which were given no time have all of it: no test is one of speed. */
const unhurried: Clock = {
  now: () => system.now(),
  setTimer: (callback, delayMs) => system.setTimer(callback, delayMs === DEFAULT_FLUSH_MS ? HOUR_MS : delayMs),
};

const DEFAULT_FLUSH_MS = 5_000;
const HOUR_MS = 3_600_000;

/** Starts telemetry that neither reads this machine's environment nor listens to this process; stopped after the test. */
export function start(options: TelemetryOptions): Telemetry {
  const telemetry = startTelemetry({ environment: {}, exitHandling: false, clock: unhurried, ...options });
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

/** Over before the exporter, which waits about a second, would try again. */
export const NO_SECOND_TRY = { OTEL_EXPORTER_OTLP_TIMEOUT: "500" };

afterEach(async () => {
  await Promise.all([...running].map((telemetry) => telemetry.shutdown({ timeoutMs: 20 })));
  running.clear();
  for (const api of [trace, context, propagation, metrics, logs]) api.disable();
});
