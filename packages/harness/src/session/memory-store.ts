import { HarnessError } from "../errors.ts";
import type { RecordedSession, SessionBackend, SessionCommit, SessionLog } from "./backend.ts";
import type { CommitMarker, SessionEntry, SessionHeader } from "./entries.ts";
import type { SessionStore, SessionSummary } from "./session.ts";
import { createSessionStore, type SessionStoreOptions } from "./store.ts";

/** Sessions that last as long as the store, and never touch a disk. */
export function createMemorySessionStore(options: SessionStoreOptions = {}): SessionStore {
  return createSessionStore(new MemoryBackend(), options);
}

interface Kept {
  readonly header: SessionHeader;
  readonly lines: string[];
  marker: CommitMarker;
  isOpen: boolean;
}

class MemoryBackend implements SessionBackend {
  readonly #sessions = new Map<string, Kept>();

  create(header: SessionHeader, first: SessionCommit): Promise<SessionLog> {
    if (this.#sessions.has(header.id)) {
      return Promise.reject(new HarnessError("SESSION_EXISTS", `there is a session "${header.id}" already.`));
    }
    const kept: Kept = { header, lines: [...first.lines], marker: first.marker, isOpen: true };
    this.#sessions.set(header.id, kept);
    return Promise.resolve(logOf(kept));
  }

  async open(id: string): Promise<{ session: RecordedSession; log: SessionLog }> {
    const kept = this.#unlocked(id);
    kept.isOpen = true;
    return { session: recordOf(kept), log: logOf(kept) };
  }

  async read(id: string): Promise<RecordedSession> {
    return recordOf(this.#find(id));
  }

  async list(): Promise<readonly SessionSummary[]> {
    return [...this.#sessions.values()].map(({ header, marker }) => summaryOf(header, marker));
  }

  async delete(id: string): Promise<void> {
    this.#unlocked(id);
    this.#sessions.delete(id);
  }

  #unlocked(id: string): Kept {
    const kept = this.#find(id);
    if (!kept.isOpen) return kept;
    throw new HarnessError("SESSION_LOCKED", `session "${id}" is open in this process already. Close it first.`);
  }

  #find(id: string): Kept {
    const kept = this.#sessions.get(id);
    if (kept !== undefined) return kept;
    throw new HarnessError("SESSION_NOT_FOUND", `there is no session "${id}".`);
  }
}

export function summaryOf(
  { id, cwd, createdAt, subagentOf }: SessionHeader,
  { timestamp, messages, title }: Pick<CommitMarker, "timestamp" | "messages" | "title">,
): SessionSummary {
  return {
    id,
    cwd,
    createdAt,
    updatedAt: timestamp,
    messages,
    ...(title === undefined ? {} : { title }),
    ...(subagentOf === undefined ? {} : { subagentOf }),
  };
}

function logOf(kept: Kept): SessionLog {
  return {
    append({ lines, marker }) {
      kept.lines.push(...lines);
      kept.marker = marker;
      return Promise.resolve();
    },
    close() {
      kept.isOpen = false;
      return Promise.resolve();
    },
  };
}

/** Kept as lines, so that nobody can change what was committed. */
function recordOf({ header, lines, marker }: Kept): RecordedSession {
  return { header, entries: lines.map((line) => JSON.parse(line) as SessionEntry), leaf: marker.leaf };
}
