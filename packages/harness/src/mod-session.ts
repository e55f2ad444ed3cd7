import type { JsonValue } from "@hookscope/hooks";

import type { UserMessage } from "./messages.ts";

/** An entry a mod wrote for itself: never sent to the model, never shown. */
export interface CustomEntry {
  readonly id: string;
  readonly timestamp: number;
  readonly customType: string;
  readonly data?: JsonValue;
}

/** A mod's part of the session's append-only file. */
export interface ModSession {
  appendCustomEntry(entry: { readonly customType: string; readonly data?: JsonValue }): { readonly entryId: string };
  /** The model sees `message` this turn only where the mod folds it onto the state it returns; later turns see it anyway. */
  appendCustomMessageEntry(entry: {
    readonly customType: string;
    readonly content: string;
    readonly display: boolean;
    readonly details?: JsonValue;
  }): { readonly entryId: string; readonly message: UserMessage };
  /** This mod's own entries of that type on the active branch, in file order. */
  getCustomEntries(filter: { readonly customType: string }): readonly CustomEntry[];
}
