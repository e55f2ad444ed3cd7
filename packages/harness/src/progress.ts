import { snapshot } from "@hookscope/hooks";

import type { Message } from "./messages.ts";
import type { ModelClient, ThinkingEffort } from "./model.ts";
import type { LogGrowth } from "./session/session.ts";
import type { AgentState } from "./state.ts";

/** Where the rounds of a turn have got to. Kept outside the loop, so that an interrupt or an error loses nothing. */
export interface Progress {
  state: AgentState;
  turnCount: number;
  /** The last round's text. */
  finalText: string;
  model: { readonly client: ModelClient; readonly name: string };
  effort: ThinkingEffort | undefined;
  /** Told of each message that joins the log, when it does. */
  readonly onAppend?: ((message: Message, growth: LogGrowth) => void) | undefined;
}

export function append(progress: Pick<Progress, "state" | "onAppend">, message: Message): void {
  const appended = snapshot(message);
  const from = progress.state.messages;
  const to = Object.freeze([...from, appended]);
  progress.state = Object.freeze({ ...progress.state, messages: to });
  progress.onAppend?.(appended, { from, to });
}
