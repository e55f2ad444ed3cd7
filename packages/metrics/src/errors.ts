/** Every error this package throws: what it means and what to do about it. The documentation page is made from it. */
export const METRICS_ERRORS: { readonly [Code in MetricsErrorCode]: string } = {
  METRICS_OPTION_INVALID: "An option has a value that cannot be used. The message names it and says what is allowed.",
  METRICS_NAME_TAKEN:
    "The registry has a metric of that name already. Give createMetrics a registry of its own, or make the metrics once per registry.",
  METRICS_PRICES_INVALID: "The price of a model cannot be used. The message names the entry and what is wrong with it.",
  METRICS_BUDGET_INVALID: "A budget cannot be used. The message names it and what is wrong with it.",
  METRICS_LEDGER_UNUSABLE:
    "The ledger's file cannot be opened or is not a ledger. Check the path and its permissions, or choose another file.",
  METRICS_LEDGER_CLOSED: "The ledger was closed already.",
  METRICS_PORT_IN_USE: "Something listens on that address already. Choose another port, or stop what uses it.",
  METRICS_LISTEN_FAILED: "The address cannot be listened on. The message says why; check host and port.",
  METRICS_PUSH_FAILED: "The push did not arrive. The message says why; check the address and that it is up.",
  METRICS_NOT_IN_CLUSTER:
    "Metrics of several processes are gathered through node:cluster, and this process is not what it must be there.",
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
export class MetricsError extends Error {
  override readonly name = "MetricsError";
  readonly code: MetricsErrorCode;

  constructor(code: MetricsErrorCode, message: string, options?: ErrorOptions) {
    super(`${code}: ${message}`, options);
    this.code = code;
  }
}
