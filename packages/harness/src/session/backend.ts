import type { CommitMarker, SessionEntry, SessionHeader } from "./entries.ts";
import type { SessionSummary } from "./session.ts";

/** One commit, as objects and as lines of JSON. Entries and marker become durable together, or not at all. */
export interface SessionCommit {
  readonly entries: readonly SessionEntry[];
  readonly lines: readonly string[];
  readonly marker: CommitMarker;
}

export interface RecordedSession {
  readonly header: SessionHeader;
  /** In the order they were written. */
  readonly entries: readonly SessionEntry[];
  readonly leaf: string | null;
}

/** The one writer of a session. */
export interface SessionLog {
  /** Resolves once the commit is durable. Rejects with nothing of it visible, now or at the next open. */
  append(commit: SessionCommit): Promise<void>;
  /** Lets the session go, so that another may open it. */
  close(): Promise<void>;
}

/**
 * Where sessions are kept. `createSessionStore` makes a SessionStore of it, and SESSION_STORE_CONFORMANCE of
 * `@hookscope/testing` says whether that one is right. Errors are those of SessionStore's methods.
 */
export interface SessionBackend {
  /** Makes a session with its first commit in it, locked for the caller. */
  create(header: SessionHeader, first: SessionCommit): Promise<SessionLog>;
  /** Locks a session and reads it. */
  open(id: string): Promise<{ readonly session: RecordedSession; readonly log: SessionLog }>;
  /** Reads what is committed, beside whoever writes. */
  read(id: string): Promise<RecordedSession>;
  list(): Promise<readonly SessionSummary[]>;
  delete(id: string): Promise<void>;
  close?(): Promise<void>;
}
