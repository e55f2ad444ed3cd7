import type { DatabaseSync } from "node:sqlite";
/** @throws MetricsError METRICS_LEDGER_UNUSABLE */
export declare function openDatabase(path: string): DatabaseSync;
