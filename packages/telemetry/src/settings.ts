import { LONGEST_TIMER_MS } from "@hookscope/hooks/internal";

import { checkEnvironment } from "./check-environment.ts";
import { readExporters, readUrl, type ExporterName } from "./destinations.ts";
import { readNumber, readText, type Environment } from "./environment.ts";
import { TelemetryError } from "./errors.ts";
import type { TelemetryOptions } from "./options.ts";
import type { QueueSettings } from "./span-queue.ts";
import type { Warn } from "./warnings.ts";

/** What the options and the environment come to: an option wins over a variable, a variable over the default. */
export interface Settings {
  readonly disabled: boolean;
  /** The sampler that was asked for leaves every span out. */
  readonly sampledOut: boolean;
  readonly exporters: readonly ExporterName[];
  /** The whole address. */
  readonly url: string;
  readonly attributeValueLengthLimit: number;
  readonly queue: QueueSettings;
}

/** @throws {TelemetryError} TELEMETRY_OPTION_INVALID, TELEMETRY_ENDPOINT_INVALID */
export function readSettings(options: TelemetryOptions, environment: Environment, warn: Warn): Settings {
  const url = readUrl(options, environment, warn);
  checkEnvironment(environment, warn);
  const limit = checked(options.attributeValueLengthLimit, "attributeValueLengthLimit", MIN_VALUE_LENGTH);
  return {
    disabled: readText(environment, "OTEL_SDK_DISABLED")?.toLowerCase() === "true",
    sampledOut: /^(?:parentbased_)?always_off$/.test(readText(environment, "OTEL_TRACES_SAMPLER") ?? ""),
    exporters: readExporters(options, environment, warn),
    url,
    attributeValueLengthLimit:
      limit ??
      readNumber(environment, "OTEL_SPAN_ATTRIBUTE_VALUE_LENGTH_LIMIT", MIN_VALUE_LENGTH, warn) ??
      readNumber(environment, "OTEL_ATTRIBUTE_VALUE_LENGTH_LIMIT", MIN_VALUE_LENGTH, warn) ??
      DEFAULT_VALUE_LENGTH,
    queue: readQueue(options, environment, warn),
  };
}

/** A positive, finite number of milliseconds. @throws {TelemetryError} TELEMETRY_OPTION_INVALID */
export function checkedTimeout(timeoutMs: number | undefined, name: string, fallback: number): number {
  if (timeoutMs === undefined) return fallback;
  if (Number.isFinite(timeoutMs) && timeoutMs > 0) return Math.min(timeoutMs, LONGEST_TIMER_MS);
  throw new TelemetryError("TELEMETRY_OPTION_INVALID", `${name} must be a positive number of milliseconds`);
}

/** Room for the marker of a cut value. */
const MIN_VALUE_LENGTH = 64;
const DEFAULT_VALUE_LENGTH = 4_096;

/** For bursts of an agent: a turn makes up to 5,000 spans, and several turns end together. */
const DEFAULT_QUEUE: QueueSettings = {
  maxQueueSize: 16_384,
  maxQueueCharacters: 67_108_864,
  maxBatchSize: 128,
  scheduledDelayMs: 1_000,
  exportTimeoutMs: 30_000,
};

/** The variables of the batch span processor that mean the same here. */
const QUEUE_VARIABLES: { readonly [Key in keyof QueueSettings]?: string } = {
  maxQueueSize: "OTEL_BSP_MAX_QUEUE_SIZE",
  maxBatchSize: "OTEL_BSP_MAX_EXPORT_BATCH_SIZE",
  scheduledDelayMs: "OTEL_BSP_SCHEDULE_DELAY",
  exportTimeoutMs: "OTEL_BSP_EXPORT_TIMEOUT",
};

function readQueue(options: TelemetryOptions, environment: Environment, warn: Warn): QueueSettings {
  const read = (key: keyof QueueSettings): number => {
    const variable = QUEUE_VARIABLES[key];
    return (
      checked(options.queue?.[key], `queue.${key}`, 1) ??
      (variable === undefined ? undefined : readNumber(environment, variable, 1, warn)) ??
      DEFAULT_QUEUE[key]
    );
  };
  const maxQueueSize = read("maxQueueSize");
  return {
    maxQueueSize,
    maxQueueCharacters: read("maxQueueCharacters"),
    maxBatchSize: Math.min(read("maxBatchSize"), maxQueueSize),
    scheduledDelayMs: Math.min(read("scheduledDelayMs"), LONGEST_TIMER_MS),
    exportTimeoutMs: Math.min(read("exportTimeoutMs"), LONGEST_TIMER_MS),
  };
}

function checked(number: number | undefined, name: string, minimum: number): number | undefined {
  if (number === undefined || (Number.isInteger(number) && number >= minimum)) return number;
  throw new TelemetryError("TELEMETRY_OPTION_INVALID", `${name} must be a whole number of at least ${minimum}`);
}
