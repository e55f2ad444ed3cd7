import type { Clock } from "@hookscope/hooks";

import { HarnessError } from "../errors.ts";
import type { Message, UserMessage } from "../messages.ts";
import type { ModSession } from "../mod-session.ts";
import { freezeState, type AgentState } from "../state.ts";
import type { RecordedSession, SessionLog } from "./backend.ts";
import { commitOf, newEntryId, placeEntries } from "./commit.ts";
import { knowsAll, type KnownMessages } from "./diff.ts";
import type { SessionEntry, SessionHeader } from "./entries.ts";
import { exportSession } from "./export.ts";
import { createModSession } from "./mod-entries.ts";
import type { PendingItem } from "./pending.ts";
import { planCommit } from "./plan.ts";
import type { ChildRequest, CompactionRecord, ExportFormat, LogGrowth, Session } from "./session.ts";
import { busy, closed, readOnly } from "./session-errors.ts";
import { SessionTree } from "./tree.ts";
import { BranchView, compactionMessage } from "./view.ts";

/** What the one writer of a session has of its store. */
export interface SessionWriter {
  readonly log: SessionLog;
  createChild(child: ChildRequest): Promise<Session>;
  onClosed(): void;
}

/** A session over whatever log its store gives it; without a writer it can only be read. */
export class AgentSession implements Session {
  readonly header: SessionHeader;
  readonly #writer: SessionWriter | undefined;
  readonly #clock: Pick<Clock, "now">;
  readonly #tree: SessionTree;
  #view: BranchView;
  #leaf: string | null;
  #pending: PendingItem[] = [];
  /** The messages of the state last committed. The view's differ where a mod's message was not folded, or after a compaction. */
  #known: KnownMessages;
  /** The known messages, grown by those the loop appended since. */
  #grown: readonly Message[] | undefined;
  #writing: Promise<unknown> = Promise.resolve();
  #inTurn = false;
  #closed: Promise<void> | undefined;

  constructor(session: RecordedSession, clock: Pick<Clock, "now">, writer?: SessionWriter) {
    this.header = session.header;
    this.#writer = writer;
    this.#clock = clock;
    this.#tree = new SessionTree(session.entries);
    this.#leaf = session.leaf;
    this.#view = new BranchView(this.#tree.path(session.leaf));
    this.#known = knownOf(this.#view);
  }

  get id(): string {
    return this.header.id;
  }

  get title(): string | undefined {
    const given = this.#pending.findLast((item) => item.kind === "entry" && item.entry.type === "session_info");
    return given?.kind === "entry" && given.entry.type === "session_info" ? given.entry.title : this.#view.title;
  }

  get isNew(): boolean {
    return !this.#tree.hasMessages;
  }

  get leaf(): string | null {
    return this.#leaf;
  }

