import type { JsonValue } from "@hookscope/hooks";

import type { Message } from "../messages.ts";

/** What the header of every session of ours says, so that another program's file is never taken for one. */
export const SESSION_PROGRAM = "hookscope";
export const SESSION_VERSION = 1;

/** The first line of a session. */
export interface SessionHeader {
  readonly type: "session";
  readonly program: typeof SESSION_PROGRAM;
  readonly version: typeof SESSION_VERSION;
  readonly id: string;
  /** The directory the session was started in. */
  readonly cwd: string;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  /** What the session was forked from: its entries up to `entryId` are copies. */
  readonly parent?: { readonly sessionId: string; readonly entryId: string | null };
  /** The call that started the subagent whose session this is. */
  readonly subagentOf?: SubagentOrigin;
}

export interface SubagentOrigin {
  readonly sessionId: string;
  readonly turnId: string;
  readonly toolCallId: string;
  /** What kind of subagent. */
  readonly type: string;
}

/** By type: what an entry carries beside its place in the tree. */
export interface SessionEntries {
  message: { readonly message: Message };
  /** A mod's own: never sent to the model, never shown. */
  custom: { readonly modId: string; readonly customType: string; readonly data?: JsonValue };
  /** A mod's word to the model: a user message with source `custom`. */
  custom_message: {
    readonly modId: string;
    readonly customType: string;
    readonly content: string;
    readonly display: boolean;
    readonly details?: JsonValue;
  };
  /** From here on the model sees `summary` in place of every message before `firstKept`; null: nothing was kept. */
  compaction: { readonly summary: string; readonly firstKept: string | null; readonly details?: JsonValue };
  /**
   * A mod replaced messages rather than appending some: what stands between `after` and `before` is now `messages`.
   * null is the beginning, or the end. The entries replaced stay where they are.
   */
  state: {
    readonly after: string | null;
    readonly before: string | null;
    readonly messages: readonly SplicedMessage[];
  };
  /** A mod's slot of modState as a whole; without `value` it was taken away. */
  mod_state: { readonly modId: string; readonly value?: JsonValue };
  /** What was sent, where a hook changed the reply; the model's own words are in the message before. */
  reply: { readonly text: string };
  session_info: { readonly title: string };
}

/** A message that is in no entry of its own, or one that is, moved here. */
export type SplicedMessage = { readonly message: Message } | { readonly entryId: string };

interface EntryPlace {
  readonly id: string;
  /** The entry before it on its branch; null for the first. */
  readonly parentId: string | null;
  /** Milliseconds since the epoch: when it happened, not when it was written. */
  readonly timestamp: number;
}

export type SessionEntryType = keyof SessionEntries;
export type SessionEntryOf<Type extends SessionEntryType> = { readonly type: Type } & EntryPlace & SessionEntries[Type];
export type SessionEntry = { [Type in SessionEntryType]: SessionEntryOf<Type> }[SessionEntryType];

/** An entry before it has a place on a branch. */
export type UnplacedEntry = {
  [Type in SessionEntryType]: { readonly type: Type } & Omit<EntryPlace, "parentId"> & SessionEntries[Type];
}[SessionEntryType];

/** The last line of a commit. What follows the last one of a file was never committed. */
export interface CommitMarker {
  readonly type: "commit";
  readonly timestamp: number;
  /** How many entries the commit has: the lines before this one. */
  readonly entries: number;
  /** The last entry of the active branch; null: the branch is empty. */
  readonly leaf: string | null;
  /** Messages of the active branch. */
  readonly messages: number;
  readonly title?: string;
}
