import type {
  AggregationTemporality,
  InstrumentType,
  PushMetricExporter,
  ResourceMetrics,
} from "@opentelemetry/sdk-metrics";

import type { Once } from "../once.ts";

type Done = Parameters<PushMetricExporter["export"]>[1];

/** The code of an export that arrived. */
const ARRIVED = 0;

/** Counts exports that did not arrive and says it once; the SDK itself says it only to a diagnostic logger nobody set. */
export class CountingExporter implements PushMetricExporter {
  failures = 0;
  readonly #exporter: PushMetricExporter;
  readonly #once: Once;

  constructor(exporter: PushMetricExporter, once: Once) {
    this.#exporter = exporter;
    this.#once = once;
  }

  export(metrics: ResourceMetrics, done: Done): void {
    this.#exporter.export(metrics, (result) => {
      if (result.code !== ARRIVED) {
        this.failures += 1;
        const why = result.error?.message ?? "the exporter does not say why";
        this.#once.warn("export", `metrics were not exported: ${why}. They add up, so a later export makes up for it.`);
      }
      done({ code: ARRIVED });
    });
  }

  selectAggregationTemporality(type: InstrumentType): AggregationTemporality {
    return this.#exporter.selectAggregationTemporality?.(type) ?? CUMULATIVE;
  }

  forceFlush(): Promise<void> {
    return this.#exporter.forceFlush();
  }

  shutdown(): Promise<void> {
    return this.#exporter.shutdown();
  }
}

const CUMULATIVE: AggregationTemporality.CUMULATIVE = 1;
