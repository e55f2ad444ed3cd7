import { describeThrown } from "../describe-thrown.ts";
import { textOf, type Message } from "../messages.ts";
import { setModState } from "../mod-state.ts";
import type { AgentMod, ModContext } from "../mods.ts";
import { scopeOf, type TurnScope } from "../scope.ts";
import type { AgentState } from "../state.ts";
import { findTail } from "./boundary.ts";
import { compact } from "./compact.ts";
import { estimateTokens } from "./estimate.ts";
import { readLimits, type CompactionOptions } from "./options.ts";
import { applyRecord, belongsTo, COMPACTION_MOD_ID, fingerprintAt, recordOf, type CompactionRecord } from "./record.ts";
import { summaryMessage } from "./summary.ts";

/** Sessions whose last round was interrupted after a compaction; those of subagents never have another. */
const MAX_UNSAVED = 100;

/**
 * Shows the model a summary in place of a conversation's beginning, once the whole has grown past a threshold. The log stays
 * complete: the summary is kept in modState, and with the session. It belongs before every other mod, whose messages would
 * move what it counts.
 *
 * Where the summary cannot be had, the model sees what it saw before, and no second try is made in the same turn.
 *
 * @throws HarnessError HARNESS_OPTION_INVALID
 */
export function createCompactionMod(options: CompactionOptions = {}): AgentMod {
  const { thresholdTokens, keepTokens, timeoutMs } = readLimits(options);
  /** Made in a round that has not ended: a session's slot of modState can be written only where the round ends. */
  const unsaved = new Map<string, CompactionRecord>();
  const failed = new WeakSet<TurnScope>();

  return {
    id: COMPACTION_MOD_ID,
    // The model call has a limit of its own, which says more.
    timeoutMs: timeoutMs + 1_000,

    async transformContext({ messages, state }, ctx) {
      const scope = scopeOf(ctx as ModContext);
      const record = currentRecord(state, messages);
      const view = applyRecord(record, messages);
      const tokensBefore = estimateTokens(view);
      if (tokensBefore <= thresholdTokens || failed.has(scope)) return view;
      const tail = findTail(view, keepTokens);
      // A tail that only leaves the summary before it would have the summary summed up.
      if (tail === undefined || (record !== undefined && tail === 1)) return view;
      try {
        const summary = await compact(scope, { view, tail, tokensBefore, model: options.model, limitMs: timeoutMs });
        const covered = record === undefined ? tail : record.covered + tail - 1;
        const made = { summary, covered, fingerprint: fingerprintAt(messages, covered) };
        remember(state.sessionId, made);
        scope.session?.recordCompaction({ summary: textOf(summaryMessage(summary).content), firstKept: covered });
        return applyRecord(made, messages);
      } catch (thrown) {
        failed.add(scope);
        if (record === undefined || scope.signal.aborted) throw thrown;
        const error = scope.setup.core.redactText(describeThrown(thrown));
        scope.emit({ type: "mod_error", modId: COMPACTION_MOD_ID, hook: "transformContext", error });
        return view;
      }
    },

    onTurnEnd({ state }) {
      const made = unsaved.get(state.sessionId);
      if (made === undefined) return state;
      unsaved.delete(state.sessionId);
      return setModState({ state, modId: COMPACTION_MOD_ID, value: made });
    },
  };

  function remember(sessionId: string, made: CompactionRecord): void {
    unsaved.set(sessionId, made);
    const [oldest] = unsaved.keys();
    if (unsaved.size > MAX_UNSAVED && oldest !== undefined) unsaved.delete(oldest);
  }

  function currentRecord(state: AgentState, messages: readonly Message[]): CompactionRecord | undefined {
    const records = [unsaved.get(state.sessionId), recordOf(state)];
    return records.find((record) => record !== undefined && belongsTo(record, messages));
  }
}
