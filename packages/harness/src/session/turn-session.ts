import { HarnessError } from "../errors.ts";
import { createAgentState, type AgentState } from "../state.ts";
import { problemWithState } from "../state-problem.ts";
import type { Session } from "./session.ts";

/**
 * What a turn starts from: the state given, or else the session's, or else a new conversation.
 *
 * @throws HarnessError SESSION_MISMATCH, HARNESS_OPTION_INVALID where the state given is none
 */
export function startingState(session: Session | undefined, given: AgentState | undefined): AgentState {
  checkState(given);
  if (session === undefined) return given ?? createAgentState();
  if (given === undefined || given.sessionId === session.id) return given ?? session.state();
  throw new HarnessError(
    "SESSION_MISMATCH",
    `a state of session "${given.sessionId}" was given to a harness that records session "${session.id}". ` +
      "Leave the state out to resume that session.",
  );
}

/** It may come from a file, or another program. */
function checkState(given: AgentState | undefined): void {
  const problem = given === undefined ? undefined : problemWithState({ ...given }, undefined);
  if (problem === undefined) return;
  throw new HarnessError("HARNESS_OPTION_INVALID", `the \`state\` given to \`run\` cannot be used: ${problem}`);
}

/** A session that is resumed is not new, however short the branch its turn starts from. */
export function isFirstTurn(session: Session | undefined, state: AgentState): boolean {
  return state.messages.length === 0 && (session?.isNew ?? true);
}
