import type { CellLabels, Exemplar, HistogramCell, NumberCell } from "./cell.ts";

/** One line of the exposition, as prom-client's registry takes it. */
export interface ExposedValue {
  readonly value: number;
  readonly labels: Readonly<Record<string, string | number>>;
  /** The same object each time, because the registry remembers how it is written. */
  readonly sharedLabels?: CellLabels;
  readonly metricName?: string;
  readonly exemplar?: Exemplar | undefined;
}

const NO_LABELS = Object.freeze({});
const INFINITE = Object.freeze({ le: "+Inf" });

export function exposeNumber({ value, labels, exemplar }: NumberCell): ExposedValue {
  return exemplar === undefined
    ? { value, labels: NO_LABELS, sharedLabels: labels }
    : { value, labels: NO_LABELS, sharedLabels: labels, exemplar };
}

/** Buckets are counted one by one and exposed as what is at or below each bound. */
export function exposeHistogram(cell: HistogramCell, name: string): readonly ExposedValue[] {
  const lines: ExposedValue[] = [];
  const sharedLabels = cell.labels;
  let count = 0;
  for (const [bucket, own] of cell.counts.entries()) {
    count += own;
    const bound = cell.bounds[bucket];
    const labels = bound === undefined ? INFINITE : { le: bound };
    const exemplar = cell.exemplars?.[bucket];
    lines.push({ value: count, labels, sharedLabels, metricName: `${name}_bucket`, exemplar });
  }
  lines.push({ value: cell.sum, labels: NO_LABELS, sharedLabels, metricName: `${name}_sum` });
  lines.push({ value: count, labels: NO_LABELS, sharedLabels, metricName: `${name}_count` });
  return lines;
}

/** With all labels in one object: for JSON, which is sent between the processes of a cluster. */
export function flatten({ sharedLabels, ...line }: ExposedValue): ExposedValue {
  return { ...line, labels: { ...sharedLabels, ...line.labels } };
}
