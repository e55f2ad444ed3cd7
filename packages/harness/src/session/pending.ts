import type { Message, UserMessage } from "../messages.ts";
import type { CompactionRecord } from "./session.ts";
import type { SessionEntries, SessionEntryType } from "./entries.ts";

/** What happened since the last commit, in the order it happened. */
export type PendingItem = { readonly timestamp: number } & (
  | {
      readonly kind: "entry";
      readonly id: string;
      readonly entry: { [Type in SessionEntryType]: { readonly type: Type } & SessionEntries[Type] }[SessionEntryType];
      /** What a mod was given to fold onto its state. */
      readonly message?: UserMessage;
    }
  | { readonly kind: "compaction"; readonly id: string; readonly compaction: CompactionRecord }
  /** The loop appended a message. Its entry is written where the state that is committed holds it. */
  | { readonly kind: "appended"; readonly message: Message }
);
