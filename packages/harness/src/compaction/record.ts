import type { Message } from "../messages.ts";
import { getModState } from "../mod-state.ts";
import type { AgentState } from "../state.ts";
import { summaryMessage } from "./summary.ts";

export const COMPACTION_MOD_ID = "compaction";

/** A compaction that was made: the first `covered` messages of the log are `summary` to the model. */
export interface CompactionRecord {
  readonly summary: string;
  readonly covered: number;
  /** Of the messages on both sides of the seam: a log that was branched, or resumed with the notes in it, is another log. */
  readonly fingerprint: string;
}

export function recordOf(state: AgentState): CompactionRecord | undefined {
  return getModState<CompactionRecord>({ state, modId: COMPACTION_MOD_ID });
}

export function belongsTo(record: CompactionRecord, messages: readonly Message[]): boolean {
  return record.covered < messages.length && fingerprintAt(messages, record.covered) === record.fingerprint;
}

/** What the model sees of the messages. Without a record they are the same. */
export function applyRecord(record: CompactionRecord | undefined, messages: readonly Message[]): readonly Message[] {
  return record === undefined ? messages : [summaryMessage(record.summary), ...messages.slice(record.covered)];
}

/** Tells logs apart, no more: 32 bits of FNV-1a over the JSON of two messages. */
export function fingerprintAt(messages: readonly Message[], covered: number): string {
  let hash = 0x811c9dc5;
  const json = JSON.stringify(messages.slice(covered - 1, covered + 1));
  for (let index = 0; index < json.length; index += 1) {
    hash = Math.imul(hash ^ json.charCodeAt(index), 0x01000193);
  }
  return `${json.length}-${(hash >>> 0).toString(16)}`;
}
