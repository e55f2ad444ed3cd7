import { askUser, block, defineHook, type Clock, type Hook } from "@hookscope/hooks";

import type { Families } from "../families.ts";
import type { Once } from "../once.ts";
import type { Budget } from "./budget.ts";
import type { Ledger } from "./ledger.ts";
import type { SessionRoots, Spender } from "./session-roots.ts";
import { ALL, Spending } from "./spending.ts";

export interface ExceededBudget {
  readonly budget: string;
  readonly spentUsd: number;
  readonly limitUsd: number;
  /** A sentence for a person or the model. */
  readonly message: string;
}

/** Asks whether a budget is spent: for a loop that wants to end a run after the round. */
export interface BudgetCheck {
  /** The first budget that this turn has spent, in the order they were given. */
  exceeded(spender: Spender): ExceededBudget | undefined;
}

export class Budgets implements BudgetCheck {
  readonly #spendings: readonly Spending[];
  readonly #roots: SessionRoots;

  constructor(
    budgets: readonly Budget[],
    parts: {
      readonly ledger: Ledger | undefined;
      readonly roots: SessionRoots;
      readonly clock: Clock;
      readonly once: Once;
      readonly families: Families;
    },
  ) {
    this.#spendings = budgets.map((budget) => new Spending(budget, parts.ledger, parts.clock, parts.once));
    this.#roots = parts.roots;
    const ratio = parts.families.agent_budget_spent_ratio;
    for (const { name } of budgets) ratio.touch({ budget: name });
    ratio.onCollect(() => {
      for (const spending of this.#spendings) ratio.set({ budget: spending.budget.name }, spending.ratio());
    });
  }

  spend(spender: Spender, usd: number): void {
    for (const spending of this.#concerned(spender)) spending.add(this.#key(spending, spender), usd);
  }

  exceeded(spender: Spender): ExceededBudget | undefined {
    return this.#exceeded(spender, () => true);
  }

  /** The policy `budget`: a message is blocked, a tool call asked about or blocked, when a budget is spent. */
  hook(): Hook {
    return defineHook({
      name: "budget",
      on: {
        post_gateway_admission: ({ payload }) => {
          const spent = this.#exceeded(payload, ({ onMessage }) => onMessage === "block");
          return spent === undefined ? undefined : block(spent.message);
        },
        pre_tool_call: ({ turn }) => {
          const blocking = this.#exceeded(turn, ({ onToolCall }) => onToolCall === "block");
          if (blocking !== undefined) return block(blocking.message);
          const asking = this.#exceeded(turn, ({ onToolCall }) => onToolCall === "ask");
          return asking === undefined ? undefined : askUser(`${asking.message} Go on?`);
        },
        on_session_finalize: ({ payload }) => {
          for (const spending of this.#spendings) {
            if (spending.budget.scope === "session") spending.close(payload.session_id);
          }
        },
      },
    });
  }

  #exceeded(spender: Spender, concerned: (budget: Budget) => boolean): ExceededBudget | undefined {
    for (const spending of this.#concerned(spender)) {
      if (!concerned(spending.budget)) continue;
      const spentUsd = spending.spent(this.#key(spending, spender));
      if (spentUsd < spending.budget.usd) continue;
      const { name, usd: limitUsd } = spending.budget;
      const message = `The budget "${name}" (${limitOf(spending.budget)}) is spent: ${dollars(spentUsd)}.`;
      return { budget: name, spentUsd, limitUsd, message };
    }
    return undefined;
  }

  #concerned({ profile }: Spender): readonly Spending[] {
    return this.#spendings.filter(({ budget }) => budget.profile === undefined || budget.profile === profile);
  }

  #key({ budget }: Spending, spender: Spender): string {
    switch (budget.scope) {
      case "session":
        return this.#roots.of(spender);
      case "profile":
        return spender.profile;
      case "all":
        return ALL;
    }
  }
}

function limitOf({ usd, scope, period }: Budget): string {
  const words = [SCOPE_WORDS[scope], PERIOD_WORDS[period]].filter((word) => word !== "");
  return `${dollars(usd)} ${words.length === 0 ? "in all" : `per ${words.join(" and ")}`}`;
}

const SCOPE_WORDS: { readonly [Scope in Budget["scope"]]: string } = {
  session: "session",
  profile: "profile",
  all: "",
};
const PERIOD_WORDS: { readonly [Period in Budget["period"]]: string } = { day: "day", month: "month", total: "" };

/** In cents; what is less than one, in two digits that tell it from nothing. */
const dollars = (usd: number): string =>
  usd === 0 || usd >= 0.01 ? `$${usd.toFixed(2)}` : `$${Number(usd.toPrecision(2))}`;
