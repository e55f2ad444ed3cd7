import { createSystemClock, type Clock } from "@hookscope/hooks";
import type { DatabaseSync } from "node:sqlite";

import { HarnessError } from "../../errors.ts";
import type { RecordedSession, SessionBackend, SessionCommit, SessionLog } from "../backend.ts";
import { decodeEntry, decodeHeader, decodeMarker, invalid } from "../decode.ts";
import type { CommitMarker, SessionEntry, SessionHeader } from "../entries.ts";
import { misplacement } from "../placement.ts";
import { summaryOf } from "../memory-store.ts";
import { createHolder, decodeHolder, describeHolder, mayBeAlive, type Holder } from "../process-identity.ts";
import type { SessionStore, SessionSummary } from "../session.ts";
import { createSessionStore } from "../store.ts";
import { describeDatabaseError, openSessionDatabase, transact } from "./open-database.ts";

export interface SqliteStoreOptions {
  /** The database; made where it is missing. It holds sessions and nothing else. */
  readonly path: string;
  /** `commit`: a commit is on the disk when it resolves. `never`: it is with the operating system. `commit`. */
  readonly sync?: "commit" | "never";
  readonly clock?: Pick<Clock, "now">;
}

/**
 * Sessions in one SQLite database, each with one writer at a time, whatever the process. A commit is a transaction.
 *
 * @throws HarnessError SESSION_NOT_WRITABLE, SESSION_FILE_INVALID, SESSION_VERSION_NEWER
 */
export function createSqliteSessionStore(options: SqliteStoreOptions): SessionStore {
  const clock = options.clock ?? createSystemClock();
  return createSessionStore(new SqliteBackend(options.path, options.sync !== "never"), { clock });
}

interface SessionRow {
  readonly header: string;
  readonly marker: string;
  readonly holder: string | null;
}

class SqliteBackend implements SessionBackend {
  readonly #path: string;
  readonly #database: DatabaseSync;

  constructor(path: string, isSynced: boolean) {
    this.#path = path;
    this.#database = openSessionDatabase(path, isSynced);
  }

