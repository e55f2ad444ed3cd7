import { dirname } from "node:path";

import { makeFolder } from "@hookscope/harness/internal";
import { createLedger, MetricsError, type Ledger } from "@hookscope/metrics";

import type { Config } from "../config/config.ts";
import { errorLine } from "../errors.ts";

/** @throws MetricsError METRICS_LEDGER_UNUSABLE */
export function openLedger(path: string): Ledger {
  try {
    makeFolder(dirname(path));
    return createLedger({ path });
  } catch (error) {
    const text = error instanceof MetricsError ? messageOf(error) : `${path}: ${(error as Error).message}.`;
    throw new MetricsError("METRICS_LEDGER_UNUSABLE", `${text} ${ADVICE}`, { cause: error });
  }
}

const ADVICE = "Move away what is there, or set ledger under [metrics] to another file.";

function messageOf({ code, message }: MetricsError): string {
  return message.replace(`${code}: `, "");
}

/**
 * For commands that run turns. Without budgets nobody depends on it: where it cannot be opened, that is said and the turn
 * runs.
 *
 * @throws MetricsError METRICS_LEDGER_UNUSABLE where budgets count what it holds
 */
export function openLedgerForTurns(config: Config, say: (text: string) => void): Ledger | undefined {
  if (config.ledger === undefined) return undefined;
  try {
    return openLedger(config.ledger.path);
  } catch (error) {
    if ((config.settings.metrics?.budgets ?? []).length > 0) throw error;
    say(`hookscope: ${errorLine(error)} What this turn costs is shown, but not kept for \`hookscope cost\`.`);
    return undefined;
  }
}
