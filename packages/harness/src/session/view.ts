import { snapshot } from "@hookscope/hooks";

import { userMessage, type Message, type UserMessage } from "../messages.ts";
import type { CustomEntry } from "../mod-session.ts";
import type { SessionEntry, SessionEntryOf } from "./entries.ts";

export interface PlacedMessage {
  /** The entry it is of; `<entry>:<index>` where it is one of a `state` entry's. */
  readonly id: string;
  readonly message: Message;
}

/** What a branch comes to: its entries, applied one after another. */
export class BranchView {
  #messages: PlacedMessage[] = [];
  /** By mod, as JSON. */
  readonly #modState = new Map<string, string>();
  readonly #custom = new Map<string, Map<string, CustomEntry[]>>();
  #title: string | undefined;

  constructor(entries: readonly SessionEntry[]) {
    for (const entry of entries) this.apply(entry);
  }

  get messages(): readonly PlacedMessage[] {
    return this.#messages;
  }

  get title(): string | undefined {
    return this.#title;
  }

  modStateText(modId: string): string | undefined {
    return this.#modState.get(modId);
  }

  modIds(): readonly string[] {
    return [...this.#modState.keys()];
  }

  /** A copy nobody else holds. */
  modState(): Record<string, unknown> {
    return Object.fromEntries([...this.#modState].map(([modId, json]) => [modId, JSON.parse(json) as unknown]));
  }

  customEntries(modId: string, customType: string): readonly CustomEntry[] {
    return this.#custom.get(modId)?.get(customType) ?? [];
  }

  messageCountAfter(entries: readonly SessionEntry[]): number {
    if (entries.some(({ type }) => type === "state" || type === "compaction")) {
      const copy = new BranchView([]);
      copy.#messages = [...this.#messages];
      for (const entry of entries) copy.apply(entry);
      return copy.#messages.length;
    }
    return this.#messages.length + entries.filter(({ type }) => type === "message" || type === "custom_message").length;
  }

  apply(entry: SessionEntry): void {
    switch (entry.type) {
      case "message":
        this.#messages.push({ id: entry.id, message: snapshot(entry.message) });
        break;
      case "custom_message":
        this.#messages.push({ id: entry.id, message: customMessage(entry.content) });
        break;
      case "compaction":
        this.#compact(entry);
        break;
      case "state":
        this.#splice(entry);
        break;
      case "custom":
        this.#addCustom(entry);
        break;
      case "mod_state":
        if (entry.value === undefined) this.#modState.delete(entry.modId);
        else this.#modState.set(entry.modId, JSON.stringify(entry.value));
        break;
      case "session_info":
        this.#title = entry.title;
        break;
      case "reply":
        break;
    }
  }

  #compact({ id, summary, firstKept }: SessionEntryOf<"compaction">): void {
    const start = firstKept === null ? -1 : this.#indexOf(firstKept);
    const kept = start === -1 ? [] : this.#messages.slice(start);
    this.#messages = [{ id, message: compactionMessage(summary) }, ...kept];
  }

  /** A gap that a compaction took away wholly has nothing to change; one it took the front of begins after the summary. */
  #splice({ id, after, before, messages }: SessionEntryOf<"state">): void {
    if (before !== null && this.#indexOf(before) === -1) return;
    const moved = new Map<string, Message>();
    const wanted = new Set(messages.flatMap((item) => ("entryId" in item ? [item.entryId] : [])));
    const left = this.#messages.filter((placed) => {
      if (wanted.has(placed.id)) moved.set(placed.id, placed.message);
      return !wanted.has(placed.id);
    });
    const indexOf = (wantedId: string): number => left.findIndex((placed) => placed.id === wantedId);
    const start = after === null ? 0 : indexOf(after) === -1 ? lengthOfSummary(left) : indexOf(after) + 1;
    const end = before === null ? left.length : indexOf(before);
    const inserted = messages.flatMap((item, index): readonly PlacedMessage[] => {
      if ("message" in item) return [{ id: splicedId(id, index), message: snapshot(item.message) }];
      const message = moved.get(item.entryId);
      return message === undefined ? [] : [{ id: item.entryId, message }];
    });
    this.#messages = [...left.slice(0, start), ...inserted, ...left.slice(end)];
  }

  #indexOf(id: string): number {
    return this.#messages.findIndex((placed) => placed.id === id);
  }

  #addCustom({ id, timestamp, modId, customType, data }: SessionEntryOf<"custom">): void {
    let byType = this.#custom.get(modId);
    if (byType === undefined) this.#custom.set(modId, (byType = new Map()));
    let list = byType.get(customType);
    if (list === undefined) byType.set(customType, (list = []));
    list.push({ id, timestamp, customType, ...(data === undefined ? {} : { data }) });
  }
}

function lengthOfSummary(messages: readonly PlacedMessage[]): number {
  const first = messages[0]?.message;
  return first?.role === "user" && first.source === "compaction" ? 1 : 0;
}

export function splicedId(entryId: string, index: number): string {
  return `${entryId}:${index}`;
}

export function customMessage(content: string): UserMessage {
  return snapshot(userMessage(content, "custom"));
}

export function compactionMessage(summary: string): UserMessage {
  return snapshot(userMessage(summary, "compaction"));
}
