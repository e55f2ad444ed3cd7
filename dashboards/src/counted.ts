import { METRICS, type MetricName } from "@hookscope/metrics";

import type { Expression } from "./promql.ts";
import { selector, type Duration, type Matchers } from "./selector.ts";
import type { CounterName, LabelOf, SeriesName } from "./series.ts";

export interface CountedRange<Name extends SeriesName> {
  readonly where?: Matchers<Name>;
  readonly window: Duration | "$__rate_interval" | "$__range";
}

/**
 * What was counted in the window. `increase` needs two values of a series, and so does not see its first appearance, nor
 * what a process that began anew had counted before it was first asked. These are counted whole:
 * - the series of a process that began to count in the window, or left its counts at a Pushgateway in it;
 * - a series with fewer samples in the window than its target has given: it was not there before.
 *
 * Where a series began anew in the window, `increase` has what it was before, too, and is more than the series.
 */
export function counted<Name extends CounterName>(
  name: Name,
  { where = {}, window }: CountedRange<Name>,
): Expression<LabelOf<Name>> {
  const now = selector(name, where);
  const perTarget = "on (job, instance)";
  const own = ownLabels(name);
  const samples =
    own === undefined ? `sum_over_time(up[${window}])` : `count_over_time(agent_turns_in_flight[${window}])`;
  const appeared = `(${now} and (count_over_time(${now}[${window}]) < ${perTarget} group_left () max by (job, instance) (${samples})))`;
  // A Pushgateway gives what several processes left there: they have their job and instance in common.
  const young = own === undefined ? [] : [`(${now} and ignoring (${own.join(", ")}) (${began(window)}))`];
  const risen = `increase(${now}[${window}])`;
  return raw(`(${[`(${risen} > ${now})`, ...young, appeared, risen].join(" or ")})`);
}

/** Processes that began to count in the window, and those whose counts a Pushgateway has only had since. */
function began(window: CountedRange<SeriesName>["window"]): string {
  return [
    `hookscope_start_timestamp_seconds > time() - ${secondsOf(window)}`,
    `changes(hookscope_start_timestamp_seconds[${window}]) > 0`,
    `(push_time_seconds unless push_time_seconds offset ${window})`,
  ].join(" or ");
}

/** How long Prometheus may have been away for `countedOrMissed` to see what was counted meanwhile. All of it is read each time. */
const AWAY: Duration = "1h";

/** The same, and what was counted while Prometheus, or the network, was away. */
export function countedOrMissed<Name extends CounterName>(
  name: Name,
  range: CountedRange<Name> & { readonly window: Duration },
): Expression<LabelOf<Name>> {
  const now = selector(name, range.where ?? {});
  const missed = `(${now} - last_over_time(${now}[${AWAY}] offset ${range.window}) > 0)`;
  return raw(`(${missed} or ${counted(name, range).text})`);
}

/** The labels of a metric of ours, each scrape of which has `agent_turns_in_flight` too; undefined for a series of others. */
function ownLabels(name: SeriesName): readonly string[] | undefined {
  return isOwnMetric(name) ? Object.keys(METRICS[name].labels) : undefined;
}

function isOwnMetric(name: SeriesName): name is MetricName {
  return Object.hasOwn(METRICS, name);
}

function secondsOf(window: CountedRange<SeriesName>["window"]): string {
  if (window === "$__range") return "$__range_s";
  if (window === "$__rate_interval") return "$__rate_interval_ms / 1000";
  const [, count = "", unit = ""] = /^(.*)([smhd])$/.exec(window) ?? [];
  return String(Number(count) * { s: 1, m: 60, h: 3_600, d: 86_400 }[unit as "s" | "m" | "h" | "d"]);
}

function raw<Label extends string>(text: string): Expression<Label> {
  return { text, labels: [] };
}
