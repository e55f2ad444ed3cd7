import { createSystemClock, type Clock } from "@hookscope/hooks";

import { HarnessError } from "../errors.ts";
import { AgentSession } from "./agent-session.ts";
import type { RecordedSession, SessionBackend, SessionLog } from "./backend.ts";
import { commitOf } from "./commit.ts";
import { SESSION_PROGRAM, SESSION_VERSION, type SessionEntry, type SessionHeader } from "./entries.ts";
import type { Session, SessionStore, SessionSummary } from "./session.ts";
import { SessionTree } from "./tree.ts";
import { BranchView } from "./view.ts";

export interface SessionStoreOptions {
  /** Says when things happened; the machine's clock. */
  readonly clock?: Pick<Clock, "now">;
}

/** A store over a backend: all that sessions do is here, and only where they are kept is the backend's. */
export function createSessionStore(backend: SessionBackend, options: SessionStoreOptions = {}): SessionStore {
  return new BackedStore(backend, options.clock ?? createSystemClock());
}

class BackedStore implements SessionStore {
  readonly #backend: SessionBackend;
  readonly #clock: Pick<Clock, "now">;
  readonly #open = new Set<Session>();

  constructor(backend: SessionBackend, clock: Pick<Clock, "now">) {
    this.#backend = backend;
    this.#clock = clock;
  }

  create({
    id = crypto.randomUUID(),
    cwd = "",
  }: { readonly id?: string; readonly cwd?: string } = {}): Promise<Session> {
    return this.#create({ id, cwd }, []);
  }

  async open(id: string, { readOnly = false }: { readonly readOnly?: boolean } = {}): Promise<Session> {
    if (readOnly) return new AgentSession(await this.#backend.read(id), this.#clock);
    const { session, log } = await this.#backend.open(id);
    return this.#remember(session, log);
  }

  async list(): Promise<readonly SessionSummary[]> {
    return [...(await this.#backend.list())].sort((left, right) => right.updatedAt - left.updatedAt);
  }

  async fork(
    id: string,
    { from, id: ownId, cwd }: { readonly from?: string; readonly id?: string; readonly cwd?: string } = {},
  ): Promise<Session> {
    const source = await this.#backend.read(id);
    const tree = new SessionTree(source.entries);
    if (from !== undefined && !tree.has(from)) {
      throw new HarnessError("SESSION_ENTRY_UNKNOWN", `session "${id}" has no entry "${from}".`);
    }
    const leaf = from ?? source.leaf;
    const parent = { sessionId: id, entryId: leaf };
    return this.#create({ id: ownId ?? crypto.randomUUID(), cwd: cwd ?? source.header.cwd, parent }, tree.path(leaf));
  }

  /** The session first: where it cannot be deleted, nothing under it is. Then each one under it, whatever befell the others. */
  async delete(id: string): Promise<void> {
    await this.#backend.delete(id);
    const under = descendants(id, await this.#backend.list());
    throwFirst(await Promise.allSettled(under.map((each) => this.#backend.delete(each))));
  }

  async close(): Promise<void> {
    const closed = await Promise.allSettled([...this.#open].map((session) => session.close()));
    await this.#backend.close?.();
    throwFirst(closed);
  }

  async #create(
    { id, ...given }: Pick<SessionHeader, "id" | "cwd" | "parent" | "subagentOf">,
    entries: readonly SessionEntry[],
  ): Promise<Session> {
    if (typeof id !== "string" || id === "" || !id.isWellFormed()) {
      throw new HarnessError(
        "SESSION_ID_INVALID",
        `${JSON.stringify(id)} is no id: it must be a text that is not empty.`,
      );
    }
    const now = this.#clock.now();
    const header: SessionHeader = {
      type: "session",
      program: SESSION_PROGRAM,
      version: SESSION_VERSION,
      id,
      createdAt: now,
      ...given,
    };
    const leaf = entries.at(-1)?.id ?? null;
    const log = await this.#backend.create(header, commitOf(entries, { now, leaf, view: new BranchView([]) }));
    return this.#remember({ header, entries, leaf }, log);
  }

  #remember(recorded: RecordedSession, log: SessionLog): Session {
    const { id: sessionId, cwd } = recorded.header;
    const session = new AgentSession(recorded, this.#clock, {
      log,
      createChild: ({ id, ...origin }) => this.#create({ id, cwd, subagentOf: { sessionId, ...origin } }, []),
      onClosed: () => void this.#open.delete(session),
    });
    this.#open.add(session);
    return session;
  }
}

/** The sessions of a session's subagents, and of theirs. */
function descendants(id: string, summaries: readonly SessionSummary[]): readonly string[] {
  const family = new Set([id]);
  // A set tells of what is added while it is gone through.
  for (const parent of family) {
    for (const { id: child, subagentOf } of summaries) if (subagentOf?.sessionId === parent) family.add(child);
  }
  return [...family].slice(1);
}

function throwFirst(results: readonly PromiseSettledResult<unknown>[]): void {
  const failed = results.find((result) => result.status === "rejected");
  if (failed !== undefined) throw failed.reason as Error;
}
