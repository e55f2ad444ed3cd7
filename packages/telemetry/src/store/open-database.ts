import { closeSync, existsSync, mkdirSync, openSync } from "node:fs";
import { dirname } from "node:path";
import type { DatabaseSync } from "node:sqlite";

import { TelemetryError } from "../errors.ts";
import { messageOf } from "../warnings.ts";

/** In memory: nothing is written to disk. */
export const IN_MEMORY = ":memory:";

/**
 * Opens a trace store's file, and makes it where there is none, for the owner alone to read.
 * @throws {TelemetryError} TRACE_STORE_UNWRITABLE, TRACE_STORE_FOREIGN, TRACE_STORE_TOO_NEW
 */
export function openDatabase(path: string): DatabaseSync {
  const database = openFile(path);
  try {
    database.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
    const isNew = checkOwner(database, path) === "new";
    useWriteAheadLog(database);
    if (isNew) database.exec(`BEGIN IMMEDIATE; ${SCHEMA}; COMMIT`);
    return database;
  } catch (error) {
    database.close();
    throw error instanceof TelemetryError ? error : describe(error, path);
  }
}

/** "Hook", read as a number: what SQLite keeps in a file's header to say whose it is. */
const APPLICATION_ID = 0x486f6f6b;
const SCHEMA_VERSION = 1;
/** Another process writes for milliseconds; longer than this and the batch is given up and counted. */
export const BUSY_TIMEOUT_MS = 1_000;
const SQLITE_BUSY = 5;
const SQLITE_NOT_A_DATABASE = 26;

const SCHEMA = `
  PRAGMA application_id = ${APPLICATION_ID};
  PRAGMA user_version = ${SCHEMA_VERSION};
  CREATE TABLE IF NOT EXISTS spans (
    trace_id TEXT NOT NULL,
    span_id TEXT NOT NULL,
    start_time REAL NOT NULL,
    document TEXT NOT NULL,
    UNIQUE (trace_id, span_id)
  );
  CREATE TABLE IF NOT EXISTS turns (
    turn_id TEXT PRIMARY KEY,
    trace_id TEXT NOT NULL,
    session_id TEXT,
    parent_turn_id TEXT,
    has_block INTEGER NOT NULL,
    start_time REAL NOT NULL,
    document TEXT NOT NULL
  );
  CREATE INDEX IF NOT EXISTS turns_by_time ON turns (start_time);
  CREATE INDEX IF NOT EXISTS turns_by_trace ON turns (trace_id)`;

function openFile(path: string): DatabaseSync {
  try {
    if (path !== IN_MEMORY) {
      makeFolder(dirname(path));
      closeSync(openSync(path, "a", 0o600));
    }
    // Loaded here, since a program that only exports never needs it.
    const { DatabaseSync } = process.getBuiltinModule("node:sqlite");
    return new DatabaseSync(path);
  } catch (error) {
    throw describe(error, path);
  }
}

/** One folder at a time: where a folder cannot be made, below /proc for one, Node's recursive mkdir may never return. */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  makeFolder(dirname(folder));
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // Another process made it meanwhile.
    if (!existsSync(folder)) throw error;
  }
}

/** SQLite itself waits for nobody where this mode is set. */
function useWriteAheadLog(database: DatabaseSync): void {
  for (let waitedMs = 0; ; waitedMs += 10) {
    try {
      return database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL");
    } catch (error) {
      if (!isBusy(error) || waitedMs >= BUSY_TIMEOUT_MS) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);
    }
  }
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && "errcode" in error && Number(error.errcode) % 256 === SQLITE_BUSY;
}

/**
 * A file that is not ours is left exactly as it is. What is looked at is of one moment: another process that makes the
 * store meanwhile has its tables and its mark, or neither.
 */
function checkOwner(database: DatabaseSync, path: string): "new" | "ours" {
  database.exec("BEGIN");
  const applicationId = pragma(database, "application_id");
  const version = pragma(database, "user_version");
  const { tables } = database.prepare("SELECT count(*) AS tables FROM sqlite_schema").get() ?? {};
  database.exec("COMMIT");
  if (applicationId === APPLICATION_ID && version <= SCHEMA_VERSION) return "ours";
  if (applicationId === APPLICATION_ID) {
    throw new TelemetryError(
      "TRACE_STORE_TOO_NEW",
      `${path} has format ${version}, and this version knows ${SCHEMA_VERSION}`,
    );
  }
  if (applicationId !== 0 || version !== 0 || tables !== 0) {
    throw new TelemetryError("TRACE_STORE_FOREIGN", `${path} is another program's database`);
  }
  return "new";
}

function pragma(database: DatabaseSync, name: "application_id" | "user_version"): number {
  return Number(database.prepare(`PRAGMA ${name}`).get()?.[name]);
}

function describe(error: unknown, path: string): TelemetryError {
  const isForeign = error instanceof Error && "errcode" in error && error.errcode === SQLITE_NOT_A_DATABASE;
  return isForeign
    ? new TelemetryError("TRACE_STORE_FOREIGN", `${path} is not a database`, { cause: error })
    : new TelemetryError("TRACE_STORE_UNWRITABLE", `${path}: ${messageOf(error)}`, { cause: error });
}
