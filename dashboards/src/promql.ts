import { overTime, selector, type Duration, type Matchers, type Range } from "./selector.ts";
import type { CounterName, GaugeName, HistogramName, LabelOf, SeriesName } from "./series.ts";

/*
 * PromQL, computed from the metric definitions: a metric that is renamed, a label it does not have or a value it cannot
 * have does not compile.
 */

/** A query and the labels of its result. */
export interface Expression<Label extends string = string> {
  readonly text: string;
  readonly labels: readonly Label[];
}

export interface Grouped<Name extends SeriesName, Label extends LabelOf<Name>> extends Range<Name> {
  readonly by: readonly Label[];
}

/** The series as they are. */
export function series<Name extends GaugeName | CounterName>(
  name: Name,
  where: Matchers<Name> = {},
): Expression<LabelOf<Name>> {
  return raw(selector(name, where));
}

/** Per second. */
export function rate<Name extends CounterName>(name: Name, range: Range<Name> = {}): Expression<LabelOf<Name>> {
  return raw(`rate(${overTime(name, range)})`);
}

export function increase<Name extends CounterName>(name: Name, range: Range<Name> = {}): Expression<LabelOf<Name>> {
  return raw(`increase(${overTime(name, range)})`);
}

/** How often a histogram was observed, per second. */
export function observed<Name extends HistogramName>(name: Name, range: Range<Name> = {}): Expression<LabelOf<Name>> {
  return raw(`rate(${overTime(name, range, "_count")})`);
}

/** What a histogram's observations add up to, per second. */
export function total<Name extends HistogramName>(name: Name, range: Range<Name> = {}): Expression<LabelOf<Name>> {
  return raw(`rate(${overTime(name, range, "_sum")})`);
}

/** A histogram's buckets, for a heatmap. */
export function buckets<Name extends HistogramName>(name: Name, range: Range<Name> = {}): Expression<"le"> {
  return { text: `sum by (le) (increase(${overTime(name, range, "_bucket")}))`, labels: ["le"] };
}

/** The value below which the share `q` of the observations lie. */
export function quantile<Name extends HistogramName, Label extends LabelOf<Name>>(
  q: number,
  name: Name,
  { by, ...range }: Grouped<Name, Label>,
): Expression<Label> {
  const groups = ["le", ...by].join(", ");
  const text = `histogram_quantile(${q}, sum by (${groups}) (rate(${overTime(name, range, "_bucket")})))`;
  return { text, labels: by };
}

export function mean<Name extends HistogramName, Label extends LabelOf<Name>>(
  name: Name,
  { by, ...range }: Grouped<Name, Label>,
): Expression<Label> {
  return divide(sum(total(name, range), by), sum(observed(name, range), by));
}

export function sum<Label extends string, By extends Label>(
  { text }: Expression<Label>,
  by: readonly By[],
): Expression<By> {
  return aggregate("sum", text, by);
}

export function max<Label extends string, By extends Label>(
  { text }: Expression<Label>,
  by: readonly By[],
): Expression<By> {
  return aggregate("max", text, by);
}

export function min<Label extends string, By extends Label>(
  { text }: Expression<Label>,
  by: readonly By[],
): Expression<By> {
  return aggregate("min", text, by);
}

export function topk<Label extends string>(count: number, { text, labels }: Expression<Label>): Expression<Label> {
  return { text: `topk(${count}, ${text})`, labels };
}

/** Of expressions with the same labels. What is divided by 0 is left out. */
export function divide<Label extends string>(
  { text, labels }: Expression<Label>,
  by: Expression<NoInfer<Label>>,
): Expression<Label> {
  return { text: `${text} / (${by.text} > 0)`, labels };
}

export function times<Label extends string>({ text, labels }: Expression<Label>, factor: number): Expression<Label> {
  return { text: `${factor} * ${text}`, labels };
}

/** The series for which it holds. */
export function where<Label extends string>(
  { text, labels }: Expression<Label>,
  comparison: ">" | ">=" | "<" | "==" | "> bool",
  than: number | Expression<NoInfer<Label>>,
): Expression<Label> {
  return { text: `${text} ${comparison} ${typeof than === "number" ? than : `(${than.text})`}`, labels };
}

/** Without the series that have no value, since nothing was observed: a quantile of nothing is not a number. */
export function happened<Label extends string>(expression: Expression<Label>): Expression<Label> {
  return where(expression, ">=", 0);
}

export function and<Label extends string>(
  left: Expression<Label>,
  right: Expression<NoInfer<Label>>,
): Expression<Label> {
  return { text: `(${left.text}) and (${right.text})`, labels: left.labels };
}

export function or<Label extends string>(
  left: Expression<Label>,
  right: Expression<NoInfer<Label>>,
): Expression<Label> {
  return { text: `(${left.text}) or (${right.text})`, labels: left.labels };
}

/** 0 where there is nothing yet. */
export function orZero({ text }: Expression<never>): Expression<never> {
  return { text: `(${text}) or vector(0)`, labels: [] };
}

/** How much a gauge has risen in the window above its lowest value there. */
export function rise<Name extends GaugeName, Label extends LabelOf<Name>>(
  name: Name,
  by: readonly Label[],
  window: Duration,
): Expression<Label> {
  const now = selector(name, {});
  return { text: `max by (${by.join(", ")}) (${now} - min_over_time(${now}[${window}]))`, labels: by };
}

/** 1 where no such series is there. */
export function absent<Name extends GaugeName>(name: Name, matchers: Matchers<Name>): Expression<LabelOf<Name>> {
  return raw(`absent(${selector(name, matchers)})`);
}

/** Summed by these labels, each under a new name. */
export function rename<Label extends string, New extends string>(
  { text }: Expression<Label>,
  names: { readonly [To in New]: Label },
): Expression<New> {
  const entries = Object.entries<Label>(names);
  const renamed = entries.reduce(
    (inner, [to, from]) => `label_replace(${inner}, "${to}", "$1", "${from}", "(.*)")`,
    text,
  );
  return aggregate("sum", renamed, Object.keys(names) as New[]);
}

function raw<Label extends string>(text: string): Expression<Label> {
  return { text, labels: [] };
}

function aggregate<By extends string>(operator: string, text: string, by: readonly By[]): Expression<By> {
  return { text: by.length === 0 ? `${operator}(${text})` : `${operator} by (${by.join(", ")}) (${text})`, labels: by };
}
