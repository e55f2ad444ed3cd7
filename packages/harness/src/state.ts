import type { Message } from "./messages.ts";

/** What a conversation is between turns: serialisable, never mutated. */
export interface AgentState {
  readonly sessionId: string;
  readonly messages: readonly Message[];
  /** One slot per mod, by the mod's id. */
  readonly modState: Readonly<Record<string, unknown>>;
}

export function createAgentState(given: Partial<AgentState> = {}): AgentState {
  return { sessionId: crypto.randomUUID(), messages: [], modState: {}, ...given };
}
