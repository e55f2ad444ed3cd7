import { closeSync, openSync } from "node:fs";
import { dirname } from "node:path";
import type { DatabaseSync } from "node:sqlite";

import { HarnessError } from "../../errors.ts";
import { makeFolder } from "../../make-folder.ts";

/** "HkSn", read as a number: what SQLite keeps in a file's header to say whose it is. */
const APPLICATION_ID = 0x486b536e;
const SCHEMA_VERSION = 1;
/** Another process writes for milliseconds. */
const BUSY_TIMEOUT_MS = 5_000;
const RETRY_MS = 10;

const SCHEMA = `
  PRAGMA application_id = ${APPLICATION_ID};
  PRAGMA user_version = ${SCHEMA_VERSION};
  CREATE TABLE sessions (
    id TEXT PRIMARY KEY,
    header TEXT NOT NULL,
    marker TEXT NOT NULL,
    holder TEXT
  );
  CREATE TABLE entries (
    session_id TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    position INTEGER NOT NULL,
    entry TEXT NOT NULL,
    PRIMARY KEY (session_id, position)
  ) WITHOUT ROWID`;

/**
 * Opens the database of sessions, and makes it where there is none, for the owner alone to read. Another program's file is
 * left exactly as it is.
 *
 * @throws HarnessError SESSION_NOT_WRITABLE, SESSION_FILE_INVALID, SESSION_VERSION_NEWER
 */
export function openSessionDatabase(path: string, isSynced: boolean): DatabaseSync {
  let database: DatabaseSync | undefined;
  try {
    makeFolder(dirname(path));
    closeSync(openSync(path, "a", 0o600));
    // Loaded here, since a program that keeps its sessions elsewhere never needs it.
    const { DatabaseSync } = process.getBuiltinModule("node:sqlite");
    database = new DatabaseSync(path);
    database.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}; PRAGMA foreign_keys = ON`);
    transact(database, (inside) => {
      if (isEmpty(inside, path)) inside.exec(SCHEMA);
    });
    useWriteAheadLog(database);
    database.exec(`PRAGMA synchronous = ${isSynced ? "FULL" : "OFF"}`);
    return database;
  } catch (error) {
    database?.close();
    throw describeDatabaseError(path, error);
  }
}

/** SQLite waits for nobody where this mode is set, and another process may set it at the same moment. */
function useWriteAheadLog(database: DatabaseSync): void {
  for (let waitedMs = 0; ; waitedMs += RETRY_MS) {
    try {
      return database.exec("PRAGMA journal_mode = WAL");
    } catch (error) {
      if (codeOf(error) !== SQLITE_BUSY || waitedMs >= BUSY_TIMEOUT_MS) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, RETRY_MS);
    }
  }
}

/** All of it, or nothing. */
export function transact<Value>(database: DatabaseSync, work: (database: DatabaseSync) => Value): Value {
  database.exec("BEGIN IMMEDIATE");
  try {
    const value = work(database);
    database.exec("COMMIT");
    return value;
  } catch (error) {
    if (database.isTransaction) database.exec("ROLLBACK");
    throw error;
  }
}

export function describeDatabaseError(path: string, error: unknown): HarnessError {
  if (error instanceof HarnessError) return error;
  const message = error instanceof Error ? error.message : String(error);
  const code = codeOf(error);
  if (code === SQLITE_NOT_A_DATABASE || code === SQLITE_CORRUPT) {
    return new HarnessError("SESSION_FILE_INVALID", `${path} is no database that can be read: ${message}.`, {
      cause: error,
    });
  }
  const why = code === SQLITE_BUSY ? "another process has been writing to it for too long; try again later" : message;
  return new HarnessError("SESSION_NOT_WRITABLE", `${path} cannot be written: ${why}.`, { cause: error });
}

/** SQLite's own, without what it adds to tell kinds of it apart; 0 where it is no error of SQLite's. */
function codeOf(error: unknown): number {
  return error instanceof Error && "errcode" in error ? Number(error.errcode) & PRIMARY_CODE : 0;
}

const PRIMARY_CODE = 0xff;
const SQLITE_BUSY = 5;
const SQLITE_CORRUPT = 11;
const SQLITE_NOT_A_DATABASE = 26;

function isEmpty(database: DatabaseSync, path: string): boolean {
  const applicationId = pragma(database, "application_id");
  const version = pragma(database, "user_version");
  if (applicationId === APPLICATION_ID) {
    if (version <= SCHEMA_VERSION) return false;
    throw new HarnessError(
      "SESSION_VERSION_NEWER",
      `${path} has version ${version} of the format, and this Hookscope knows ${SCHEMA_VERSION}. Use a newer one.`,
    );
  }
  const { tables } = database.prepare("SELECT count(*) AS tables FROM sqlite_schema").get() ?? {};
  if (applicationId === 0 && version === 0 && tables === 0) return true;
  throw new HarnessError("SESSION_FILE_INVALID", `${path} is another program's database, and is left as it is.`);
}

function pragma(database: DatabaseSync, name: "application_id" | "user_version"): number {
  return Number(database.prepare(`PRAGMA ${name}`).get()?.[name]);
}
