import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { poll } from "../../backends/poll.ts";
import { temporaryDirectory } from "../../backends/process.ts";
import {
  startAlertmanager,
  startCollector,
  startJaeger,
  startPrometheus,
  type Alertmanager,
  type Collector,
  type Jaeger,
  type Prometheus,
} from "../../backends/start.ts";
import type { FinishedTurn } from "../fixtures/traffic/protocol.ts";
import { PrometheusClient } from "./prometheus-client.ts";
import { startTraffic, type Traffic } from "./traffic-process.ts";

const root = join(import.meta.dirname, "../../..");
export const GENERATED: string = join(root, "dashboards/generated");

/** The compose stack's programs with its configuration files, but for Grafana, after several hundred turns. */
export interface Stack {
  readonly jaeger: Jaeger;
  readonly collector: Collector;
  readonly prometheus: PrometheusClient;
  readonly alertmanager: Alertmanager;
  readonly turns: readonly FinishedTurn[];
  /** When all of it had arrived, in seconds since the epoch. */
  readonly time: number;
  collectorLog(): Promise<string>;
  /** Of each program whether it still runs, and the end of its log. */
  describe(): readonly string[];
  /** Ends everything. */
  stop(): Promise<void>;
}

export async function startStack(): Promise<Stack> {
  const stops: (() => Promise<unknown>)[] = [];
  const programs: { describe(): string }[] = [];
  const describe = (): readonly string[] => programs.map((program) => program.describe());
  const stop = async (): Promise<void> => {
    for (const end of stops.toReversed()) await end();
  };
  try {
    const queue = await temporaryDirectory("queue");
    stops.push(() => queue.remove());
    const [jaeger, alertmanager] = await Promise.all([
      startJaeger({ config: join(root, "collector/jaeger.yaml") }),
      startAlertmanager({ config: join(GENERATED, "alertmanager/alertmanager.yml") }),
    ]);
    stops.push(() => Promise.all([jaeger.stop(), alertmanager.stop()]));
    programs.push(jaeger, alertmanager);
    const collector = await startCollector({
      config: join(root, "collector/collector.yaml"),
      env: { HOOKSCOPE_JAEGER: jaeger.otlpGrpcEndpoint, HOOKSCOPE_QUEUE: queue.path },
      writes: [queue.path],
    });
    stops.push(() => collector.stop());
    programs.push(collector);
    const traffic = await startTraffic(collector.otlpHttpUrl);
    stops.push(() => traffic.stop());
    const started = await startScraping({ jaeger, collector, alertmanager, traffic });
    stops.push(() => started.stop());
    programs.push(started);
    const prometheus = new PrometheusClient(started.url);
    await seenByPrometheus(prometheus, 'min(up{job=~"hookscope|collector|span-metrics|jaeger"}) == 1');
    const turns = await traffic.run();
    const total = `sum(agent_turns_total{subagent="false"}) >= ${turns.length}`;
    await seenByPrometheus(prometheus, total);
    const blocked = "sum(agent_tool_calls_blocked_total)";
    await seenByPrometheus(
      prometheus,
      `sum(hookscope_span_calls_total{agent_tool_outcome=~"blocked|denied"}) >= ${blocked}`,
    );
    const time = Date.now() / 1000;
    return {
      jaeger,
      collector,
      prometheus,
      alertmanager,
      turns,
      time,
      describe,
      collectorLog: () => readFile(collector.logFile, "utf8"),
      stop,
    };
  } catch (error) {
    const states = describe();
    await stop();
    throw new Error([String(error), ...states].join("\n\n"), { cause: error });
  }
}

interface Scraped {
  readonly jaeger: Jaeger;
  readonly collector: Collector;
  readonly alertmanager: Alertmanager;
  readonly traffic: Traffic;
}

/** The shipped configuration, with this run's addresses, and faster. */
function startScraping({ jaeger, collector, alertmanager, traffic }: Scraped): Promise<Prometheus> {
  return startPrometheus({
    config: join(GENERATED, "prometheus/prometheus.yml"),
    rules: [join(GENERATED, "prometheus/rules/hookscope.yml")],
    scrapes: {
      file: join(GENERATED, "prometheus/scrape/one-machine/collectors.yml"),
      replacements: {
        "collector:8888": hostOf(collector.metricsUrl),
        "collector:8889": hostOf(collector.prometheusUrl),
      },
    },
    replacements: {
      "scrape_interval: 15s": "scrape_interval: 1s",
      "evaluation_interval: 15s": "evaluation_interval: 1s",
      "hookscope:9464": hostOf(traffic.metricsUrl),
      "jaeger:8888": hostOf(jaeger.metricsUrl),
      "alertmanager:9093": alertmanager.address,
    },
  });
}

const hostOf = (url: string): string => new URL(url).host;

async function seenByPrometheus(prometheus: PrometheusClient, condition: string): Promise<void> {
  await poll(async () => ((await prometheus.query(condition)).length > 0 ? true : undefined), {
    intervalMs: 250,
    onTimeout: () => new Error(`Prometheus does not come to see: ${condition}`),
  });
}
