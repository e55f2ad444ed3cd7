import type { DatabaseSync, SQLInputValue, StatementSync } from "node:sqlite";

import { TOKEN_TYPES, type TokenType } from "../definitions.ts";
import { MetricsError } from "../errors.ts";
import type { Tokens } from "../record/tokens.ts";
import { openDatabase } from "./ledger-database.ts";

export interface LedgerOptions {
  /** The file, made when it is missing; `:memory:` keeps nothing. */
  readonly path: string;
}

export interface LedgerEntry {
  readonly turn: string;
  readonly session: string;
  /** The session a person began; its subagents have sessions of their own. */
  readonly rootSession: string;
  readonly profile: string;
  readonly agent: string;
  readonly provider: string;
  readonly model: string;
  /** Milliseconds since the epoch. */
  readonly time: number;
  /** US dollars; undefined where the model has no known price. */
  readonly cost: number | undefined;
  readonly tokens: Tokens;
}

export type ReportBy = "model" | "profile" | "session" | "day";

export interface ReportOptions {
  readonly by: ReportBy;
  /** From the (UTC) day of this time on. */
  readonly since?: Date | undefined;
}

export interface ReportRow {
  /** The model, profile, session that a person began, or UTC day as `2026-11-30`. */
  readonly key: string;
  /** Model calls, retries and every purpose included. */
  readonly calls: number;
  readonly turns: number;
  /** US dollars. */
  readonly cost_usd: number;
  readonly tokens: Tokens;
  /** Tokens that are missing from the cost, because their model has no known price. */
  readonly unpriced_tokens: number;
}

/** What a budget asks for. `key` is the session a person began, or the profile. */
export interface SpentQuery {
  readonly scope: "session" | "profile" | "all";
  readonly key: string;
  /** The first UTC day that counts, as `2026-11-30`; absent: all of them. */
  readonly sinceDay?: string | undefined;
}

/** Cost and tokens per turn and model, in one SQLite file, across restarts. Several processes may share it. */
export interface Ledger {
  /** On disk when it returns. @throws MetricsError METRICS_LEDGER_CLOSED, or what SQLite says */
  record(entry: LedgerEntry): void;
  /** Most expensive first; days in their order. */
  report(options: ReportOptions): readonly ReportRow[];
  /** US dollars. */
  spent(query: SpentQuery): number;
  close(): void;
}

/** @throws MetricsError METRICS_LEDGER_UNUSABLE */
export function createLedger({ path }: LedgerOptions): Ledger {
  return new SqliteLedger(openDatabase(path));
}

/** The UTC day of a time, as `2026-11-30`. */
export function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}

const KEYS: { readonly [By in ReportBy]: string } = {
  model: "model",
  profile: "profile",
  session: "root_session",
  day: "day",
};

const SCOPES: { readonly [Scope in SpentQuery["scope"]]: string } = {
  session: "root_session = ?",
  profile: "profile = ?",
  all: "? is not null",
};

const TOKEN_COLUMNS = TOKEN_TYPES.map((type) => `${type}_tokens`);

class SqliteLedger implements Ledger {
  readonly #database: DatabaseSync;
  readonly #insert: StatementSync;
  readonly #statements = new Map<string, StatementSync>();

  constructor(database: DatabaseSync) {
    this.#database = database;
    const sums = ["calls", "cost_usd", "unpriced_tokens", ...TOKEN_COLUMNS];
    const columns = ["turn", "day", "provider", "model", "session", "root_session", "profile", "agent", ...sums];
    this.#insert = database.prepare(
      `insert into spending (${columns.join(", ")}) values (${columns.map(() => "?").join(", ")})
       on conflict do update set ${sums.map((sum) => `${sum} = ${sum} + excluded.${sum}`).join(", ")}`,
    );
  }

  record(entry: LedgerEntry): void {
    this.#checkOpen();
    const { tokens, cost } = entry;
    const unpriced = cost === undefined ? TOKEN_TYPES.reduce((sum, type) => sum + tokens[type], 0) : 0;
    this.#insert.run(
      entry.turn,
      dayOf(entry.time),
      entry.provider,
      entry.model,
      entry.session,
      entry.rootSession,
      entry.profile,
      entry.agent,
      1,
      cost ?? 0,
      unpriced,
      ...TOKEN_TYPES.map((type) => tokens[type]),
    );
  }

  report({ by, since }: ReportOptions): readonly ReportRow[] {
    this.#checkOpen();
    const key = KEYS[by];
    const sums = ["calls", "cost_usd", "unpriced_tokens", ...TOKEN_COLUMNS].map((sum) => `sum(${sum}) as ${sum}`);
    const rows = this.#prepared(
      `select ${key} as key, count(distinct turn) as turns, ${sums.join(", ")} from spending where day >= ?
       group by ${key} order by ${by === "day" ? "key" : "cost_usd desc, key"}`,
    ).all(since === undefined ? "" : dayOf(since.getTime()));
    return rows.map((row) => ({
      key: String(row["key"]),
      calls: Number(row["calls"]),
      turns: Number(row["turns"]),
      cost_usd: Number(row["cost_usd"]),
      tokens: Object.fromEntries(TOKEN_TYPES.map((type) => [type, Number(row[`${type}_tokens`])])) as Record<
        TokenType,
        number
      >,
      unpriced_tokens: Number(row["unpriced_tokens"]),
    }));
  }

  spent({ scope, key, sinceDay }: SpentQuery): number {
    this.#checkOpen();
    const values: SQLInputValue[] = [key, sinceDay ?? ""];
    const row = this.#prepared(
      `select coalesce(sum(cost_usd), 0) as usd from spending where ${SCOPES[scope]} and day >= ?`,
    ).get(...values);
    return Number(row?.["usd"]);
  }

  close(): void {
    if (this.#database.isOpen) this.#database.close();
  }

  #prepared(sql: string): StatementSync {
    let statement = this.#statements.get(sql);
    if (statement === undefined) this.#statements.set(sql, (statement = this.#database.prepare(sql)));
    return statement;
  }

  #checkOpen(): void {
    if (this.#database.isOpen) return;
    throw new MetricsError("METRICS_LEDGER_CLOSED", "the ledger was closed; create it again to go on.");
  }
}
