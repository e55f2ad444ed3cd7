import { messagesForSpan } from "./content.ts";
import { userMessage, type UserMessage } from "./messages.ts";
import { invokeMod } from "./mod-runner.ts";
import { append, type Progress } from "./progress.ts";
import type { TurnScope } from "./scope.ts";
import { isFirstTurn } from "./session/turn-session.ts";

/** The user's message as mods left it. `handled`: a mod dealt with it, and no model is asked. */
export interface TakenInput {
  readonly text: string;
  readonly handled: boolean;
}

/**
 * Takes the user's message into the turn: `transformInput` of each mod in order, the next seeing the last one's text, then
 * the log. A message that a mod handled does not join the log. A subagent's task is no person's message and passes as it is.
 *
 * @throws Interruption; the message is in the log then, as far as it had come
 */
export async function takeInput(
  scope: TurnScope,
  progress: Progress,
  userInput: string | undefined,
): Promise<TakenInput> {
  let text = userInput ?? "";
  let handled = false;
  try {
    if (scope.depth === 0) {
      await startModSession(scope, progress);
      if (userInput === undefined) return { text, handled };
      for (const site of scope.setup.mods.with("transformInput")) {
        const answer = await invokeMod(scope, site, { hook: "transformInput", params: { text } });
        if (answer.failed || answer.value === undefined || answer.value === null) continue;
        if (answer.value.action === "transform") text = answer.value.text;
        if (answer.value.action === "handled") {
          handled = true;
          progress.finalText = answer.value.message ?? "";
          return { text, handled };
        }
      }
    }
    return { text, handled };
  } finally {
    if (userInput !== undefined && !handled) addToLog(scope, progress, userMessage(text));
  }
}

function addToLog(scope: TurnScope, progress: Progress, message: UserMessage): void {
  append(progress, message);
  if (scope.setup.recordContent) scope.span.set({ "gen_ai.input.messages": messagesForSpan(scope, [message]) });
}

/** Once per session and harness, before its first message is taken. */
async function startModSession(scope: TurnScope, { state }: Progress): Promise<void> {
  const { startedSessions, mods } = scope.setup;
  const { session } = scope;
  if (startedSessions.has(state.sessionId)) return;
  startedSessions.add(state.sessionId);
  const source = isFirstTurn(session, state) ? "startup" : "resume";
  const params = { source, sessionId: state.sessionId } as const;
  for (const site of mods.with("onSessionStart")) {
    await invokeMod(scope, site, { hook: "onSessionStart", params });
  }
}
