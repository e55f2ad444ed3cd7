import type { Usage } from "@hookscope/hooks";

import type { AgentState } from "./state.ts";

export type StopReason =
  | "end_turn"
  /** a mod dealt with the message: no model was asked */
  | "handled"
  | "stop_hook"
  | "terminate"
  | "max_turns"
  | "permission_denied"
  | "error"
  | "interrupted";

/** How a turn ended. */
export interface RunResult {
  /** The reply, as transforms left it; empty where there is none. */
  readonly finalText: string;
  readonly stopReason: StopReason;
  /** Rounds. */
  readonly turnCount: number;
  /** All model calls of the turn, failed attempts included where their usage is known; without subagents. */
  readonly usage: Usage;
  readonly state: AgentState;
  readonly turnId: string;
  readonly sessionId: string;
  /** Absent where the turn was not recorded. */
  readonly traceId?: string | undefined;
  readonly error?: Error | undefined;
}
