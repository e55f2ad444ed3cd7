import { HarnessError } from "../errors.ts";
import { createAgentState, type AgentState } from "../state.ts";
import type { Session } from "./session.ts";

/** What a turn starts from: the state given, or else the session's, or else a new conversation. @throws HarnessError SESSION_MISMATCH */
export function startingState(session: Session | undefined, given: AgentState | undefined): AgentState {
  if (session === undefined) return given ?? createAgentState();
  if (given === undefined || given.sessionId === session.id) return given ?? session.state();
  throw new HarnessError(
    "SESSION_MISMATCH",
    `a state of session "${given.sessionId}" was given to a harness that records session "${session.id}". ` +
      "Leave the state out to resume that session.",
  );
}

/** A session that is resumed is not new, however short the branch its turn starts from. */
export function isFirstTurn(session: Session | undefined, state: AgentState): boolean {
  return state.messages.length === 0 && (session?.isNew ?? true);
}
