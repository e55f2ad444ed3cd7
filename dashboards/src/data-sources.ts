/** Every data source that is provisioned, by what it is used for. */
export const DATA_SOURCES: Readonly<Record<DataSourceName, DataSource>> = {
  prometheus: { type: "prometheus", uid: "hookscope-prometheus", name: "Hookscope Prometheus", port: 9090 },
  jaeger: { type: "jaeger", uid: "hookscope-jaeger", name: "Hookscope Jaeger", port: 16686 },
  alertmanager: { type: "alertmanager", uid: "hookscope-alertmanager", name: "Hookscope Alertmanager", port: 9093 },
};

export type DataSourceName = "prometheus" | "jaeger" | "alertmanager";

export interface DataSource {
  readonly type: DataSourceName;
  readonly uid: string;
  readonly name: string;
  /** Where the compose stack has it, on the host named like its type. */
  readonly port: number;
}

/** How panels and variables refer to one. */
export function reference(name: DataSourceName): { readonly type: string; readonly uid: string } {
  const { type, uid } = DATA_SOURCES[name];
  return { type, uid };
}
