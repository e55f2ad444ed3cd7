import { LONGEST_TIMER_MS } from "@hookscope/hooks/internal";
import { Pushgateway, type Registry } from "prom-client";

import type { AnyRegistry } from "../cells/family.ts";
import { MetricsError } from "../errors.ts";
import { expose, PLAIN_TEXT } from "../exposition.ts";

export interface PushOptions {
  /** The address of a Pushgateway, such as http://127.0.0.1:9091. */
  readonly gateway: string;
  /** `hookscope`. */
  readonly job?: string;
  /** Further grouping labels, such as `{ instance: "nightly" }`. */
  readonly groupings?: Readonly<Record<string, string>>;
  /** 5,000 ms. */
  readonly timeoutMs?: number;
}

const DEFAULT_TIMEOUT_MS = 5_000;

/**
 * Pushes all metrics once, replacing what the same job and groupings had pushed: for a command too short to be scraped.
 *
 * @throws MetricsError METRICS_OPTION_INVALID, METRICS_PUSH_FAILED
 */
export async function push(registry: AnyRegistry, options: PushOptions): Promise<void> {
  const { gateway, job = "hookscope", groupings = {}, timeoutMs = DEFAULT_TIMEOUT_MS } = options;
  if (!(timeoutMs > 0) || timeoutMs > LONGEST_TIMER_MS) {
    throw new MetricsError(
      "METRICS_OPTION_INVALID",
      `timeoutMs is ${timeoutMs}; it must be a number of milliseconds above 0, at most ${LONGEST_TIMER_MS}.`,
    );
  }
  // What is no address would be pushed to port 80 of this machine.
  if (!["http:", "https:"].includes(URL.parse(gateway)?.protocol ?? "")) {
    throw new MetricsError("METRICS_OPTION_INVALID", "gateway must be an address such as http://127.0.0.1:9091.");
  }
  const limit = AbortSignal.timeout(timeoutMs);
  // A Pushgateway reads plain text; all the client asks of a registry is its text.
  const plain = { metrics: () => expose(registry, PLAIN_TEXT) } as unknown as Registry;
  try {
    const client = new Pushgateway(gateway, { timeout: timeoutMs, signal: limit }, plain);
    await client.push({ jobName: job, groupings: { ...groupings } });
  } catch (error) {
    const why = limit.aborted ? `no answer within ${timeoutMs} ms` : describe(error);
    throw new MetricsError(
      "METRICS_PUSH_FAILED",
      `the metrics were not pushed to ${withoutSecrets(gateway)}: ${why}.`,
      {
        cause: error,
      },
    );
  }
}

const describe = (error: unknown): string => (error instanceof Error ? error.message.trim() : String(error));

function withoutSecrets(address: string): string {
  const { protocol, host } = new URL(address);
  return `${protocol}//${host}`;
}
