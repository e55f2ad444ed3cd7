import { readText, type Environment } from "./environment.ts";
import { TelemetryError } from "./errors.ts";
import type { TelemetryOptions } from "./options.ts";
import type { Warn } from "./warnings.ts";

/** Where finished spans go: by OTLP, to standard output, into the local sink, to the processors given as an option. */
export type SpanDestination =
  | {
      readonly kind: "otlp";
      /** The whole address, without a user's name, a password or a query. */
      readonly url: string;
    }
  | { readonly kind: "console" }
  | { readonly kind: "local" }
  | { readonly kind: "processors" };

export type ExporterName = (typeof EXPORTERS)[number];

/** Those of OTEL_TRACES_EXPORTER; `otlp` where it names none that is known here. */
export function readExporters(
  { exportSpans = true }: TelemetryOptions,
  environment: Environment,
  warn: Warn,
): readonly ExporterName[] {
  if (!exportSpans) return [];
  const names = (readText(environment, "OTEL_TRACES_EXPORTER") ?? "")
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");
  if (names.includes("none")) return [];
  for (const name of names) {
    if (isKnown(name)) continue;
    warn("TELEMETRY_ENVIRONMENT_IGNORED", `OTEL_TRACES_EXPORTER knows otlp, console and none, not "${name}"`);
  }
  return names.some(isKnown) ? EXPORTERS.filter((name) => names.includes(name)) : ["otlp"];
}

const EXPORTERS = ["otlp", "console"] as const;

function isKnown(name: string): boolean {
  return EXPORTERS.some((known) => known === name);
}

/**
 * The address spans are sent to. As the specification has it, the variable for traces is taken as it is, and the path is
 * added to the one for all signals. Other than there, it is not added a second time.
 * @throws {TelemetryError} TELEMETRY_ENDPOINT_INVALID
 */
export function readUrl({ endpoint }: TelemetryOptions, environment: Environment, warn: Warn): string {
  if (endpoint !== undefined) {
    const url = parseUrl(endpoint);
    if (url !== undefined) return withTracesPath(url);
    throw new TelemetryError("TELEMETRY_ENDPOINT_INVALID", "endpoint must be an http or https URL");
  }
  const read = (name: string): URL | undefined => {
    const text = readText(environment, name);
    const url = text === undefined ? undefined : parseUrl(text);
    if (text !== undefined && url === undefined) {
      warn("TELEMETRY_ENVIRONMENT_IGNORED", `${name} is not an http or https URL; ignored`, { name });
    }
    return url;
  };
  const ofTraces = read("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT");
  const ofAll = read("OTEL_EXPORTER_OTLP_ENDPOINT");
  return ofTraces?.href ?? withTracesPath(ofAll ?? new URL(DEFAULT_ENDPOINT));
}

const DEFAULT_ENDPOINT = "http://localhost:4318";
const TRACES_PATH = "/v1/traces";

function withTracesPath(url: URL): string {
  if (!url.pathname.endsWith(TRACES_PATH)) url.pathname = url.pathname.replace(/\/?$/, TRACES_PATH);
  return url.href;
}

function parseUrl(text: string): URL | undefined {
  const url = URL.parse(text);
  return url?.protocol === "http:" || url?.protocol === "https:" ? url : undefined;
}

export function destinationsOf(
  options: TelemetryOptions,
  { exporters, url }: { readonly exporters: readonly ExporterName[]; readonly url: string },
): readonly SpanDestination[] {
  return [
    ...exporters.map((kind) => (kind === "otlp" ? { kind, url: withoutSecrets(url) } : { kind })),
    ...(options.localSink === undefined ? [] : [{ kind: "local" } as const]),
    ...((options.spanProcessors ?? []).length === 0 ? [] : [{ kind: "processors" } as const]),
  ];
}

function withoutSecrets(address: string): string {
  const { origin, pathname } = new URL(address);
  return origin + pathname;
}
