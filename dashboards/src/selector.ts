import type { LabelOf, SeriesName, ValueOf } from "./series.ts";

/** A dashboard's variable, several values or All. */
export interface Variable {
  readonly variable: string;
}

export function variable(name: string): Variable {
  return { variable: name };
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

/** A series by its name and labels, over a window. */
export function overTime<Name extends SeriesName>(name: Name, range: Range<Name>, suffix = ""): string {
  const { where: matchers = {}, window = "$__rate_interval", offset } = range;
  return `${selector(name, matchers, suffix)}[${window}]${offset === undefined ? "" : ` offset ${offset}`}`;
}

export function selector(name: string, matchers: object, suffix = ""): string {
  const entries = Object.entries(matchers) as [string, Matcher<string>][];
  return entries.length === 0 ? name + suffix : `${name}${suffix}{${entries.map(matcher).join(", ")}}`;
}

/** Between backquotes only the regular expression is escaped, which Grafana does: names may hold quotes and backslashes. */
function matcher([label, value]: readonly [string, Matcher<string>]): string {
  if (typeof value === "string") return `${label}=${JSON.stringify(value)}`;
  if (isList(value)) return `${label}=~${JSON.stringify(value.join("|"))}`;
  return "not" in value ? `${label}!=${JSON.stringify(value.not)}` : `${label}=~\`\${${value.variable}:regex}\``;
}

function isList(value: Matcher<string>): value is readonly string[] {
  return Array.isArray(value);
}
