/** The trace a recording is shown with. */
export interface TraceReference {
  readonly traceId: string;
  readonly spanId: string;
}

/** As prom-client renders it; the time in seconds. */
export interface Exemplar {
  readonly labelSet: { readonly trace_id: string; readonly span_id: string };
  readonly value: number;
  readonly timestamp: number;
}

export type CellLabels = Readonly<Record<string, string>>;

/** A number that goes up, or is set: one series. */
export class NumberCell {
  readonly labels: CellLabels;
  /** Of `__other__`: many series in one. */
  readonly shared: boolean;
  value = 0;
  exemplar: Exemplar | undefined;

  constructor(labels: CellLabels, shared: boolean) {
    this.labels = labels;
    this.shared = shared;
  }
}

/** One series of a histogram. The last count is of what is above every bound. */
export class HistogramCell {
  readonly labels: CellLabels;
  /** Of `__other__`: many series in one. */
  readonly shared: boolean;
  readonly bounds: Float64Array;
  /** Doubles, because a long-lived process counts past 2^32. */
  readonly counts: Float64Array;
  sum = 0;
  /** One per bucket, made with the first exemplar. */
  exemplars: (Exemplar | undefined)[] | undefined;

  constructor(labels: CellLabels, shared: boolean, bounds: Float64Array) {
    this.labels = labels;
    this.shared = shared;
    this.bounds = bounds;
    this.counts = new Float64Array(bounds.length + 1);
  }

  /** Gives the bucket's index. */
  observe(value: number): number {
    const { bounds } = this;
    let bucket = 0;
    while (bucket < bounds.length && value > (bounds[bucket] as number)) bucket += 1;
    this.counts[bucket] = (this.counts[bucket] as number) + 1;
    this.sum += value;
    return bucket;
  }

  exemplify(bucket: number, exemplar: Exemplar): void {
    this.exemplars ??= [];
    this.exemplars[bucket] = exemplar;
  }
}

export type Cell = NumberCell | HistogramCell;
