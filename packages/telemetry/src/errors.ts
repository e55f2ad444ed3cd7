/** Every error and warning of this package: what it means and what to do about it. The documentation page is made from it. */
export const TELEMETRY_ERRORS: { readonly [Code in TelemetryErrorCode]: string } = {
  TELEMETRY_OPTION_INVALID: "An option of startTelemetry cannot be used. The message names it and says what it may be.",
  TELEMETRY_ENDPOINT_INVALID:
    "The endpoint is not an http or https URL. Give the Collector's base address, for example http://localhost:4318.",
  TELEMETRY_ENVIRONMENT_IGNORED:
    "Warning: an OTEL_ variable cannot be used and its default stands. The message names the variable.",
  TELEMETRY_PROTOCOL_UNSUPPORTED:
    "Warning: OTLP over gRPC was asked for. Spans go as http/json: give the Collector's HTTP port, usually 4318.",
  TELEMETRY_NOT_RECORDING:
    "Warning: the start-up check made a span and nothing recorded it. The message names the cause that is likeliest.",
  TELEMETRY_NO_DESTINATION:
    "Warning: spans are recorded and nobody gets them. Give an endpoint, localSink or spanProcessors, or leave startTelemetry out.",
  TELEMETRY_ALREADY_REGISTERED:
    "Warning: another OpenTelemetry SDK runs in this process. Spans go to that one; nothing was added. Leave startTelemetry out, or start it first.",
  TELEMETRY_SPANS_DROPPED:
    "Warning: spans were lost. The message says how many and why; dropped() has the exact counts.",
  TELEMETRY_EXPORT_RESUMED:
    "Notice: spans arrive again after an outage, and none was lost for a minute. The message says how many were lost.",
  TELEMETRY_BACKEND_WARNING:
    "Warning: the trace backend took every span and sent a message with its answer. It is quoted, and said once.",
  TELEMETRY_PROCESSOR_FAILED: "Warning: a span processor given as an option threw. Its error was kept from the agent.",
  TELEMETRY_EXIT_CALLBACK_FAILED:
    "Warning: a function given to onExit threw, or did not finish within its time. The process ends all the same.",
  TRACE_STORE_UNWRITABLE:
    "The trace store's file cannot be opened or written. The message names the path and the cause.",
  TRACE_STORE_FOREIGN: "The file is not a trace store: no database, or another program's. Choose another path.",
  TRACE_STORE_TOO_NEW:
    "A newer version wrote this trace store. Update, or choose another path; the file is left as it is.",
  TRACE_STORE_CLOSED: "The trace store was used after close().",
};

export type TelemetryErrorCode =
  | "TELEMETRY_OPTION_INVALID"
  | "TELEMETRY_ENDPOINT_INVALID"
  | "TELEMETRY_ENVIRONMENT_IGNORED"
  | "TELEMETRY_PROTOCOL_UNSUPPORTED"
  | "TELEMETRY_NOT_RECORDING"
  | "TELEMETRY_NO_DESTINATION"
  | "TELEMETRY_ALREADY_REGISTERED"
  | "TELEMETRY_SPANS_DROPPED"
  | "TELEMETRY_EXPORT_RESUMED"
  | "TELEMETRY_BACKEND_WARNING"
  | "TELEMETRY_PROCESSOR_FAILED"
  | "TELEMETRY_EXIT_CALLBACK_FAILED"
  | "TRACE_STORE_UNWRITABLE"
  | "TRACE_STORE_FOREIGN"
  | "TRACE_STORE_TOO_NEW"
  | "TRACE_STORE_CLOSED";

/** Thrown where telemetry is started or a store is opened; never by what happens to a span. */
export class TelemetryError extends Error {
  override readonly name = "TelemetryError";
  readonly code: TelemetryErrorCode;

  constructor(code: TelemetryErrorCode, message: string, options?: ErrorOptions) {
    super(`${code}: ${message}`, options);
    this.code = code;
  }
}
