import type { JsonValue } from "@hookscope/hooks";

import { HarnessError } from "../errors.ts";
import type { Message } from "../messages.ts";
import { findUnserialisable } from "../mod-state.ts";
import type { AgentState } from "../state.ts";
import { isMessage } from "./decode.ts";
import { diffMessages, grownFrom, isSame, type KnownMessages, type MessageChange } from "./diff.ts";
import type { SplicedMessage, UnplacedEntry } from "./entries.ts";
import type { PendingItem } from "./pending.ts";
import { splicedId, type BranchView } from "./view.ts";

export interface Plan {
  readonly entries: readonly UnplacedEntry[];
  /** What the session knows once the entries are written; undefined where no state was given. */
  readonly known: (() => KnownMessages) | undefined;
}

export interface PlanInput {
  readonly state: AgentState | undefined;
  readonly pending: readonly PendingItem[];
  /** What the state may have grown from, the likeliest first. */
  readonly bases: readonly [() => KnownMessages, ...(() => KnownMessages)[]];
  /** The state's messages are the first base's and what was appended since. */
  readonly isGrown: boolean;
  readonly view: BranchView;
  readonly now: number;
  readonly newId: () => string;
}

/**
 * The entries of a commit, in the order things happened. Nothing is changed by planning.
 *
 * @throws HarnessError MOD_STATE_INVALID, SESSION_ENTRY_INVALID
 */
export function planCommit(input: PlanInput): Plan {
  const { state, pending } = input;
  const writer = new MessageWriter(input);
  for (const item of pending) writer.add(item);
  writer.finish();
  return {
    entries: [...writer.entries, ...(state === undefined ? [] : modStateEntries(input, state))],
    known: state === undefined ? undefined : () => writer.known(),
  };
}

type FoldableItem = Extract<PendingItem, { readonly kind: "entry" }>;

/** Walks the messages of the state and what happened beside them, so that each is written in its place. */
class MessageWriter {
  readonly entries: UnplacedEntry[] = [];
  readonly #input: PlanInput;
  readonly #messages: readonly Message[];
  readonly #change: MessageChange;
  readonly #times = new Map<Message, number>();
  /** By index, for messages that are written or referred to. */
  readonly #ids = new Map<number, string>();
  readonly #written = new Set<PendingItem>();
  #next: number;

