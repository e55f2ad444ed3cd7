import type { Clock } from "@hookscope/hooks";

import type { Once } from "../once.ts";
import { periodStart, type Budget } from "./budget.ts";
import type { Ledger } from "./ledger.ts";

/** Another process that shares the ledger spends too; its part is read this often. */
const REREAD_MS = 1_000;
/** Sessions or profiles remembered per budget; the one longest unused is forgotten first. */
const MOST_KEYS = 10_000;

interface Account {
  usd: number;
  start: string;
  readAt: number;
  /** False once its session was torn down: then it is no part of the budget's ratio. */
  open: boolean;
}

/** What one budget's sessions or profiles have spent in the running period: kept here, begun from the ledger. */
export class Spending {
  readonly budget: Budget;
  readonly #ledger: Ledger | undefined;
  readonly #clock: Clock;
  readonly #once: Once;
  readonly #accounts = new Map<string, Account>();

  constructor(budget: Budget, ledger: Ledger | undefined, clock: Clock, once: Once) {
    this.budget = budget;
    this.#ledger = ledger;
    this.#clock = clock;
    this.#once = once;
  }

  /** Before the ledger is told, which would be counted twice otherwise. */
  add(key: string, usd: number): void {
    this.#account(key).usd += usd;
  }

  /** US dollars. */
  spent(key: string): number {
    return this.#account(key).usd;
  }

  close(key: string): void {
    const account = this.#accounts.get(key);
    if (account !== undefined) account.open = false;
  }

  /** Of the one nearest to the limit. */
  ratio(): number {
    if (this.budget.scope === "all") return this.spent(ALL) / this.budget.usd;
    let most = 0;
    const start = periodStart(this.budget.period, this.#clock.now());
    for (const account of this.#accounts.values()) {
      if (account.open && account.start >= start) most = Math.max(most, account.usd);
    }
    return most / this.budget.usd;
  }

  #account(key: string): Account {
    const now = this.#clock.now();
    const start = periodStart(this.budget.period, now);
    let account = this.#accounts.get(key);
    this.#accounts.delete(key);
    // A clock that is set back gives back nothing of what was spent, and does not put off what others spend.
    if (account === undefined || account.start < start) account = { usd: 0, start, readAt: -Infinity, open: true };
    if (now - account.readAt >= REREAD_MS || now < account.readAt) {
      account.readAt = now;
      account.usd = Math.max(account.usd, this.#recorded(key, account.start));
    }
    account.open = true;
    this.#accounts.set(key, account);
    if (this.#accounts.size > MOST_KEYS) this.#accounts.delete(this.#accounts.keys().next().value as string);
    return account;
  }

  /** A ledger that cannot be read must not stop the agent: what this process knows counts then. */
  #recorded(key: string, sinceDay: string): number {
    try {
      return this.#ledger?.spent({ scope: this.budget.scope, key, sinceDay }) ?? 0;
    } catch (error) {
      this.#once.warn("ledger read", `the ledger cannot be read, so budgets count this process only: ${String(error)}`);
      return 0;
    }
  }
}

/** The one account of a budget over all. */
export const ALL = "all";
