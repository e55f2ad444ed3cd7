import type { JsonValue } from "@hookscope/hooks";

import type { Message, UserMessage } from "../messages.ts";
import type { ModSession } from "../mod-session.ts";
import type { AgentState } from "../state.ts";
import type { SessionEntry, SessionHeader, SubagentOrigin } from "./entries.ts";

export type ExportFormat = "json" | "markdown";

/** A log of messages before one was appended, and after. */
export interface LogGrowth {
  readonly from: readonly Message[];
  readonly to: readonly Message[];
}

/** A subagent's session to be, but for the session it is under. */
export interface ChildRequest extends Omit<SubagentOrigin, "sessionId"> {
  readonly id: string;
}

export interface CompactionRecord {
  /** The whole text the model is to see in place of what was left out. */
  readonly summary: string;
  /** The first message that was kept: its index in the messages of the state at hand. Their number: none was. */
  readonly firstKept: number;
  readonly details?: JsonValue;
}

/**
 * A conversation under way: an append-only tree of entries, of which one branch is active. Whoever holds the handle is the
 * session's only writer. What is added is buffered and becomes durable with the next commit, whole or not at all.
 */
export interface Session {
  readonly id: string;
  readonly header: SessionHeader;
  readonly title: string | undefined;
  /** No message was ever recorded in it, on any branch. */
  readonly isNew: boolean;
  /** The last committed entry of the active branch; null: it is empty. */
  readonly leaf: string | null;

  /** The active branch as the next turn sees it: custom messages as user messages, compactions made, modState. */
  state(): AgentState;
  /** Every committed entry of every branch, in file order. */
  entries(): readonly SessionEntry[];
  /** Those of the active branch. */
  branchEntries(): readonly SessionEntry[];
  /** JSON: the header and all entries, as written. Markdown: the active branch, to be read. */
  export(format: ExportFormat): string;

  /**
   * Writes what is buffered, and of `state` what changed since the last commit: the work does not grow with the session.
   * Messages that were replaced rather than appended become a `state` entry; what was recorded of them stays.
   *
   * @throws HarnessError SESSION_NOT_WRITABLE, SESSION_LOCKED, SESSION_ENTRY_INVALID, MOD_STATE_INVALID, SESSION_CLOSED,
   *   SESSION_MISMATCH; then nothing of the commit is in the session, and what was buffered still is
   */
  commit(state?: AgentState): Promise<void>;
  /**
   * Makes the branch that ends with this entry the active one; null: an empty one. Nothing is taken away: the branch that
   * was active stays in the tree.
   *
   * @throws HarnessError SESSION_ENTRY_UNKNOWN, SESSION_BUSY, and what `commit` throws
   */
  branch(from: string | null): Promise<AgentState>;

  /** A mod's part of it. */
  modSession(modId: string): ModSession;
  /**
   * Says that the loop appended the message just now, so that its entry has the time of that and not of the commit.
   *
   * @param growth where the state that is committed has these messages, nothing needs to be compared
   */
  messageAppended(message: Message, growth?: LogGrowth): void;
  /** What was sent in place of the model's last words. */
  recordReply(text: string): void;
  recordCompaction(compaction: CompactionRecord): { readonly entryId: string; readonly message: UserMessage };
  setTitle(title: string): void;

  /**
   * A subagent's session, kept where this one is and under it. Whoever asks for it closes it.
   *
   * @throws HarnessError SESSION_CLOSED, and what the store's `create` throws
   */
  createChild(child: ChildRequest): Promise<Session>;
  /** Claims the session for one turn; the function returned gives it back. @throws HarnessError SESSION_BUSY */
  beginTurn(): () => void;
  /** Writes what is buffered, then lets the session go. A second call does nothing. */
  close(): Promise<void>;
}

export interface SessionSummary {
  readonly id: string;
  readonly cwd: string;
  readonly createdAt: number;
  /** When the last commit was made. */
  readonly updatedAt: number;
  /** Messages of the active branch. */
  readonly messages: number;
  readonly title?: string;
  /** Set where it is a subagent's. */
  readonly subagentOf?: SubagentOrigin;
  /** Why it cannot be opened; the other fields are then empty or 0. */
  readonly problem?: string;
}

export interface SessionStore {
  /** @throws HarnessError SESSION_EXISTS, SESSION_ID_INVALID, SESSION_NOT_WRITABLE */
  create(options?: { readonly id?: string; readonly cwd?: string }): Promise<Session>;
  /**
   * Resumes a session.
   *
   * @param options.readOnly reads it beside its writer: nothing is locked or mended, and nothing can be added
   * @throws HarnessError SESSION_NOT_FOUND, SESSION_LOCKED, SESSION_FILE_INVALID, SESSION_VERSION_NEWER, SESSION_NOT_WRITABLE
   */
  open(id: string, options?: { readonly readOnly?: boolean }): Promise<Session>;
  /** All of them, the last used first. One that cannot be read is among them, with its problem. */
  list(): Promise<readonly SessionSummary[]>;
  /**
   * A new session that begins with a copy of another's branch; the other may be open elsewhere, and is not changed.
   *
   * @param options.from the last entry copied; default: the last of the active branch
   * @throws HarnessError SESSION_ENTRY_UNKNOWN, and what `open` and `create` throw
   */
  fork(id: string, options?: { readonly from?: string; readonly id?: string; readonly cwd?: string }): Promise<Session>;
  /**
   * With the sessions of its subagents.
   *
   * @throws HarnessError SESSION_NOT_FOUND, SESSION_LOCKED, SESSION_NOT_WRITABLE
   */
  delete(id: string): Promise<void>;
  /** Closes the sessions it opened. */
  close(): Promise<void>;
}