  constructor(input: PlanInput) {
    this.#input = input;
    this.#messages = input.state?.messages ?? input.bases[0]().messages;
    for (const item of input.pending) if (item.kind === "appended") this.#times.set(item.message, item.timestamp);
    this.#change = input.isGrown
      ? grownFrom(input.bases[0]())
      : diffMessages(input.bases, this.#messages, (message) => this.#times.has(message));
    for (let index = this.#change.kept; index < this.#messages.length; index += 1) {
      checkMessage(this.#messages[index], index);
    }
    this.#next = this.#change.appendedFrom;
    for (let index = this.#next; index < this.#messages.length; index += 1) {
      this.#ids.set(index, this.#foldedCustom(index)?.id ?? input.newId());
    }
    this.#writeSplice();
  }

  add(item: PendingItem): void {
    const index = this.#indexOf(item);
    if (index !== -1) this.#writeUntil(index + 1);
    if (item.kind === "appended" || this.#written.has(item)) return;
    if (item.kind === "entry") {
      this.entries.push({ ...item.entry, id: item.id, timestamp: item.timestamp });
    } else {
      const { firstKept, ...compaction } = item.compaction;
      const { id, timestamp } = item;
      this.entries.push({ type: "compaction", id, timestamp, firstKept: this.#idAt(firstKept), ...compaction });
    }
  }

  finish(): void {
    this.#writeUntil(this.#messages.length);
  }

  known(): KnownMessages {
    const { base, splice } = this.#change;
    if (splice !== undefined) {
      return { messages: this.#messages, ids: this.#messages.map((_, index) => this.#idAt(index) as string) };
    }
    // Appended in place: a copy would make a commit dearer the longer the session is.
    for (let index = base.ids.length; index < this.#messages.length; index += 1) {
      base.ids.push(this.#idAt(index) as string);
    }
    return { messages: this.#messages, ids: base.ids };
  }

  /** First of all, so that what stands between its ends is what stood there at the last commit. */
  #writeSplice(): void {
    const { splice, base, kept } = this.#change;
    if (splice === undefined) return;
    const id = this.#input.newId();
    const messages: SplicedMessage[] = [];
    for (let index = kept; index < splice.until; index += 1) {
      const folded = this.#foldedCustom(index);
      this.#ids.set(index, folded?.id ?? splicedId(id, index - kept));
      if (folded === undefined) {
        messages.push({ message: this.#messages[index] as Message });
      } else {
        this.#writeFolded(folded);
        messages.push({ entryId: folded.id });
      }
    }
    this.entries.push({
      type: "state",
      id,
      timestamp: this.#input.now,
      after: base.ids[kept - 1] ?? null,
      before: base.ids[splice.resumesAt] ?? null,
      messages,
    });
  }

  #writeUntil(end: number): void {
    for (; this.#next < end; this.#next += 1) {
      const message = this.#messages[this.#next] as Message;
      const folded = this.#foldedCustom(this.#next);
      if (folded === undefined) {
        const timestamp = this.#times.get(message) ?? this.#input.now;
        this.entries.push({ type: "message", id: this.#ids.get(this.#next) as string, timestamp, message });
      } else {
        this.#writeFolded(folded);
      }
    }
  }

  #writeFolded(item: FoldableItem): void {
    this.#written.add(item);
    this.entries.push({ ...item.entry, id: item.id, timestamp: item.timestamp });
  }

  /** Where the state holds the message of the item, among those that were appended; -1: nowhere. */
  #indexOf(item: PendingItem): number {
    if (item.kind === "compaction" || item.message === undefined) return -1;
    for (let index = this.#change.appendedFrom; index < this.#messages.length; index += 1) {
      if (this.#messages[index] === item.message || this.#foldedCustom(index) === item) return index;
    }
    return -1;
  }

  #foldedCustom(index: number): FoldableItem | undefined {
    const message = this.#messages[index];
    if (message?.role !== "user" || message.source !== "custom") return undefined;
    const foldable = this.#input.pending.filter(
      (item): item is FoldableItem => item.kind === "entry" && item.message !== undefined,
    );
    return foldable.find((item) => item.message === message) ?? foldable.find((item) => isSame(item.message, message));
  }

  /** The entry of a message of the state; null past its end. */
  #idAt(index: number): string | null {
    const { base, kept, splice } = this.#change;
    if (index < kept) return base.ids[index] ?? null;
    const own = this.#ids.get(index);
    if (own !== undefined) return own;
    return splice === undefined ? null : (base.ids[index - splice.until + splice.resumesAt] ?? null);
  }
}

function checkMessage(message: unknown, index: number): void {
  const problem = isMessage(message) ? findUnserialisable(message, `messages[${index}]`, []) : "it is no message.";
  if (problem !== undefined) {
    throw new HarnessError("SESSION_ENTRY_INVALID", `messages[${index}] of the state cannot be recorded: ${problem}`);
  }
}

function modStateEntries({ view, now, newId }: PlanInput, { modState }: AgentState): readonly UnplacedEntry[] {
  const entries: UnplacedEntry[] = [];
  for (const [modId, value] of Object.entries(modState)) {
    if (value === undefined) continue;
    const problem = findUnserialisable(value, "value", []);
    if (problem !== undefined) throw new HarnessError("MOD_STATE_INVALID", `modState of mod "${modId}": ${problem}`);
    const json = JSON.stringify(value);
    if (view.modStateText(modId) === json) continue;
    entries.push({ type: "mod_state", id: newId(), timestamp: now, modId, value: JSON.parse(json) as JsonValue });
  }
  for (const modId of view.modIds()) {
    if (Object.hasOwn(modState, modId) && modState[modId] !== undefined) continue;
    entries.push({ type: "mod_state", id: newId(), timestamp: now, modId });
  }
  return entries;
}
