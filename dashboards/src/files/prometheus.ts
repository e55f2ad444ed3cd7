import { stringify } from "yaml";

import type { OtherLabels } from "../series.ts";
import { HEADER } from "./header.ts";

type Job = OtherLabels["up"]["job"];

/** What is scraped, where the compose stack has it; `service` is the name under which Jaeger knows it. */
const TARGETS: Readonly<Record<Exclude<Job, CollectorJob>, Target>> = {
  hookscope: { target: "hookscope:9464", service: "hookscope" },
  jaeger: { target: "jaeger:8888" },
  prometheus: { target: "localhost:9090" },
  alertmanager: { target: "alertmanager:9093" },
};

interface Target {
  readonly target: string;
  readonly service?: string;
}

type CollectorJob = "collector" | "span-metrics";

/** The Collectors that a kind of deployment has: all of them, and those that make metrics of spans. */
const COLLECTORS: Readonly<Record<"one-machine" | "many-machines", Readonly<Record<CollectorJob, readonly string[]>>>> =
  {
    "one-machine": { collector: ["collector:8888"], "span-metrics": ["collector:8889"] },
    "many-machines": {
      collector: ["agent:8888", "gateway-1:8888", "gateway-2:8888"],
      "span-metrics": ["gateway-1:8889", "gateway-2:8889"],
    },
  };

/** The files that `scrape_config_files` reads, by their path. */
export function collectorScrapes(): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(COLLECTORS).map(([kind, jobs]) => {
      const configs = Object.entries(jobs).map(([job, targets]) => ({
        job_name: job,
        static_configs: [{ targets }],
        ...(job === "span-metrics" ? { metric_relabel_configs: WITHOUT_THE_COLLECTORS_OWN } : {}),
      }));
      return [
        `prometheus/scrape/${kind}/collectors.yml`,
        HEADER + stringify({ scrape_configs: configs }, { lineWidth: 0 }),
      ];
    }),
  );
}

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
        // One folder for one machine, another for many; and one for what users add.
        scrape_config_files: ["scrape/*.yml", "own/*.yml"],
        scrape_configs: jobs.map(([job, { target, service }]) => ({
          job_name: job,
          static_configs: [{ targets: [target], ...(service === undefined ? {} : { labels: { service } }) }],
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
