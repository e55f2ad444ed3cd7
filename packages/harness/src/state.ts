import { snapshot } from "@hookscope/hooks";

import type { Message } from "./messages.ts";

/** What a conversation is between turns: serialisable, never mutated. */
export interface AgentState {
  readonly sessionId: string;
  readonly messages: readonly Message[];
  /** One slot per mod, by the mod's id. */
  readonly modState: Readonly<Record<string, unknown>>;
}

/** So that a mod cannot change the log or a slot in place, now or later: what it wants changed, it returns. */
export function freezeState(state: AgentState): AgentState {
  return Object.freeze({
    ...state,
    messages: Object.isFrozen(state.messages)
      ? state.messages
      : Object.freeze(state.messages.map((message) => snapshot(message))),
    modState: snapshot(state.modState),
  });
}

export function createAgentState(given: Partial<AgentState> = {}): AgentState {
  return { sessionId: crypto.randomUUID(), messages: [], modState: {}, ...given };
}
