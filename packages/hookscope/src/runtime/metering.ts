import type { HookBus } from "@hookscope/hooks";
import {
  createMetrics,
  type BudgetOptions,
  type Ledger,
  type Metrics,
  type MetricsOptions,
  type ModelPrice,
  type PriceTable,
} from "@hookscope/metrics";

import type { Config } from "../config/config.ts";
import type { BudgetSettings } from "../config/settings.ts";
import { withoutUndefined } from "../config/without-undefined.ts";
import { codeOf, errorLine } from "../errors.ts";
import type { Recording } from "../recording.ts";

/** `--metrics-port`, `--metrics-host`, `--metrics-push`. */
export interface MetricsFlags {
  readonly metricsPush?: string;
  readonly metricsPort?: number;
  readonly metricsHost?: string;
}

export interface MeteringRequest {
  readonly config: Config;
  readonly flags: MetricsFlags;
  readonly recording: Pick<Recording, "telemetry" | "logger" | "say">;
  readonly ledger: Ledger | undefined;
  /** Beside those of the file, which win. */
  readonly prices?: PriceTable;
}

/** Metrics for as long as a command runs. */
export interface Metering {
  readonly metrics: Metrics;
  /** Registers the exporters behind what the bus has, and counts its invocations. */
  watch(bus: HookBus, turns: { readonly agent: string; readonly tools: readonly string[] }): void;
  close(): Promise<void>;
}

/** @throws MetricsError for prices and budgets that cannot be used, METRICS_PORT_IN_USE, METRICS_LISTEN_FAILED */
export async function startMetering(request: MeteringRequest): Promise<Metering> {
  const address = metricsAddress(request.config, request.flags);
  const metering = pushedAtTheEnd(createMetering(request), request);
  if (address === undefined) return metering;
  try {
    const { url } = await metering.metrics.serve(address);
    request.recording.say(`Metrics: ${url}`);
  } catch (error) {
    // The file's port is that of every command here: a second one at the same time must still run.
    if (request.flags.metricsPort !== undefined || codeOf(error) !== "METRICS_PORT_IN_USE") throw error;
    request.recording.say(`hookscope: ${errorLine(error)} This command's metrics are not served.`);
  }
  return metering;
}

/** A command too short to be scraped leaves its metrics at a Pushgateway. One that cannot be reached fails no turn. */
function pushedAtTheEnd(metering: Metering, { config, flags, recording }: MeteringRequest): Metering {
  const gateway = gatewayOf(config, flags);
  if (gateway === undefined) return metering;
  return {
    ...metering,
    async close() {
      await metering.metrics.push({ gateway }).catch((error: unknown) => {
        recording.say(`hookscope: ${errorLine(error)}`);
      });
      await metering.close();
    },
  };
}

function gatewayOf({ settings }: Config, flags: MetricsFlags): string | undefined {
  return flags.metricsPush ?? settings.metrics?.push;
}

/** The same, with nothing served or pushed yet. */
export function createMetering(request: MeteringRequest): Metering {
  const { config, flags, recording, ledger } = request;
  const { prices = {}, budgets = [] } = config.settings.metrics ?? {};
  const metrics = createMetrics({
    prices: { ...request.prices, ...priceTable(prices) },
    priceAdvice,
    budgets: budgets.map(budgetOptions),
    logger: recording.logger,
    keepsTrace: (traceId) => recording.telemetry.keepsTrace(traceId),
    ...(ledger === undefined ? {} : { ledger }),
  });
  metrics.observeExport(recording.telemetry);
  const isRead = metricsAddress(config, flags) !== undefined || gatewayOf(config, flags) !== undefined;
  return {
    metrics,
    watch(bus, { agent, tools }) {
      // `usage` feeds the metrics alone: where nobody can read them, it would be work for nothing.
      for (const hook of metrics.hooks) if (isRead || hook.name !== "usage") bus.register(hook);
      metrics.observe(bus);
      metrics.registerTools(tools, { agent });
    },
    async close() {
      await metrics.close();
      ledger?.close();
    },
  };
}

/** Where metrics are to be served; undefined: nowhere. */
export function metricsAddress(
  { settings, metricsToken: token }: Config,
  flags: MetricsFlags,
): { readonly host: string; readonly port: number; readonly token?: string } | undefined {
  const port = flags.metricsPort ?? settings.metrics?.port;
  if (port === undefined) return undefined;
  const host = flags.metricsHost ?? settings.metrics?.host ?? "127.0.0.1";
  return { port, host, ...(token === undefined ? {} : { token }) };
}

function priceTable(prices: NonNullable<NonNullable<Config["settings"]["metrics"]>["prices"]>): PriceTable {
  return Object.fromEntries(
    Object.entries(prices).map(([model, price]) => [model, withoutUndefined(price) as ModelPrice]),
  );
}

const priceAdvice: NonNullable<MetricsOptions["priceAdvice"]> = ({ provider, model }) =>
  `Give it one in hookscope.toml: [metrics.prices.${JSON.stringify(`${provider}/${model}`)}] with input_mtok and output_mtok, in US dollars for a million tokens; 0 where it is free.`;

function budgetOptions({ on_message, on_tool_call, ...budget }: BudgetSettings): BudgetOptions {
  return withoutUndefined({ ...budget, onMessage: on_message, onToolCall: on_tool_call }) as BudgetOptions;
}
