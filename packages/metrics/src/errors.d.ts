/** Every error this package throws: what it means and what to do about it. The documentation page is made from it. */
export declare const METRICS_ERRORS: {
  readonly [Code in MetricsErrorCode]: string;
};
export type MetricsErrorCode =
  | "METRICS_OPTION_INVALID"
  | "METRICS_NAME_TAKEN"
  | "METRICS_PRICES_INVALID"
  | "METRICS_BUDGET_INVALID"
  | "METRICS_LEDGER_UNUSABLE"
  | "METRICS_LEDGER_CLOSED"
  | "METRICS_PORT_IN_USE"
  | "METRICS_LISTEN_FAILED"
  | "METRICS_PUSH_FAILED"
  | "METRICS_NOT_IN_CLUSTER";
/** Thrown where metrics are set up, served or pushed; never where something is recorded. */
export declare class MetricsError extends Error {
  readonly name = "MetricsError";
  readonly code: MetricsErrorCode;
  constructor(code: MetricsErrorCode, message: string, options?: ErrorOptions);
}
