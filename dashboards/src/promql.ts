import type { CounterName, GaugeName, HistogramName, LabelOf, SeriesName, ValueOf } from "./series.ts";

/*
 * PromQL, computed from the metric definitions: a metric that is renamed, a label it does not have or a value it cannot
 * have does not compile.
 */

/** A query and the labels of its result. */
export interface Expression<Label extends string = string> {
  readonly text: string;
  readonly labels: readonly Label[];
}

/** A dashboard's variable, several values or All. */
export interface Variable {
  readonly variable: string;
}

export type Matcher<Value extends string> = Value | readonly Value[] | Variable | { readonly not: Value };
export type Matchers<Name extends SeriesName> = { readonly [Label in LabelOf<Name>]?: Matcher<ValueOf<Name, Label>> };

export type Duration = `${number}${"s" | "m" | "h" | "d"}`;
/** `$__rate_interval` fits the dashboard's step to the scrape interval; `$__range` is all the time that it shows. */
export type Window = Duration | "$__rate_interval" | "$__range";

export interface Range<Name extends SeriesName> {
  readonly where?: Matchers<Name>;
  /** `$__rate_interval` unless told. */
  readonly window?: Window;
  readonly offset?: Duration;
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

/**
 * What was counted in the window, the first appearance of a series included, which `increase` does not see. A series that
 * had not been there for an hour counts as new.
 */
export function counted<Name extends CounterName>(
  name: Name,
  { where = {}, window }: { readonly where?: Matchers<Name>; readonly window: Duration },
): Expression<LabelOf<Name>> {
  const now = selector(name, where);
  return raw(`((${now} unless last_over_time(${now}[1h] offset ${window})) or increase(${now}[${window}]))`);
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

export function variable(name: string): Variable {
  return { variable: name };
}

function raw<Label extends string>(text: string): Expression<Label> {
  return { text, labels: [] };
}

function aggregate<By extends string>(operator: string, text: string, by: readonly By[]): Expression<By> {
  return { text: by.length === 0 ? `${operator}(${text})` : `${operator} by (${by.join(", ")}) (${text})`, labels: by };
}

function overTime<Name extends SeriesName>(name: Name, range: Range<Name>, suffix = ""): string {
  const { where: matchers = {}, window = "$__rate_interval", offset } = range;
  return `${selector(name, matchers, suffix)}[${window}]${offset === undefined ? "" : ` offset ${offset}`}`;
}

function selector(name: string, matchers: object, suffix = ""): string {
  const entries = Object.entries(matchers) as [string, Matcher<string>][];
  return entries.length === 0 ? name + suffix : `${name}${suffix}{${entries.map(matcher).join(", ")}}`;
}

function matcher([label, value]: readonly [string, Matcher<string>]): string {
  if (typeof value === "string") return `${label}=${JSON.stringify(value)}`;
  if (isList(value)) return `${label}=~${JSON.stringify(value.join("|"))}`;
  return "not" in value ? `${label}!=${JSON.stringify(value.not)}` : `${label}=~"$${value.variable}"`;
}

function isList(value: Matcher<string>): value is readonly string[] {
  return Array.isArray(value);
}
