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

/** Counts exports that did not arrive and says it once for each time it begins; the SDK itself says it only to a diagnostic logger nobody set. */
export class CountingExporter implements PushMetricExporter {
  failures = 0;
  readonly #exporter: PushMetricExporter;
  readonly #once: Once;
  /** Exports without an answer that nobody has given up. */
  readonly #waiting = new Set<object>();

  constructor(exporter: PushMetricExporter, once: Once) {
    this.#exporter = exporter;
    this.#once = once;
  }

  export(metrics: ResourceMetrics, done: Done): void {
    const attempt = {};
    this.#waiting.add(attempt);
    this.#exporter.export(metrics, (result) => {
      const isWaited = this.#waiting.delete(attempt);
      if (result.code === ARRIVED) this.#once.forget("export");
      else if (isWaited) this.#failed(result.error?.message ?? "the exporter does not say why");
      done({ code: ARRIVED });
    });
  }

  /** What has no answer now counts as not arrived: whoever waited goes on, or ends. */
  giveUp(): void {
    for (const attempt of this.#waiting) {
      this.#waiting.delete(attempt);
      this.#failed("there was no answer in time");
    }
  }

  #failed(why: string): void {
    this.failures += 1;
    this.#once.warn("export", `metrics were not exported: ${why}. They add up, so a later export makes up for it.`);
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
