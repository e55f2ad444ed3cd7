import type { Metric } from "prom-client";

import { Counter, Gauge, Histogram, type AnyRegistry, type FamilyHost, type FamilyOf } from "./cells/family.ts";
import { METRIC_NAMES, METRICS, type MetricName } from "./definitions.ts";
import { MetricsError } from "./errors.ts";

/** Every metric of the table, ready to record into: `families.agent_tool_calls_total.add({ tool, agent, outcome })`. */
export type Families = { readonly [Name in MetricName]: FamilyOf<Name> };

/** @throws MetricsError METRICS_NAME_TAKEN; then none is registered */
export function createFamilies(registry: AnyRegistry, host: FamilyHost): Families {
  const taken = METRIC_NAMES.filter((name) => registry.getSingleMetric(name) !== undefined);
  if (taken.length > 0) {
    throw new MetricsError(
      "METRICS_NAME_TAKEN",
      `the registry has ${taken.join(", ")} already. Give createMetrics a registry of its own, or call it once per registry.`,
    );
  }
  const families = Object.fromEntries(METRIC_NAMES.map((name) => [name, createFamily(name, host)])) as Families;
  for (const name of METRIC_NAMES) {
    if (Object.keys(METRICS[name].labels).length === 0) families[name].touch({} as never);
    registry.registerMetric(families[name] as unknown as Metric);
  }
  return families;
}

const TYPES = { counter: Counter, gauge: Gauge, histogram: Histogram } as const;

function createFamily(name: MetricName, host: FamilyHost): Families[MetricName] {
  const row = METRICS[name];
  return new TYPES[row.type](name as never, row as never, host);
}
