import { Registry, type OpenMetricsContentType } from "prom-client";

import type { MetricLabels, MetricName, MetricRow, TypeOfMetric } from "../definitions.ts";
import { HistogramCell, NumberCell, type Cell, type Exemplar, type TraceReference } from "./cell.ts";
import { exposeHistogram, exposeNumber, flatten, type ExposedValue } from "./exposed.ts";
import { Series, type GivenLabels } from "./series.ts";

/** A registry of prom-client for either text format. */
export type AnyRegistry = Registry | Registry<OpenMetricsContentType>;

/** What all metrics of one `createMetrics` share. */
export interface FamilyHost {
  readonly registry: AnyRegistry;
  readonly maxSeries: number;
  /** Milliseconds since the epoch. */
  now(): number;
  refused(metric: MetricName, value: unknown): void;
  overflowed(metric: MetricName): void;
}

interface Exposed {
  readonly name: string;
  readonly help: string;
  readonly type: string;
  readonly aggregator: string;
  readonly values: readonly ExposedValue[];
}

/**
 * One metric: its series in cells of ours, and what prom-client's registry asks of a metric. The registry reads the cells
 * at a scrape; recording does not go through it.
 */
abstract class Family<Name extends MetricName, C extends Cell> {
  readonly help: string;
  readonly type: string;
  readonly aggregator: string;
  readonly row: MetricRow<TypeOfMetric<Name>, MetricLabels[Name]>;
  readonly series: Series<C>;
  /** How often its cells were taken away: one that was kept counts nowhere then. */
  resets = 0;
  protected readonly host: FamilyHost;
  readonly #name: Name;
  readonly #collectors: (() => void)[] = [];

  constructor(name: Name, row: MetricRow<TypeOfMetric<Name>, MetricLabels[Name]>, host: FamilyHost) {
    this.#name = name;
    this.row = row;
    this.host = host;
    this.help = `${row.help} ${row.advice}`;
    this.type = row.type;
    this.aggregator = row.aggregator ?? "sum";
    this.series = new Series(
      row.labels,
      (labels, shared) => this.make(labels, shared),
      host.maxSeries,
      () => host.overflowed(name),
    );
  }

  get name(): Name {
    return this.#name;
  }

  /** prom-client cuts `_total` off the names of counters when it writes OpenMetrics, for good; this one keeps its name. */
  set name(_cut: string) {}

  /** Called before each reading, to read what is not recorded as it happens. */
  onCollect(collect: () => void): void {
    this.#collectors.push(collect);
  }

  /** Makes the series, so that it starts at 0. */
  touch(labels: MetricLabels[Name]): void {
    this.series.touch(labels as GivenLabels);
  }

  /** The cells, after what is read at a scrape was read. */
  collect(): Iterable<C> {
    for (const collect of this.#collectors) collect();
    return this.series;
  }

  reset(): void {
    this.resets += 1;
    this.series.clear();
  }

  async getForPromString(): Promise<Exposed> {
    const openMetrics = this.host.registry.contentType === Registry.OPENMETRICS_CONTENT_TYPE;
    const name = openMetrics && this.type === "counter" ? this.#name.replace(/_total$/, "") : this.#name;
    return this.#exposed(name, (line) => line);
  }

  async get(): Promise<Exposed> {
    return this.#exposed(this.#name, flatten);
  }

  protected abstract make(labels: C["labels"], shared: boolean): C;
  protected abstract expose(cell: C): readonly ExposedValue[];

  protected accepts(value: number): boolean {
    if (typeof value === "number" && value >= 0 && value < Number.POSITIVE_INFINITY) return true;
    this.host.refused(this.#name, value);
    return false;
  }

  protected exemplar(trace: TraceReference, value: number): Exemplar {
    const { traceId, spanId } = trace;
    return { labelSet: { trace_id: traceId, span_id: spanId }, value, timestamp: this.host.now() / 1000 };
  }

  #exposed(name: string, form: (line: ExposedValue) => ExposedValue): Exposed {
    const values: ExposedValue[] = [];
    for (const cell of this.collect()) for (const line of this.expose(cell)) values.push(form(line));
    return { name, help: this.help, type: this.type, aggregator: this.aggregator, values };
  }
}

abstract class NumberFamily<Name extends MetricName> extends Family<Name, NumberCell> {
  protected make(labels: NumberCell["labels"], shared: boolean): NumberCell {
    return new NumberCell(labels, shared);
  }

  protected expose(cell: NumberCell): readonly ExposedValue[] {
    return [exposeNumber(cell)];
  }
}

export class Counter<Name extends MetricName> extends NumberFamily<Name> {
  /** A negative or not finite amount is refused and counted, so that a counter never falls. */
  add(labels: MetricLabels[Name], amount = 1, trace?: TraceReference): void {
    if (!this.accepts(amount)) return;
    const cell = this.series.cell(labels as GivenLabels);
    cell.value += amount;
    if (trace !== undefined) cell.exemplar = this.exemplar(trace, amount);
  }
}

export class Gauge<Name extends MetricName> extends NumberFamily<Name> {
  set(labels: MetricLabels[Name], value: number): void {
    if (this.accepts(value)) this.series.cell(labels as GivenLabels).value = value;
  }

  /** For what is counted anew at each reading. */
  add(labels: MetricLabels[Name], by: number): void {
    if (this.accepts(by)) this.series.cell(labels as GivenLabels).value += by;
  }
}

export class Histogram<Name extends MetricName> extends Family<Name, HistogramCell> {
  #bounds: Float64Array | undefined;

  observe(labels: MetricLabels[Name], value: number, trace?: TraceReference): void {
    this.observeCell(this.cell(labels), value, trace);
  }

  /** The cell itself, for a caller that records into it often. One that is `shared` must not be kept, none past a reset. */
  cell(labels: MetricLabels[Name]): HistogramCell {
    return this.series.cell(labels as GivenLabels);
  }

  observeCell(cell: HistogramCell, value: number, trace?: TraceReference): void {
    if (!this.accepts(value)) return;
    const bucket = cell.observe(value);
    if (trace !== undefined) cell.exemplify(bucket, this.exemplar(trace, value));
  }

  /** Whether a value takes so long that it is shown with its trace. */
  isSlow(value: number): boolean {
    return value >= (this.row.exemplars?.slowSeconds ?? Number.POSITIVE_INFINITY);
  }

  protected make(labels: HistogramCell["labels"], shared: boolean): HistogramCell {
    this.#bounds ??= Float64Array.from(this.row.buckets ?? []);
    return new HistogramCell(labels, shared, this.#bounds);
  }

  protected expose(cell: HistogramCell): readonly ExposedValue[] {
    return exposeHistogram(cell, this.name);
  }
}

export type FamilyOf<Name extends MetricName> = {
  counter: Counter<Name>;
  gauge: Gauge<Name>;
  histogram: Histogram<Name>;
}[TypeOfMetric<Name>];
