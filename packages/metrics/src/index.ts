export type { TraceReference } from "./cells/cell.ts";
export type { AnyRegistry, Counter, FamilyOf, Gauge, Histogram } from "./cells/family.ts";
export { OTHER } from "./cells/label-values.ts";
export type { BudgetOptions, BudgetPeriod, BudgetScope } from "./cost/budget.ts";
export type { BudgetCheck, ExceededBudget } from "./cost/budgets.ts";
export {
  createLedger,
  type Ledger,
  type LedgerEntry,
  type LedgerOptions,
  type ReportBy,
  type ReportOptions,
  type ReportRow,
  type SpentQuery,
} from "./cost/ledger.ts";
export type { ModelPrice, PriceTable } from "./cost/prices.ts";
export type { Spender } from "./cost/session-roots.ts";
export {
  APPROVAL_CHOICES,
  BLOCK_CAUSES,
  FAILURES,
  METRIC_NAMES,
  METRICS,
  TOKEN_TYPES,
  TOOL_OUTCOMES,
  type BlockCause,
  type Failure,
  type IgnoredReason,
  type LabelRow,
  type MetricLabels,
  type MetricName,
  type MetricRow,
  type MetricType,
  type RequestOutcome,
  type TokenType,
  type ToolOutcome,
  type TypeOfMetric,
  type YesNo,
} from "./definitions.ts";
export { METRICS_ERRORS, MetricsError, type MetricsErrorCode } from "./errors.ts";
export type { Families } from "./families.ts";
export { createMetrics, type Metrics, type MetricsOptions } from "./metrics.ts";
export type { ExportSource } from "./record/export.ts";
export type { Tokens } from "./record/tokens.ts";
export { serveCluster, type ServeClusterOptions } from "./serve/cluster.ts";
export type { ServeOptions } from "./serve/options.ts";
export type { PushOptions } from "./serve/push.ts";
export type { MetricsServer } from "./serve/server.ts";
