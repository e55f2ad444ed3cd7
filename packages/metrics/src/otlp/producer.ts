import { ValueType, type HrTime } from "@opentelemetry/api";
import type { Resource } from "@opentelemetry/resources";
import {
  AggregationTemporality,
  DataPointType,
  type CollectionResult,
  type DataPoint,
  type Histogram,
  type MetricData,
  type MetricProducer,
} from "@opentelemetry/sdk-metrics";

import type { HistogramCell, NumberCell } from "../cells/cell.ts";
import { METRIC_NAMES, METRICS, type MetricName } from "../definitions.ts";
import type { Families } from "../families.ts";

/** Gives the SDK's reader the same cells that a scrape reads, so that nothing is counted a second time. */
export class FamilyProducer implements MetricProducer {
  readonly #families: Families;
  readonly #resource: Resource;
  readonly #startTime: HrTime = hrTime(Date.now());

  constructor(families: Families, resource: Resource) {
    this.#families = families;
    this.#resource = resource;
  }

  async collect(): Promise<CollectionResult> {
    const endTime = hrTime(Date.now());
    const errors: unknown[] = [];
    const metrics: MetricData[] = [];
    for (const name of METRIC_NAMES) {
      try {
        const data = this.#read(name, endTime);
        if (data.dataPoints.length > 0) metrics.push(data);
      } catch (error) {
        errors.push(error);
      }
    }
    const scopeMetrics = [{ scope: { name: "@hookscope/metrics" }, metrics }];
    return { resourceMetrics: { resource: this.#resource, scopeMetrics }, errors };
  }

  #read(name: MetricName, endTime: HrTime): MetricData {
    const { type, help, unit } = METRICS[name];
    const descriptor = { name, description: help, unit, valueType: ValueType.DOUBLE };
    const common = { descriptor, aggregationTemporality: AggregationTemporality.CUMULATIVE };
    const cells = [...this.#families[name].collect()];
    const point = <Value>(labels: NumberCell["labels"], value: Value): DataPoint<Value> => ({
      startTime: this.#startTime,
      endTime,
      attributes: labels,
      value,
    });
    switch (type) {
      case "histogram": {
        const dataPoints = (cells as HistogramCell[]).map((cell) => point(cell.labels, histogramOf(cell)));
        return { ...common, dataPointType: DataPointType.HISTOGRAM, dataPoints };
      }
      case "counter": {
        const dataPoints = (cells as NumberCell[]).map((cell) => point(cell.labels, cell.value));
        return { ...common, dataPointType: DataPointType.SUM, isMonotonic: true, dataPoints };
      }
      case "gauge": {
        const dataPoints = (cells as NumberCell[]).map((cell) => point(cell.labels, cell.value));
        return { ...common, dataPointType: DataPointType.GAUGE, dataPoints };
      }
    }
  }
}

function histogramOf({ bounds, counts, sum }: HistogramCell): Histogram {
  const count = counts.reduce((total, own) => total + own, 0);
  return { buckets: { boundaries: [...bounds], counts: [...counts] }, sum, count };
}

function hrTime(milliseconds: number): HrTime {
  return [Math.trunc(milliseconds / 1000), (milliseconds % 1000) * 1_000_000];
}