  state(): AgentState {
    const messages = this.#view.messages.map((placed) => placed.message);
    return freezeState({ sessionId: this.id, messages, modState: this.#view.modState() });
  }

  entries(): readonly SessionEntry[] {
    return this.#tree.all();
  }

  branchEntries(): readonly SessionEntry[] {
    return this.#tree.path(this.#leaf);
  }

  export(format: ExportFormat): string {
    return exportSession(this, format);
  }

  commit(state?: AgentState): Promise<void> {
    return this.#exclusively(() => this.#commit(state));
  }

  branch(from: string | null): Promise<AgentState> {
    return this.#exclusively(() => this.#branch(from));
  }

  modSession(modId: string): ModSession {
    return createModSession(modId, {
      buffer: (entry, message) => this.#buffer(entry, message),
      committed: (customType) => this.#view.customEntries(modId, customType),
      pending: () => this.#pending,
    });
  }

  messageAppended(message: Message, growth?: LogGrowth): void {
    this.#pending.push({ kind: "appended", timestamp: this.#clock.now(), message });
    if (growth !== undefined && growth.from === (this.#grown ?? this.#known.messages)) this.#grown = growth.to;
  }

  recordReply(text: string): void {
    this.#buffer({ type: "reply", text });
  }

  recordCompaction(compaction: CompactionRecord): { readonly entryId: string; readonly message: UserMessage } {
    this.#requireOpen();
    const id = newEntryId(this.#tree);
    this.#pending.push({ kind: "compaction", id, timestamp: this.#clock.now(), compaction });
    return { entryId: id, message: compactionMessage(compaction.summary) };
  }

  setTitle(title: string): void {
    this.#buffer({ type: "session_info", title });
  }

  async createChild(child: ChildRequest): Promise<Session> {
    return this.#requireOpen().createChild(child);
  }

  beginTurn(): () => void {
    this.#requireOpen();
    const release = this.#takeTurn();
    // What a turn that could not be committed left: these mean its messages, which are in no state of this one.
    this.#pending = this.#pending.filter((item) => item.kind === "entry");
    return release;
  }

  #takeTurn(): () => void {
    if (this.#inTurn) throw busy(this.id);
    this.#inTurn = true;
    return () => {
      this.#inTurn = false;
    };
  }

  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close(): Promise<void> {
    try {
      await this.#writing;
      if (this.#writer !== undefined) await this.#commit(undefined);
    } finally {
      this.#writer?.onClosed();
      await this.#writer?.log.close();
    }
  }

  /** A turn that began meanwhile would start from the branch that is being left. */
  async #branch(from: string | null): Promise<AgentState> {
    if (from !== null && !this.#tree.has(from)) {
      throw new HarnessError("SESSION_ENTRY_UNKNOWN", `session "${this.id}" has no entry "${from}".`);
    }
    const release = this.#takeTurn();
    try {
      await this.#commit(undefined);
      const view = new BranchView(this.#tree.path(from));
      await this.#requireWriter().log.append(commitOf([], { now: this.#clock.now(), leaf: from, view }));
      this.#leaf = from;
      this.#view = view;
      this.#know(knownOf(view));
      return this.state();
    } finally {
      release();
    }
  }

  async #commit(state: AgentState | undefined): Promise<void> {
    if (state !== undefined && state.sessionId !== this.id) {
      throw new HarnessError(
        "SESSION_MISMATCH",
        `a state of session "${state.sessionId}" was given to session "${this.id}".`,
      );
    }
    const taken = new Set(this.#pending.filter((item) => state !== undefined || item.kind !== "appended"));
    const now = this.#clock.now();
    const plan = planCommit({
      state,
      pending: [...taken],
      bases: [() => this.#known, ...(knowsAll(this.#known, this.#view.messages) ? [] : [() => knownOf(this.#view)])],
      isGrown: state !== undefined && state.messages === this.#grown,
      view: this.#view,
      now,
      newId: () => newEntryId(this.#tree),
    });
    if (plan.entries.length > 0) {
      const entries = placeEntries(plan.entries, this.#leaf);
      const leaf = entries.at(-1)?.id ?? this.#leaf;
      await this.#requireWriter().log.append(commitOf(entries, { now, leaf, view: this.#view }));
      for (const entry of entries) {
        this.#tree.add(entry);
        this.#view.apply(entry);
      }
      this.#leaf = leaf;
    }
    if (plan.known !== undefined) this.#know(plan.known());
    this.#pending = this.#pending.filter((item) => !taken.has(item));
  }

  #know(known: KnownMessages): void {
    this.#known = known;
    this.#grown = undefined;
  }

  #buffer(
    entry: Extract<PendingItem, { kind: "entry" }>["entry"],
    message?: UserMessage,
  ): PendingItem & { id: string } {
    this.#requireOpen();
    const item = { kind: "entry", id: newEntryId(this.#tree), timestamp: this.#clock.now(), entry } as const;
    const whole = message === undefined ? item : { ...item, message };
    this.#pending.push(whole);
    return whole;
  }

  /** One after another: each change starts from what the one before it made. */
  #exclusively<Value>(work: () => Promise<Value>): Promise<Value> {
    if (this.#closed !== undefined) return Promise.reject(closed(this.id));
    const done = this.#writing.then(work);
    this.#writing = done.catch(() => undefined);
    return done;
  }

  #requireWriter(): SessionWriter {
    if (this.#writer !== undefined) return this.#writer;
    throw readOnly(this.id);
  }

  #requireOpen(): SessionWriter {
    if (this.#closed !== undefined) throw closed(this.id);
    return this.#requireWriter();
  }
}

function knownOf(view: BranchView): KnownMessages {
  return { messages: view.messages.map((placed) => placed.message), ids: view.messages.map((placed) => placed.id) };
}
