import { stringify } from "yaml";

import type { OtherLabels } from "../series.ts";
import { HEADER } from "./header.ts";

type Job = OtherLabels["up"]["job"];

/** What is scraped, where the compose stack has it; `service` is the name under which Jaeger knows it. */
const TARGETS: Readonly<Record<Job, { readonly target: string; readonly service?: string }>> = {
  hookscope: { target: "hookscope:9464", service: "hookscope" },
  collector: { target: "collector:8888" },
  "span-metrics": { target: "collector:8889" },
  jaeger: { target: "jaeger:8888" },
  prometheus: { target: "localhost:9090" },
  alertmanager: { target: "alertmanager:9093" },
};

/** Addresses for the links of alerts: where people reach Grafana, and where the runbooks are. */
const LINKS = { grafana: "http://localhost:3000", runbooks: "docs/runbooks" };

export function prometheusConfig(): string {
  const jobs = Object.entries(TARGETS);
  return (
    HEADER +
    "# Exemplars are stored with --enable-feature=exemplar-storage.\n" +
    stringify(
      {
        global: { scrape_interval: "15s", evaluation_interval: "15s", external_labels: LINKS },
        rule_files: ["rules/*.yml"],
        alerting: {
          // They are for the links only.
          alert_relabel_configs: [{ action: "labeldrop", regex: Object.keys(LINKS).join("|") }],
          alertmanagers: [{ static_configs: [{ targets: ["alertmanager:9093"] }] }],
        },
        scrape_configs: jobs.map(([job, { target, service }]) => ({
          job_name: job,
          static_configs: [{ targets: [target], ...(service === undefined ? {} : { labels: { service } }) }],
          ...(job === "span-metrics" ? { metric_relabel_configs: WITHOUT_THE_COLLECTORS_OWN } : {}),
        })),
      },
      { lineWidth: 0 },
    )
  );
}

/** A Collector that starts again has a new id; its series are the same ones. */
const WITHOUT_THE_COLLECTORS_OWN: readonly object[] = [
  { action: "labeldrop", regex: "collector_instance_id|otel_scope_.*|exported_job" },
];
