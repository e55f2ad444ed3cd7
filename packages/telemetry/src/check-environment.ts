import { accessSync, constants } from "node:fs";
import { resolve } from "node:path";

import { parseKeyPairsIntoRecord } from "@opentelemetry/core";

import { readText, type Environment } from "./environment.ts";
import type { Warn } from "./warnings.ts";

/** Says what the SDK and its exporter would pass over in silence. No value is repeated: some are secrets. */
export function checkEnvironment(environment: Environment, warn: Warn): void {
  for (const [name, { expected, isFine }] of CHECKS) {
    const text = readText(environment, name);
    if (text === undefined || isFine(text, environment)) continue;
    warn("TELEMETRY_ENVIRONMENT_IGNORED", `${name} must be ${expected}; what is not is ignored`, { name });
  }
  if (readText(environment, ...forTraces("PROTOCOL")) === "grpc")
    warn("TELEMETRY_PROTOCOL_UNSUPPORTED", "OTLP over gRPC is not spoken here; http/json is used");
}

interface Check {
  readonly expected: string;
  readonly isFine: (text: string, environment: Environment) => boolean;
}

/** A variable of the exporter for traces, and the one for all signals, over which it goes. */
function forTraces(variable: string): readonly string[] {
  return [`OTEL_EXPORTER_OTLP_TRACES_${variable}`, `OTEL_EXPORTER_OTLP_${variable}`];
}

const SAMPLERS: readonly string[] = ["always_on", "always_off", "traceidratio"].flatMap((name) => [
  name,
  `parentbased_${name}`,
]);

const EXPORTER_CHECKS: { readonly [Variable in string]: Check } = {
  PROTOCOL: { expected: "http/json, http/protobuf or grpc", isFine: oneOf("http/json", "http/protobuf", "grpc") },
  TIMEOUT: { expected: "a number of milliseconds above 0", isFine: (text) => isBetween(text, Number.MIN_VALUE) },
  COMPRESSION: { expected: "none or gzip", isFine: oneOf("none", "gzip") },
  HEADERS: {
    expected: "key=value pairs with commas between them",
    isFine: (text) => entriesOf(text).every(isPair),
  },
  CERTIFICATE: { expected: "a file that can be read", isFine: isReadable },
  CLIENT_CERTIFICATE: { expected: "a file that can be read", isFine: isReadable },
  CLIENT_KEY: { expected: "a file that can be read", isFine: isReadable },
};

const CHECKS: readonly (readonly [name: string, check: Check])[] = [
  ...Object.entries(EXPORTER_CHECKS).flatMap(([variable, check]) =>
    forTraces(variable).map((name) => [name, check] as const),
  ),
  ["OTEL_SDK_DISABLED", { expected: "true or false", isFine: (text) => /^(?:true|false)$/i.test(text) }],
  ["OTEL_TRACES_SAMPLER", { expected: `one of ${SAMPLERS.join(", ")}`, isFine: oneOf(...SAMPLERS) }],
  [
    "OTEL_TRACES_SAMPLER_ARG",
    {
      expected: "a number from 0 to 1",
      isFine: (text, environment) => !usesRatio(environment) || isBetween(text, 0, 1),
    },
  ],
  [
    "OTEL_RESOURCE_ATTRIBUTES",
    {
      expected: "key=value pairs with commas between them, each part at most 255 characters",
      isFine: (text) => entriesOf(text).every(isResourceAttribute),
    },
  ],
];

function oneOf(...values: readonly string[]): (text: string) => boolean {
  return (text) => values.includes(text);
}

function isBetween(text: string, least: number, most = Number.MAX_VALUE): boolean {
  const number = Number(text);
  return number >= least && number <= most;
}

function usesRatio(environment: Environment): boolean {
  return readText(environment, "OTEL_TRACES_SAMPLER")?.endsWith("traceidratio") ?? false;
}

function entriesOf(text: string): readonly string[] {
  return text.split(",").filter((entry) => entry.trim() !== "");
}

/** What follows a semicolon would be taken for a remark, and cut off. */
function isPair(entry: string): boolean {
  return !entry.includes(";") && Object.keys(parseKeyPairsIntoRecord(entry)).length === 1;
}

/** One that is not, and the SDK takes none of them. */
function isResourceAttribute(entry: string): boolean {
  const parts = entry.split("=").map((part) => part.trim());
  return parts.length === 2 && parts[0] !== "" && parts.every((part) => isEncoded(part));
}

function isEncoded(part: string): boolean {
  try {
    return decodeURIComponent(part).length <= 255;
  } catch {
    return false;
  }
}

function isReadable(path: string): boolean {
  try {
    accessSync(resolve(path), constants.R_OK);
    return true;
  } catch {
    return false;
  }
}