  async create(header: SessionHeader, first: SessionCommit): Promise<SessionLog> {
    const holder = createHolder();
    this.#transact((database) => {
      if (this.#find(header.id) !== undefined) {
        throw new HarnessError("SESSION_EXISTS", `there is a session "${header.id}" in ${this.#path} already.`);
      }
      database
        .prepare("INSERT INTO sessions (id, header, marker, holder) VALUES (?, ?, ?, ?)")
        .run(header.id, JSON.stringify(header), JSON.stringify(first.marker), JSON.stringify(holder));
      insertLines(database, header.id, 0, first.lines);
    });
    return this.#logOf(header.id, holder, first.lines.length);
  }

  async open(id: string): Promise<{ session: RecordedSession; log: SessionLog }> {
    const holder = createHolder();
    const session = this.#transact((database) => {
      const recorded = this.#record(id, this.#unlocked(id));
      database.prepare("UPDATE sessions SET holder = ? WHERE id = ?").run(JSON.stringify(holder), id);
      return recorded;
    });
    return { session, log: this.#logOf(id, holder, session.entries.length) };
  }

  async read(id: string): Promise<RecordedSession> {
    return this.#transact(() => this.#record(id, this.#require(id)));
  }

  async list(): Promise<readonly SessionSummary[]> {
    const rows = this.#transact((database) => database.prepare("SELECT id, header, marker FROM sessions").all());
    return rows.map((row) => this.#summarise(String(row["id"]), row as unknown as SessionRow));
  }

  async delete(id: string): Promise<void> {
    this.#transact((database) => {
      this.#unlocked(id);
      database.prepare("DELETE FROM sessions WHERE id = ?").run(id);
    });
  }

  async close(): Promise<void> {
    if (this.#database.isOpen) this.#database.close();
  }

  #logOf(id: string, { token }: Holder, length: number): SessionLog {
    let position = length;
    const isHeld = (): boolean => decodeHolder(this.#find(id)?.holder ?? "")?.token === token;
    return {
      append: async ({ lines, marker }) => {
        this.#transact((database) => {
          if (!isHeld())
            throw this.#locked(id, "its lock was taken away. Nothing was written; open the session again.");
          insertLines(database, id, position, lines);
          database.prepare("UPDATE sessions SET marker = ? WHERE id = ?").run(JSON.stringify(marker), id);
        });
        position += lines.length;
      },
      close: async () => {
        if (!this.#database.isOpen) return;
        this.#transact((database) => {
          if (isHeld()) database.prepare("UPDATE sessions SET holder = NULL WHERE id = ?").run(id);
        });
      },
    };
  }

  #unlocked(id: string): SessionRow {
    const row = this.#require(id);
    const holder = decodeHolder(row.holder ?? "");
    if (holder !== undefined && mayBeAlive(holder)) throw this.#locked(id, `${describeHolder(holder)}.`);
    return row;
  }

  #require(id: string): SessionRow {
    const row = this.#find(id);
    if (row !== undefined) return row;
    throw new HarnessError("SESSION_NOT_FOUND", `there is no session "${id}" in ${this.#path}.`);
  }

  #find(id: string): SessionRow | undefined {
    return this.#database.prepare("SELECT header, marker, holder FROM sessions WHERE id = ?").get(id) as
      | SessionRow
      | undefined;
  }

  #record(id: string, row: SessionRow): RecordedSession {
    const where = `session "${id}" in ${this.#path}`;
    const lines = this.#database
      .prepare("SELECT entry FROM entries WHERE session_id = ? ORDER BY position")
      .all(id)
      .map((line) => String(line["entry"]));
    const ids = new Set<string>();
    const entries = lines.map((line, index) => requireEntry(line, index, ids, where));
    const { leaf } = requireMarker(row, where);
    if (leaf !== null && !ids.has(leaf))
      throw invalid(where, `its last commit names no entry that is there, "${leaf}".`);
    return { header: decodeHeader(parse(row.header), id, where), entries, leaf };
  }

  #summarise(id: string, row: SessionRow): SessionSummary {
    const where = `session "${id}" in ${this.#path}`;
    try {
      return summaryOf(decodeHeader(parse(row.header), id, where), requireMarker(row, where));
    } catch (error) {
      const problem = error instanceof Error ? error.message : String(error);
      return { id, cwd: "", createdAt: 0, updatedAt: 0, messages: 0, problem };
    }
  }

  #locked(id: string, why: string): HarnessError {
    return new HarnessError("SESSION_LOCKED", `session "${id}" in ${this.#path}: ${why}`);
  }

  #transact<Value>(work: (database: DatabaseSync) => Value): Value {
    try {
      return transact(this.#database, work);
    } catch (error) {
      throw describeDatabaseError(this.#path, error);
    }
  }
}

function insertLines(database: DatabaseSync, id: string, position: number, lines: readonly string[]): void {
  const insert = database.prepare("INSERT INTO entries (session_id, position, entry) VALUES (?, ?, ?)");
  for (const [index, line] of lines.entries()) insert.run(id, position + index, line);
}

/** @param ids of the entries before it, which it joins */
function requireEntry(line: string, index: number, ids: Set<string>, where: string): SessionEntry {
  const entry = decodeEntry(parse(line));
  const problem = entry === undefined ? "is none." : misplacement(entry, ids);
  if (entry === undefined || problem !== undefined) throw invalid(where, `entry ${index + 1} ${problem}`);
  ids.add(entry.id);
  return entry;
}

function requireMarker({ marker }: SessionRow, where: string): CommitMarker {
  const decoded = decodeMarker(parse(marker));
  if (decoded === undefined) throw invalid(where, "its last commit has no marker.");
  return decoded;
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json) as unknown;
  } catch {
    return undefined;
  }
}
