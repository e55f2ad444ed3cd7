import type { Hook, Logger } from "@hookscope/hooks";
import { LONGEST_TIMER_MS } from "@hookscope/hooks/internal";
import { OTLPMetricExporter } from "@opentelemetry/exporter-metrics-otlp-http";
import { resourceFromAttributes } from "@opentelemetry/resources";
import { MeterProvider, PeriodicExportingMetricReader } from "@opentelemetry/sdk-metrics";

import { MetricsError } from "../errors.ts";
import type { Metrics } from "../metrics.ts";
import { Once, stderrLogger } from "../once.ts";
import { CountingExporter } from "./counting-exporter.ts";
import { createGenAiHook } from "./gen-ai-hook.ts";
import { FamilyProducer } from "./producer.ts";

export interface OtlpMetricsOptions {
  /** What is exported: the metrics of the table, from the same cells as a scrape. */
  readonly metrics: Metrics;
  /** The whole address, such as http://127.0.0.1:4318/v1/metrics. */
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** 60,000 ms. */
  readonly intervalMs?: number;
  /** The most one export may take; 10,000 ms. */
  readonly timeoutMs?: number;
  /**
   * What the metrics are of: `{ "service.name": "my-agent" }`. `service.instance.id` is a random one unless given: two
   * processes without would be one series, in which each overwrites the other.
   */
  readonly resource?: Readonly<Record<string, string>>;
  readonly logger?: Logger;
}

export interface OtlpMetrics {
  /** The observer `gen_ai_metrics`, which records the `gen_ai.client.*` metrics of the convention: register it on the bus. */
  readonly hook: Hook;
  /** Exports that did not arrive. Values add up from the start, so the next one that arrives makes up for them. */
  readonly failures: number;
  /** Exports now. Ends after the time whatever happened; `failures` tells. */
  flush(options?: { readonly timeoutMs?: number }): Promise<void>;
  /** Exports a last time and stops. */
  shutdown(options?: { readonly timeoutMs?: number }): Promise<void>;
}

const DEFAULT_INTERVAL_MS = 60_000;
const DEFAULT_TIMEOUT_MS = 10_000;
const DEFAULT_FLUSH_MS = 5_000;

/**
 * Exports the metrics over OTLP, for those who have no scraper. Do not scrape the same process into the same store, or
 * each metric is there twice.
 *
 * @throws MetricsError METRICS_OPTION_INVALID
 */
export function startOtlpMetrics(options: OtlpMetricsOptions): OtlpMetrics {
  const { metrics, url, headers = {}, resource = {}, logger = stderrLogger } = options;
  // Not repeated: it may hold a password.
  if (!["http:", "https:"].includes(URL.parse(url)?.protocol ?? "")) {
    throw invalid("url must be an http or https address with /v1/metrics.");
  }
  const intervalMs = positive("intervalMs", options.intervalMs ?? DEFAULT_INTERVAL_MS);
  const timeoutMs = Math.min(positive("timeoutMs", options.timeoutMs ?? DEFAULT_TIMEOUT_MS), intervalMs);
  const exporter = new CountingExporter(
    new OTLPMetricExporter({ url, headers: { ...headers }, timeoutMillis: timeoutMs }),
    new Once(logger),
  );
  const attributes = resourceFromAttributes({ "service.instance.id": crypto.randomUUID(), ...resource });
  const reader = new PeriodicExportingMetricReader({
    exporter,
    exportIntervalMillis: intervalMs,
    exportTimeoutMillis: timeoutMs,
    metricProducers: [new FamilyProducer(metrics.families, attributes)],
  });
  const provider = new MeterProvider({ resource: attributes, readers: [reader] });
  return {
    hook: createGenAiHook(provider.getMeter("@hookscope/metrics")),
    get failures() {
      return exporter.failures;
    },
    flush: ({ timeoutMs: limit = DEFAULT_FLUSH_MS } = {}) =>
      within(limit, provider.forceFlush({ timeoutMillis: limit }), exporter),
    shutdown: ({ timeoutMs: limit = DEFAULT_FLUSH_MS } = {}) =>
      within(limit, provider.shutdown({ timeoutMillis: limit }), exporter),
  };
}

function positive(name: string, value: number): number {
  if (value > 0 && value <= LONGEST_TIMER_MS) return value;
  throw invalid(`${name} is ${value}; it must be a number of milliseconds above 0, at most ${LONGEST_TIMER_MS}.`);
}

function invalid(problem: string): MetricsError {
  return new MetricsError("METRICS_OPTION_INVALID", problem);
}

/** What fails was counted and said by the exporter; what takes too long is so here. */
async function within(limitMs: number, work: Promise<void>, exporter: CountingExporter): Promise<void> {
  const { promise: expired, resolve } = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => resolve(false), Math.min(limitMs, LONGEST_TIMER_MS));
  const ended = work.then(
    () => true,
    () => false,
  );
  if (!(await Promise.race([ended, expired]))) exporter.giveUp();
  clearTimeout(timer);
}
