import { mkdir } from "node:fs/promises";
import { basename, join } from "node:path";
import { copyConfig, type Replacements } from "./config-copy.ts";
import { startInstance } from "./instance.ts";
import { BACKENDS } from "./table.ts";

interface Started {
  /** Both output streams of the program. Gone after `stop`. */
  readonly logFile: string;
  /** Ends the program and removes what it wrote. */
  stop(): Promise<void>;
  /** Whether it still runs, and the end of its log: for an error. */
  describe(): string;
}

export interface Jaeger extends Started {
  /** Base URL for OTLP over HTTP; traces go to `/v1/traces` under it. */
  readonly otlpHttpUrl: string;
  /** `host:port` for OTLP over gRPC, without TLS. */
  readonly otlpGrpcEndpoint: string;
  /** Base URL of the query API (`/api/traces`, `/api/v3/traces`). */
  readonly queryUrl: string;
  /** Jaeger's own metrics, for a scraper. */
  readonly metricsUrl: string;
}

export interface JaegerOptions {
  /** Shipped configuration files, merged in this order; one with traces in memory where it is left out. */
  readonly config?: string | readonly string[];
  /** Variables that the configuration refers to as `${env:NAME}`. */
  readonly env?: Readonly<Record<string, string>>;
  /** Folders that the configuration writes to. */
  readonly writes?: readonly string[];
}

/** Starts Jaeger, with every listener moved to a free loopback port. */
export async function startJaeger(options: JaegerOptions = {}): Promise<Jaeger> {
  const configs = [options.config ?? join(BACKENDS.jaeger.directory, "config.yaml")].flat();
  const { ports, ...started } = await startInstance({
    backend: "jaeger",
    ports: ["otlpHttp", "otlpGrpc", "queryHttp", "queryGrpc", "health", "metrics"],
    invocation: async (port) => ({
      args: [
        ...configs.map((file) => `--config=file:${file}`),
        ...[
          `receivers::otlp::protocols::http::endpoint: 127.0.0.1:${port.otlpHttp}`,
          `receivers::otlp::protocols::grpc::endpoint: 127.0.0.1:${port.otlpGrpc}`,
          `extensions::jaeger_query::http::endpoint: 127.0.0.1:${port.queryHttp}`,
          `extensions::jaeger_query::grpc::endpoint: 127.0.0.1:${port.queryGrpc}`,
          `extensions::healthcheckv2::http::endpoint: 127.0.0.1:${port.health}`,
          ownMetricsAt(port.metrics),
        ].map((setting) => `--config=yaml:${setting}`),
      ],
      env: options.env ?? {},
      reads: configs,
      writes: options.writes ?? [],
      readyUrl: `${loopback(port.health)}/status`,
    }),
  });
  return {
    ...started,
    otlpHttpUrl: loopback(ports.otlpHttp),
    otlpGrpcEndpoint: `127.0.0.1:${ports.otlpGrpc}`,
    queryUrl: loopback(ports.queryHttp),
    metricsUrl: `${loopback(ports.metrics)}/metrics`,
  };
}

export interface CollectorOptions {
  /** Configuration files, merged in this order. Each needs the receiver `otlp` and the extension `health_check`. */
  readonly config: string | readonly string[];
  /** Variables that the configuration refers to as `${env:NAME}`. */
  readonly env?: Readonly<Record<string, string>>;
  /** Further settings, merged last: `"exporters::otlp_http::endpoint: http://127.0.0.1:4318"`. */
  readonly overrides?: readonly string[];
  /** Paths that the configuration writes to: queues on disk, files. */
  readonly writes?: readonly string[];
}

export interface Collector extends Started {
  readonly otlpHttpUrl: string;
  readonly otlpGrpcEndpoint: string;
  /** What the `prometheus` exporter offers to a scraper, where the configuration uses one. */
  readonly prometheusUrl: string;
  /** The collector's own metrics. */
  readonly metricsUrl: string;
}

