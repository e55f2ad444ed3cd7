import type { DashboardSpec } from "../../dashboard.ts";
import { choice, service } from "../../variables.ts";
import { budgets } from "./budgets.ts";
import { cost } from "./cost.ts";
import { models } from "./models.ts";
import { tokens } from "./tokens.ts";

export const costAndUsage: DashboardSpec = {
  place: "cost",
  description: "What turns cost, which model, profile and agent spend it, and how budgets stand.",
  variables: [service(), choice("agent", "agent_turns_total", "agent")],
  rows: [cost, budgets, tokens, models],
};
