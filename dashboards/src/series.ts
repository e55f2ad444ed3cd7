import type { AttributeKey } from "@hookscope/hooks";
import type { MetricLabels, MetricName, TypeOfMetric } from "@hookscope/metrics";

/** An attribute's name as the Collector writes it as a label. */
type LabelFromAttribute<Key extends string> = Key extends `${infer Head}.${infer Tail}`
  ? LabelFromAttribute<`${Head}_${Tail}`>
  : Key;
type LabelsFromAttributes<Key extends AttributeKey> = { [Name in Key as LabelFromAttribute<Name>]: string };

/** The attributes of which collector/collector.yaml makes labels. */
export type SpanDimension =
  | "gen_ai.tool.name"
  | "agent_tool.outcome"
  | "agent_tool.cause"
  | "agent_tool.blocked_by"
  | "agent_hook.point"
  | "agent_hook.name"
  | "agent_hook.execution"
  | "agent_hook.decision";

/** Series of others, as Prometheus stores them: what the Collector 0.161.0 says of itself and makes of spans. */
export interface OtherLabels {
  up: { readonly job: "hookscope" | "collector" | "span-metrics" | "jaeger" | "prometheus" | "alertmanager" };
  hookscope_span_calls_total: LabelsFromAttributes<SpanDimension> & { service_name: string };
  otelcol_receiver_accepted_spans_total: { receiver: string };
  otelcol_receiver_refused_spans_total: { receiver: string };
  otelcol_exporter_sent_spans_total: { exporter: string };
  otelcol_exporter_send_failed_spans_total: { exporter: string };
  otelcol_exporter_enqueue_failed_spans_total: { exporter: string };
  otelcol_exporter_queue_size: { exporter: string };
  otelcol_exporter_queue_capacity: { exporter: string };
}

interface AllLabels extends MetricLabels, OtherLabels {}

export type SeriesName = keyof AllLabels;
export type OwnLabel<Name extends SeriesName> = string extends keyof AllLabels[Name]
  ? never
  : Extract<keyof AllLabels[Name], string>;
/** Labels that the scrape adds; `service` is what Jaeger calls service too. */
export type TargetLabel = "service" | "instance";
export type LabelOf<Name extends SeriesName> = OwnLabel<Name> | TargetLabel;
export type ValueOf<Name extends SeriesName, Label> = Label extends keyof AllLabels[Name]
  ? Extract<AllLabels[Name][Label], string>
  : string;

export type CounterName = Extract<SeriesName, `${string}_total`>;
export type HistogramName = {
  [Name in MetricName]: TypeOfMetric<Name> extends "histogram" ? Name : never;
}[MetricName];
export type GaugeName = Exclude<SeriesName, CounterName | HistogramName>;
