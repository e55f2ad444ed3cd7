import cluster, { type Worker } from "node:cluster";

import { AggregatorRegistry, type Registry } from "prom-client";

import type { Once } from "../once.ts";

type MetricsAsJson = Awaited<ReturnType<Registry["getMetricsAsJSON"]>>;

/**
 * The sum of what the workers of a cluster have counted. What a worker that is gone had counted at the last scrape stays
 * in it: a sum that falls reads as a counter that began anew, and everything in it as calls just made. A worker that does
 * not answer counts with what it said last.
 */
export class ClusterMetrics {
  readonly #gatherer = new AggregatorRegistry();
  readonly #once: Once;
  /** By worker: the metrics of each of its registries. */
  readonly #latest = new Map<number, readonly MetricsAsJson[]>();
  #gone: MetricsAsJson = [];

  constructor(once: Once) {
    this.#once = once;
    cluster.on("message", this.#onMessage);
    cluster.on("exit", this.#onExit);
  }

  async text(): Promise<string> {
    try {
      await this.#gatherer.clusterMetrics();
    } catch (error) {
      this.#once.warn("workers", `a worker did not give its metrics, so its latest ones are served: ${String(error)}`);
    }
    return AggregatorRegistry.aggregate([...this.#latest.values()].flat().concat([this.#gone])).metrics();
  }

  stop(): void {
    cluster.off("message", this.#onMessage);
    cluster.off("exit", this.#onExit);
  }

  readonly #onMessage = (worker: Worker, message: unknown): void => {
    // What arrives after its end would be counted with what stays of it.
    if (isAnswer(message) && !worker.isDead()) this.#latest.set(worker.id, message.metrics);
  };

  readonly #onExit = ({ id }: Worker): void => {
    const counted = (this.#latest.get(id) ?? []).map((metrics) => metrics.filter(isCounted));
    this.#latest.delete(id);
    // The same objects as in JSON: an aggregated metric has its values as a property.
    this.#gone = AggregatorRegistry.aggregate([...counted, this.#gone]).getMetricsAsArray() as unknown as MetricsAsJson;
  };
}

/** How a worker's prom-client answers the primary process. */
interface Answer {
  readonly type: "prom-client:getMetricsRes";
  readonly metrics: readonly MetricsAsJson[];
}

function isAnswer(message: unknown): message is Answer {
  const { type, metrics } = (message ?? {}) as Partial<Answer>;
  return type === "prom-client:getMetricsRes" && Array.isArray(metrics);
}

/** A gauge says what is now, and a worker that is gone has no now. */
function isCounted({ type, aggregator }: MetricsAsJson[number]): boolean {
  return ["counter", "histogram"].includes(String(type)) && aggregator === "sum";
}
