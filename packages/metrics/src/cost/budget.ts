import { MetricsError } from "../errors.ts";
import { dayOf } from "./ledger.ts";

/** A limit on what is spent. A session counts its subagents. */
export interface BudgetOptions {
  /** Its name in metrics and messages. */
  readonly name: string;
  /** Whose spending is counted: each session's, each profile's, or all together. */
  readonly scope: BudgetScope;
  /** UTC calendar days or months, or from the beginning. Default: `total` for sessions, else `day`. */
  readonly period?: BudgetPeriod;
  /** US dollars. */
  readonly usd: number;
  /** Only turns of this profile. */
  readonly profile?: string;
  /** What happens to a message when it is spent; default `block`. */
  readonly onMessage?: "block" | "allow";
  /** What happens to a tool call when it is spent; default `ask`. */
  readonly onToolCall?: "ask" | "block" | "allow";
}

export type BudgetScope = (typeof SCOPES)[number];
export type BudgetPeriod = (typeof PERIODS)[number];
export type Budget = Required<Omit<BudgetOptions, "profile">> & { readonly profile: string | undefined };

const SCOPES = ["session", "profile", "all"] as const;
const PERIODS = ["day", "month", "total"] as const;
const ON_MESSAGE: readonly Budget["onMessage"][] = ["block", "allow"];
const ON_TOOL_CALL: readonly Budget["onToolCall"][] = ["ask", "block", "allow"];
const FIELDS: readonly string[] = ["name", "scope", "period", "usd", "profile", "onMessage", "onToolCall"];

/** @throws MetricsError METRICS_BUDGET_INVALID */
export function checkBudgets(given: readonly BudgetOptions[]): readonly Budget[] {
  if (!Array.isArray(given)) throw invalid("list", "it", show(given), "a list of budgets");
  const budgets = given.map(checkBudget);
  const twice = budgets.find(({ name }, index) => budgets.findIndex((other) => other.name === name) !== index);
  if (twice !== undefined) throw invalid(twice.name, "its name", JSON.stringify(twice.name), "used once");
  return budgets;
}

function checkBudget(given: BudgetOptions, index: number): Budget {
  const name: unknown = given?.name;
  if (typeof name !== "string" || name.trim() === "")
    throw invalid(`number ${index + 1}`, "name", String(name), "a text");
  const stranger = Object.keys(given).find((field) => !FIELDS.includes(field));
  if (stranger !== undefined) throw invalid(name, "a field", JSON.stringify(stranger), `one of ${FIELDS.join(", ")}`);
  const { usd, profile } = given;
  if (typeof usd !== "number" || !Number.isFinite(usd) || usd <= 0) {
    throw invalid(name, "usd", show(usd), "US dollars, a finite number above 0");
  }
  if (profile !== undefined && typeof profile !== "string") throw invalid(name, "profile", String(profile), "a text");
  const scope = oneOf(name, "scope", given.scope, SCOPES);
  return {
    name,
    usd,
    profile,
    scope,
    period: oneOf(name, "period", given.period ?? (scope === "session" ? "total" : "day"), PERIODS),
    onMessage: oneOf(name, "onMessage", given.onMessage ?? "block", ON_MESSAGE),
    onToolCall: oneOf(name, "onToolCall", given.onToolCall ?? "ask", ON_TOOL_CALL),
  };
}

function oneOf<Value extends string>(name: string, field: string, given: unknown, values: readonly Value[]): Value {
  const value = values.find((known) => known === given);
  if (value === undefined) throw invalid(name, field, String(given), `one of ${values.join(", ")}`);
  return value;
}

/** So that the text "5" does not look like the number. */
const show = (given: unknown): string => (typeof given === "string" ? JSON.stringify(given) : String(given));

function invalid(budget: string, field: string, given: string, expected: string): MetricsError {
  return new MetricsError("METRICS_BUDGET_INVALID", `budget ${budget}: ${field} is ${given}; it must be ${expected}.`);
}

/** The first UTC day of the period a time is in, as `2026-11-30`; empty for `total`, which sorts before every day. */
export function periodStart(period: BudgetPeriod, time: number): string {
  if (period === "total") return "";
  const day = dayOf(time);
  return period === "day" ? day : `${day.slice(0, 7)}-01`;
}
