import cluster from "node:cluster";

import type { Logger } from "@hookscope/hooks";
import { AggregatorRegistry } from "prom-client";

import type { AnyRegistry } from "../cells/family.ts";
import { MetricsError } from "../errors.ts";
import { PLAIN_TEXT } from "../exposition.ts";
import { Once, stderrLogger } from "../once.ts";
import { ClusterMetrics } from "./cluster-metrics.ts";
import type { ServeOptions } from "./options.ts";
import { serveMetrics, type MetricsServer, type Page } from "./server.ts";

export interface ServeClusterOptions extends ServeOptions {
  readonly logger?: Logger;
}

/**
 * For the primary process of a cluster: serves the sum of what its workers have counted, in which each worker has called
 * `metrics.joinCluster()`. What a worker that ends has counted since the last scrape is not in it. Sums have no exemplars,
 * so this is plain text.
 *
 * @throws MetricsError METRICS_NOT_IN_CLUSTER, METRICS_OPTION_INVALID, METRICS_PORT_IN_USE, METRICS_LISTEN_FAILED
 */
export async function serveCluster({
  logger = stderrLogger,
  ...options
}: ServeClusterOptions = {}): Promise<MetricsServer> {
  if (!cluster.isPrimary) {
    throw new MetricsError("METRICS_NOT_IN_CLUSTER", "serveCluster is for the primary process; this is a worker.");
  }
  const once = new Once(logger);
  const workers = new ClusterMetrics(once);
  const page = async (): Promise<Page> => ({ contentType: PLAIN_TEXT, text: await workers.text() });
  try {
    const server = await serveMetrics(options, page, once);
    return { ...server, close: () => server.close().finally(() => workers.stop()) };
  } catch (error) {
    workers.stop();
    throw error;
  }
}

/** @throws MetricsError METRICS_NOT_IN_CLUSTER */
export function joinCluster(registry: AnyRegistry): void {
  if (!cluster.isWorker) {
    throw new MetricsError(
      "METRICS_NOT_IN_CLUSTER",
      "joinCluster is for a worker of node:cluster, whose primary process calls serveCluster; this is no worker.",
    );
  }
  AggregatorRegistry.setRegistries(registry);
  // Making one is what lets this worker answer the primary process.
  void new AggregatorRegistry();
}
