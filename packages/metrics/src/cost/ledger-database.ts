import { closeSync, openSync } from "node:fs";
import type { DatabaseSync } from "node:sqlite";

import { TOKEN_TYPES } from "../definitions.ts";
import { MetricsError } from "../errors.ts";

/** "HSLG": marks a file as a ledger, so that another database is not written into. */
const APPLICATION_ID = 0x48534c47;
const VERSION = 1;
/** Another process writes for less than this. The agent waits meanwhile, so it is short. */
const BUSY_MS = 500;
const SQLITE_BUSY = 5;

const SCHEMA = `
  create table spending (
    turn text not null,
    day text not null,
    provider text not null,
    model text not null,
    session text not null,
    root_session text not null,
    profile text not null,
    agent text not null,
    calls integer not null,
    cost_usd real not null,
    unpriced_tokens real not null,
    ${TOKEN_TYPES.map((type) => `${type}_tokens real not null`).join(",\n    ")},
    primary key (turn, day, provider, model)
  ) strict, without rowid;
  create index spending_by_session on spending (root_session, day, cost_usd);
  create index spending_by_profile on spending (profile, day, cost_usd);
  create index spending_by_day on spending (day, cost_usd);
  pragma application_id = ${APPLICATION_ID};
  pragma user_version = ${VERSION};
`;

const IN_MEMORY = ":memory:";

/** @throws MetricsError METRICS_LEDGER_UNUSABLE */
export function openDatabase(path: string): DatabaseSync {
  let database: DatabaseSync | undefined;
  try {
    // Sessions and what they cost are their owner's affair; SQLite's further files get the rights of this one.
    if (path !== IN_MEMORY) closeSync(openSync(path, "a", 0o600));
    // Loaded here and not at the top, because older lines of Node warn as soon as it is loaded.
    const sqlite = process.getBuiltinModule("node:sqlite");
    database = new sqlite.DatabaseSync(path);
    database.exec(`pragma busy_timeout = ${BUSY_MS}`);
    prepare(database, path);
    useWriteAheadLog(database);
    return database;
  } catch (error) {
    database?.close();
    if (error instanceof MetricsError) throw error;
    throw unusable(path, error instanceof Error ? error.message : String(error), error);
  }
}

function prepare(database: DatabaseSync, path: string): void {
  // Taken before looking, so that of two processes that start at once one makes the table and the other finds it.
  database.exec("begin immediate");
  const id = pragma(database, "application_id");
  const version = pragma(database, "user_version");
  const { tables } = database.prepare("select count(*) as tables from sqlite_schema").get() as { tables: number };
  if (id === 0 && version === 0 && tables === 0) database.exec(SCHEMA);
  else if (id !== APPLICATION_ID) throw unusable(path, "it is a database, but not a ledger");
  else if (version !== VERSION) throw unusable(path, `its version is ${version}; this release reads ${VERSION}`);
  database.exec("commit");
}

/** SQLite itself waits for nobody where this mode is set. */
function useWriteAheadLog(database: DatabaseSync): void {
  for (let waitedMs = 0; ; waitedMs += 10) {
    try {
      return database.exec("pragma journal_mode = wal; pragma synchronous = normal;");
    } catch (error) {
      if (!isBusy(error) || waitedMs >= BUSY_MS) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);
    }
  }
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && "errcode" in error && Number(error.errcode) % 256 === SQLITE_BUSY;
}

function pragma(database: DatabaseSync, name: string): number {
  const row = database.prepare(`pragma ${name}`).get() as Record<string, number>;
  return row[name] ?? 0;
}

function unusable(path: string, why: string, cause?: unknown): MetricsError {
  return new MetricsError("METRICS_LEDGER_UNUSABLE", `${path} cannot be used as the ledger: ${why}.`, { cause });
}
