import { buildDashboard } from "../dashboard.ts";
import { DASHBOARDS } from "../dashboards/index.ts";
import { PLACES } from "../places.ts";
import { alertmanagerConfig } from "./alertmanager.ts";
import { grafanaAlerting } from "./grafana-alerting.ts";
import { grafanaDashboardProvider, grafanaDataSources } from "./grafana-provisioning.ts";
import { prometheusRules } from "./prometheus-rules.ts";
import { collectorScrapes, prometheusConfig } from "./prometheus.ts";

/** Every generated file: its path below `dashboards/generated`, and its content. */
export function generatedFiles(): Readonly<Record<string, string>> {
  return {
    ...Object.fromEntries(
      DASHBOARDS.map((spec) => [
        `grafana/dashboards/${PLACES[spec.place].uid}.json`,
        `${JSON.stringify(buildDashboard(spec), undefined, 2)}\n`,
      ]),
    ),
    "grafana/provisioning/datasources/hookscope.yaml": grafanaDataSources(),
    "grafana/provisioning/dashboards/hookscope.yaml": grafanaDashboardProvider(),
    "grafana/provisioning/alerting/hookscope.yaml": grafanaAlerting(),
    "prometheus/prometheus.yml": prometheusConfig(),
    ...collectorScrapes(),
    "prometheus/rules/hookscope.yml": prometheusRules(),
    "alertmanager/alertmanager.yml": alertmanagerConfig(),
  };
}
