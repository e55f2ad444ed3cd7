import { Registry, type Metric, type OpenMetricsContentType, type PrometheusContentType } from "prom-client";

import type { AnyRegistry } from "./cells/family.ts";

export type TextFormat = OpenMetricsContentType | PrometheusContentType;

export const OPEN_METRICS: OpenMetricsContentType = Registry.OPENMETRICS_CONTENT_TYPE;
export const PLAIN_TEXT: PrometheusContentType = Registry.PROMETHEUS_CONTENT_TYPE;

/** The text of a registry in either format, whichever the registry was made for; exemplars are in OpenMetrics only. */
export async function expose(registry: AnyRegistry, format: TextFormat): Promise<string> {
  if (registry.contentType === format) return registry.metrics();
  const view = new Registry<TextFormat>();
  view.setContentType(format);
  const metrics = await (registry as Registry).getMetricsAsJSON();
  for (const metric of metrics) view.registerMetric(reading(metric, format));
  return view.metrics();
}

type MetricAsJson = Awaited<ReturnType<Registry["getMetricsAsJSON"]>>[number];

/** A metric that was read already. prom-client names counters without `_total` in OpenMetrics and adds it to each line. */
function reading(metric: MetricAsJson, format: TextFormat): Metric {
  const isCounter = String(metric.type) === "counter";
  const bare = isCounter ? metric.name.replace(/_total$/, "") : metric.name;
  const name = isCounter && format === PLAIN_TEXT ? `${bare}_total` : bare;
  const read = { ...metric, name };
  return { ...read, get: async () => read } as unknown as Metric;
}

/**
 * The format a scraper prefers. OpenMetrics wins over plain text where both are wanted alike, because exemplars are only
 * in it. A scraper that says nothing, or only what we have not, gets plain text.
 */
export function preferredFormat(accept: string | undefined): TextFormat {
  let openMetrics = 0;
  let plain = 0;
  for (const range of (accept ?? "").toLowerCase().split(",")) {
    const [type = "", ...parameters] = range.split(";").map((part) => part.trim());
    const quality = qualityOf(parameters);
    if (type === "application/openmetrics-text" && takesVersion(parameters))
      openMetrics = Math.max(openMetrics, quality);
    if (type === "text/plain") plain = Math.max(plain, quality);
  }
  return openMetrics > 0 && openMetrics >= plain ? OPEN_METRICS : PLAIN_TEXT;
}

function qualityOf(parameters: readonly string[]): number {
  const given = parameters.find((parameter) => parameter.startsWith("q="));
  if (given === undefined) return 1;
  const quality = Number(given.slice("q=".length));
  return quality >= 0 && quality <= 1 ? quality : 0;
}

function takesVersion(parameters: readonly string[]): boolean {
  const version = parameters.find((parameter) => parameter.startsWith("version="));
  return version === undefined || version === "version=1.0.0";
}
