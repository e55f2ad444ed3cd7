import { stringify } from "yaml";

import { DATA_SOURCES, type DataSource, type DataSourceName } from "../data-sources.ts";
import { PLACES } from "../places.ts";
import { HEADER } from "./header.ts";

/** Grafana's data sources. In these values a `$` is written twice. */
export function grafanaDataSources(): string {
  const datasources = Object.values(DATA_SOURCES).map(({ type, uid, name, port }) => ({
    name,
    type,
    uid,
    access: "proxy",
    url: `http://${type}:${port}`,
    isDefault: type === "prometheus",
    editable: false,
    jsonData: SETTINGS[type],
  }));
  return HEADER + stringify({ apiVersion: 1, datasources }, { lineWidth: 0 });
}

const jaeger: DataSource = DATA_SOURCES.jaeger;

const SETTINGS: Readonly<Record<DataSourceName, object>> = {
  prometheus: {
    httpMethod: "POST",
    prometheusType: "Prometheus",
    timeInterval: "15s",
    // The first opens the trace in Grafana's own view of a trace, the second in the hook timeline.
    exemplarTraceIdDestinations: [
      { name: "trace_id", datasourceUid: jaeger.uid, urlDisplayLabel: "Trace" },
      {
        name: "trace_id",
        url: `/d/${PLACES.timeline.uid}?var-traceID=$\${__value.raw}`,
        urlDisplayLabel: "Hook timeline",
      },
    ],
  },
  jaeger: {
    nodeGraph: { enabled: false },
    traceIdTimeParams: { enabled: false },
    spanBar: { type: "Tag", tag: "agent_hook.decision" },
  },
  alertmanager: { implementation: "prometheus", handleGrafanaManagedAlerts: false },
};

/** Where Grafana finds the dashboards. */
export function grafanaDashboardProvider(): string {
  return (
    HEADER +
    stringify({
      apiVersion: 1,
      providers: [
        {
          name: "hookscope",
          orgId: 1,
          folder: "Hookscope",
          type: "file",
          disableDeletion: true,
          updateIntervalSeconds: 30,
          allowUiUpdates: false,
          options: { path: "/var/lib/grafana/dashboards/hookscope", foldersFromFilesStructure: false },
        },
      ],
    })
  );
}