/** Starts the Collector from shipped configuration files, with every listener moved to a free loopback port. */
export async function startCollector(options: CollectorOptions): Promise<Collector> {
  const configs = [options.config].flat();
  const { ports, ...started } = await startInstance({
    backend: "collector",
    ports: ["otlpHttp", "otlpGrpc", "health", "prometheus", "metrics"],
    invocation: async (port) => ({
      args: [
        ...configs.map((file) => `--config=file:${file}`),
        ...[
          `receivers::otlp::protocols::http::endpoint: 127.0.0.1:${port.otlpHttp}`,
          `receivers::otlp::protocols::grpc::endpoint: 127.0.0.1:${port.otlpGrpc}`,
          `extensions::health_check::endpoint: 127.0.0.1:${port.health}`,
          `exporters::prometheus::endpoint: 127.0.0.1:${port.prometheus}`,
          ownMetricsAt(port.metrics),
          ...(options.overrides ?? []),
        ].map((setting) => `--config=yaml:${setting}`),
      ],
      env: options.env ?? {},
      reads: configs,
      writes: options.writes ?? [],
      readyUrl: `${loopback(port.health)}/`,
    }),
  });
  return {
    ...started,
    otlpHttpUrl: loopback(ports.otlpHttp),
    otlpGrpcEndpoint: `127.0.0.1:${ports.otlpGrpc}`,
    prometheusUrl: `${loopback(ports.prometheus)}/metrics`,
    metricsUrl: `${loopback(ports.metrics)}/metrics`,
  };
}

export interface PrometheusOptions {
  /** Path of a prometheus.yml. */
  readonly config: string;
  /** Rule files. They are put into `rules/` beside the configuration. */
  readonly rules?: readonly string[];
  /** A scrape configuration file. It is put into `scrape/` beside the configuration. */
  readonly scrapes?: { readonly file: string; readonly replacements?: Replacements };
  /** Texts to replace in the configuration, such as `{ "hookscope:9464": "127.0.0.1:41234" }`. */
  readonly replacements?: Replacements;
}

export interface Prometheus extends Started {
  /** Base URL of the API (`/api/v1/query`). */
  readonly url: string;
}

/** Starts Prometheus, with exemplars stored. */
export async function startPrometheus(options: PrometheusOptions): Promise<Prometheus> {
  const { ports, ...started } = await startInstance({
    backend: "prometheus",
    ports: ["http"],
    invocation: async (port, directory) => {
      const config = join(directory, "prometheus.yml");
      await copyConfig(options.config, config, options.replacements);
      await mkdir(join(directory, "rules"));
      for (const rules of options.rules ?? []) await copyConfig(rules, join(directory, "rules", basename(rules)));
      const { scrapes } = options;
      await mkdir(join(directory, "scrape"));
      if (scrapes)
        await copyConfig(scrapes.file, join(directory, "scrape", basename(scrapes.file)), scrapes.replacements);
      return {
        args: [
          `--config.file=${config}`,
          `--storage.tsdb.path=${join(directory, "data")}`,
          `--web.listen-address=127.0.0.1:${port.http}`,
          "--enable-feature=exemplar-storage",
        ],
        readyUrl: `${loopback(port.http)}/-/ready`,
      };
    },
  });
  return { ...started, url: loopback(ports.http) };
}

export interface AlertmanagerOptions {
  /** Path of an alertmanager.yml. */
  readonly config: string;
  /** Texts to replace in the configuration. */
  readonly replacements?: Replacements;
}

export interface Alertmanager extends Started {
  /** Base URL of the API (`/api/v2/alerts`). */
  readonly url: string;
  /** `host:port` for Prometheus's `alerting` section. */
  readonly address: string;
}

/** Starts one Alertmanager, without its cluster. */
export async function startAlertmanager(options: AlertmanagerOptions): Promise<Alertmanager> {
  const { ports, ...started } = await startInstance({
    backend: "alertmanager",
    ports: ["http"],
    invocation: async (port, directory) => {
      const config = join(directory, "alertmanager.yml");
      await copyConfig(options.config, config, options.replacements);
      return {
        args: [
          `--config.file=${config}`,
          `--storage.path=${join(directory, "data")}`,
          `--web.listen-address=127.0.0.1:${port.http}`,
          "--cluster.listen-address=",
        ],
        readyUrl: `${loopback(port.http)}/-/ready`,
      };
    },
  });
  return { ...started, url: loopback(ports.http), address: `127.0.0.1:${ports.http}` };
}

function ownMetricsAt(port: number): string {
  return `service::telemetry::metrics::readers: [{pull: {exporter: {prometheus: {host: 127.0.0.1, port: ${port}}}}}]`;
}

function loopback(port: number): string {
  return `http://127.0.0.1:${port}`;
}
