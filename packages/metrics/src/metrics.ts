import { createSystemClock, type Clock, type Hook, type HookBus, type Logger } from "@hookscope/hooks";
import { Registry, type OpenMetricsContentType } from "prom-client";

import type { AnyRegistry } from "./cells/family.ts";
import { checkBudgets, type BudgetOptions } from "./cost/budget.ts";
import { Budgets, type BudgetCheck } from "./cost/budgets.ts";
import { createCostHook, type PriceAdvice } from "./cost/cost-hook.ts";
import type { Ledger } from "./cost/ledger.ts";
import { Prices, type PriceTable } from "./cost/prices.ts";
import { SessionRoots } from "./cost/session-roots.ts";
import { MetricsError } from "./errors.ts";
import { expose, OPEN_METRICS, preferredFormat } from "./exposition.ts";
import { createFamilies, type Families } from "./families.ts";
import { Once, stderrLogger } from "./once.ts";
import { BusObserver } from "./record/bus-observer.ts";
import { Exemplars } from "./record/exemplars.ts";
import { observeExport, type ExportSource } from "./record/export.ts";
import { observeStart } from "./record/start.ts";
import { KnownTools } from "./record/tools.ts";
import { createUsageHook } from "./record/usage-hook.ts";
import { joinCluster } from "./serve/cluster.ts";
import type { ServeOptions } from "./serve/options.ts";
import { push, type PushOptions } from "./serve/push.ts";
import { serveMetrics, type MetricsServer } from "./serve/server.ts";

export interface MetricsOptions {
  /** Where the metrics are registered; a new one for OpenMetrics when absent. */
  readonly registry?: AnyRegistry;
  /** Prices of models that have none bundled, or other ones. */
  readonly prices?: PriceTable;
  /** Ends the warning about a model without a price: where to write one. Default: in the option `prices`. */
  readonly priceAdvice?: PriceAdvice;
  /** The most series of one metric; 1,000. Further ones become `__other__`. */
  readonly maxSeries?: number;
  readonly budgets?: readonly BudgetOptions[];
  /** Where cost is kept across restarts: `createLedger({ path })`. Its owner closes it. */
  readonly ledger?: Ledger;
  /**
   * Where turns are sampled: `(traceId) => telemetry.keepsTrace(traceId)`. Exemplars of what keeps no turn by itself, such
   * as a tool that failed, then have a trace that is kept. Without: every trace is taken to be kept.
   */
  readonly keepsTrace?: (traceId: string) => boolean;
  readonly logger?: Logger;
  readonly clock?: Clock;
}

export interface Metrics {
  /** `usage`, `cost`, and with budgets the policy `budget`: for `createHookBus({ hooks })`. */
  readonly hooks: readonly Hook[];
  readonly registry: AnyRegistry;
  /** Every metric, to record into. */
  readonly families: Families;
  readonly budget: BudgetCheck;
  /** Counts a bus's invocations and reads its registrations at each scrape. Gives back its own end. */
  observe(bus: HookBus): () => void;
  /** Spans dropped and waiting, read at each scrape. Gives back its own end. */
  observeExport(source: ExportSource): () => void;
  /** Starts the series of these tools at 0, so that a first block is an increase that an alert sees. */
  registerTools(tools: readonly string[], options?: { readonly agent?: string }): void;
  modLoadFailed(mod: string): void;
  /** @throws MetricsError METRICS_OPTION_INVALID, METRICS_PORT_IN_USE, METRICS_LISTEN_FAILED */
  serve(options?: ServeOptions): Promise<MetricsServer>;
  /** @throws MetricsError METRICS_OPTION_INVALID, METRICS_PUSH_FAILED */
  push(options: PushOptions): Promise<void>;
  /** Lets the primary process of a cluster gather this worker's metrics. @throws MetricsError METRICS_NOT_IN_CLUSTER */
  joinCluster(): void;
  /** Stops observing and closes what `serve` opened. */
  close(): Promise<void>;
}

const DEFAULT_MAX_SERIES = 1_000;

/** @throws MetricsError METRICS_OPTION_INVALID, METRICS_PRICES_INVALID, METRICS_BUDGET_INVALID, METRICS_NAME_TAKEN */
export function createMetrics(options: MetricsOptions = {}): Metrics {
  const { maxSeries = DEFAULT_MAX_SERIES, ledger } = options;
  if (!Number.isInteger(maxSeries) || maxSeries < 1) {
    throw new MetricsError("METRICS_OPTION_INVALID", `maxSeries is ${maxSeries}; it must be a whole number above 0.`);
  }
  const prices = new Prices(options.prices);
  const checkedBudgets = checkBudgets(options.budgets ?? []);
  const clock = options.clock ?? createSystemClock();
  const once = new Once(options.logger ?? stderrLogger);
  const registry = options.registry ?? openMetricsRegistry();
  const families: Families = createFamilies(registry, {
    registry,
    maxSeries,
    now: () => clock.now(),
    refused(metric, value) {
      families.hookscope_values_refused_total.add({ metric });
      once.warn(
        `refused ${metric}`,
        `${metric} was given ${String(value)}, which is refused; further ones are only counted.`,
      );
    },
    overflowed(metric) {
      if (metric === "hookscope_series_overflow_total") return;
      families.hookscope_series_overflow_total.add({ metric });
      once.warn(
        `overflow ${metric}`,
        `${metric} has ${maxSeries} series, the most it may have; further ones are __other__.`,
      );
    },
  });
  observeStart(families, clock);
  const exemplars = new Exemplars(options.keepsTrace ?? (() => true));
  const buses = new BusObserver(families, exemplars);
  const tools = new KnownTools(families, buses);
  const roots = new SessionRoots();
  const budgets = new Budgets(checkedBudgets, { ledger, roots, clock, once, families });
  const servers = new Set<MetricsServer>();
  return {
    hooks: [
      createUsageHook(families, exemplars, tools, clock),
      createCostHook({ families, prices, budgets, roots, ledger, clock, once, priceAdvice: options.priceAdvice }),
      ...(checkedBudgets.length > 0 ? [budgets.hook()] : []),
    ],
    registry,
    families,
    budget: budgets,
    observe: (bus) => buses.observe(bus),
    observeExport: (source) => observeExport(families, source),
    registerTools: (names, { agent = "agent" } = {}) => tools.register(names, agent),
    modLoadFailed: (mod) => families.agent_mod_load_failures_total.add({ mod }),
    async serve(serveOptions = {}) {
      const page = async (accept: string | undefined): Promise<{ contentType: string; text: string }> => {
        const contentType = preferredFormat(accept);
        return { contentType, text: await expose(registry, contentType) };
      };
      const server = await serveMetrics(serveOptions, page, once);
      servers.add(server);
      return server;
    },
    push: (pushOptions) => push(registry, pushOptions),
    joinCluster: () => joinCluster(registry),
    async close() {
      buses.end();
      await Promise.all([...servers].map((server) => server.close()));
    },
  };
}

function openMetricsRegistry(): Registry<OpenMetricsContentType> {
  const registry = new Registry<OpenMetricsContentType>();
  registry.setContentType(OPEN_METRICS);
  return registry;
}
