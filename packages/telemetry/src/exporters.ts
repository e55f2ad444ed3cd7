import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { ConsoleSpanExporter, type SpanExporter } from "@opentelemetry/sdk-trace";

import { withEnvironment, type Environment } from "./environment.ts";
import type { TelemetryOptions } from "./options.ts";
import { OtlpExporter } from "./otlp-exporter.ts";
import type { Settings } from "./settings.ts";
import type { Warn } from "./warnings.ts";

/**
 * Time limit, compression, certificates and headers are the exporter's own to read from the environment.
 * @param clean what of a backend's words may be said
 */
export function createExporters(
  { headers = {} }: TelemetryOptions,
  { exporters, url }: Settings,
  environment: Environment,
  { clean, warn }: { readonly clean: (text: string) => string; readonly warn: Warn },
): readonly SpanExporter[] {
  return exporters.map((name) =>
    name === "console"
      ? new ConsoleSpanExporter()
      : new OtlpExporter(
          withEnvironment(environment, () => new OTLPTraceExporter({ url, headers: { ...headers } })),
          clean,
          warn,
        ),
  );
}
