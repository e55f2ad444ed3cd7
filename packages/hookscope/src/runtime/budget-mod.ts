import type { AgentMod } from "@hookscope/harness";
import type { BudgetCheck } from "@hookscope/metrics";

export const BUDGET_MOD_ID = "budget";

/** Ends the turn after the round in which a budget was spent; the hook of that name keeps the next message from starting one. */
export function createBudgetMod(budget: BudgetCheck, profile: string): AgentMod {
  return {
    id: BUDGET_MOD_ID,
    shouldStopAfterTurn: ({ state }) => budget.exceeded({ session_id: state.sessionId, profile }) !== undefined,
  };
}
