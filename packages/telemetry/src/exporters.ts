import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { ConsoleSpanExporter, type SpanExporter } from "@opentelemetry/sdk-trace";

import { withEnvironment, type Environment } from "./environment.ts";
import type { TelemetryOptions } from "./options.ts";
import type { Settings } from "./settings.ts";

/** Time limit, compression, certificates and headers are the exporter's own to read from the environment. */
export function createExporters(
  { headers = {} }: TelemetryOptions,
  { exporters, url }: Settings,
  environment: Environment,
): readonly SpanExporter[] {
  return exporters.map((name) =>
    name === "console"
      ? new ConsoleSpanExporter()
      : withEnvironment(environment, () => new OTLPTraceExporter({ url, headers: { ...headers } })),
  );
}
