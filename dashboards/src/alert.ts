import type { PlaceName } from "./places.ts";
import type { Expression } from "./promql.ts";
import type { Duration } from "./selector.ts";
import type { VariableName } from "./variables.ts";

export type Severity = "info" | "warning" | "critical";

export type AlertName =
  | "ToolCallBlocked"
  | "ToolCallBlockedInSpans"
  | "HookBlocksOften"
  | "PolicyFailingClosed"
  | "HookErrors"
  | "HookTimeoutOrSuspension"
  | "HookSlowerThanUsual"
  | "ApprovalWaitingTooLong"
  | "BudgetBurnFast"
  | "BudgetBurnSlow"
  | "SpansDropped"
  | "ModelErrors"
  | "CollectorQueueFilling"
  | "CollectorDown";

/** A label of the alert, in a text of it. */
export type LabelText<Label extends string> = (label: Label) => string;

/** One alert, before it is written as a rule of Prometheus or of Grafana. */
export interface AlertRow {
  readonly expression: Expression;
  /** How long it must hold before it fires; at once unless told. */
  readonly for?: Duration;
  /** How long it goes on after that, so that it does not flicker. */
  readonly keepFiringFor?: Duration;
  readonly severity: Severity;
  /** One line, with the alert's labels. */
  readonly summary: string;
  /** The dashboard to open, and the labels its variables are set to. */
  readonly dashboard: PlaceName;
  readonly variables: { readonly [Name in VariableName]?: string };
  /** Whether no data at all is itself the alert. */
  readonly absenceAlerts?: true;
}

interface AlertText<Label extends string> extends Omit<AlertRow, "expression" | "summary" | "variables"> {
  readonly expression: Expression<Label>;
  readonly summary: (label: LabelText<Label>) => string;
  /** The label that each variable is set to. */
  readonly variables: { readonly [Name in VariableName]?: Label };
}

/** A label that the expression does not have does not compile. Both template languages understand the texts. */
export function alert<Label extends string>({ summary, variables, ...row }: AlertText<Label>): AlertRow {
  const entries = Object.entries(variables) as [VariableName, Label][];
  return {
    ...row,
    summary: summary((label) => `{{ .Labels.${label} }}`),
    variables: Object.fromEntries(entries.map(([name, label]) => [name, `{{ .Labels.${label} | urlquery }}`])),
  };
}
