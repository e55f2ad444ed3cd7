import { getModState, setModState } from "../mod-state.ts";
import type { AgentMod, ModContext } from "../mods.ts";
import { textOf, userMessage } from "../messages.ts";
import { callModel } from "../model-call.ts";
import type { ModelClient } from "../model.ts";
import { scopeOf, type TurnScope } from "../scope.ts";
import type { AgentState } from "../state.ts";

export const TITLING_MOD_ID = "titling";

const SYSTEM_PROMPT =
  "You name conversations. Answer with a title of at most seven words for the one that begins with the user's message, " +
  "in its language, without quotation marks or a full stop, and nothing else.";

/** Characters of the message that are given, and of a title that are kept. */
const MAX_INPUT_LENGTH = 2_000;
const MAX_TITLE_LENGTH = 80;

export interface TitlingOptions {
  /** Thinks of the title; default: the harness's model. */
  readonly model?: ModelClient;
  /** How long the model may take, in milliseconds; 10,000. */
  readonly timeoutMs?: number;
}

/**
 * Gives a session a title, once. The model is asked beside the first round of a turn, and the title is kept in modState
 * where that round ends. A turn that gets none leaves it to the next.
 */
export function createTitlingMod({ model, timeoutMs = 10_000 }: TitlingOptions = {}): AgentMod {
  const asked = new WeakMap<TurnScope, Promise<string>>();

  return {
    id: TITLING_MOD_ID,
    // The call has a limit of its own, which says more.
    timeoutMs: timeoutMs + 1_000,

    onTurnStart({ state, turnNumber }, ctx) {
      const scope = scopeOf(ctx as ModContext);
      const first = firstWords(state);
      if (turnNumber > 1 || scope.depth > 0 || first === "" || titleOf(state) !== undefined) return state;
      const title = askForTitle(scope, { client: model ?? scope.setup.model, first, limitMs: timeoutMs });
      asked.set(scope, title);
      // The turn's span waits for the call; its failure is told where the title is taken.
      scope.pending.push(title.catch(() => undefined));
      return state;
    },

    async onTurnEnd({ state }, ctx) {
      const scope = scopeOf(ctx as ModContext);
      const title = asked.get(scope);
      if (title === undefined) return state;
      asked.delete(scope);
      const value = await title;
      scope.session?.setTitle(value);
      scope.emit({ type: "session_titled", title: value });
      return setModState({ state, modId: TITLING_MOD_ID, value: { title: value } });
    },
  };
}

/** The title a session was given; undefined before that. */
export function titleOf(state: AgentState): string | undefined {
  return getModState<{ readonly title: string }>({ state, modId: TITLING_MOD_ID })?.title;
}

function firstWords({ messages }: AgentState): string {
  const first = messages.find((message) => message.role === "user" && message.source === "user");
  return first === undefined ? "" : textOf(first.content).slice(0, MAX_INPUT_LENGTH).trim();
}

interface TitleRequest {
  readonly client: ModelClient;
  readonly first: string;
  readonly limitMs: number;
}

async function askForTitle(scope: TurnScope, { client, first, limitMs }: TitleRequest): Promise<string> {
  const answer = await callModel(scope, {
    client,
    request: {
      model: client.model,
      system: SYSTEM_PROMPT,
      messages: [userMessage(first)],
      tools: [],
      effort: undefined,
    },
    purpose: "title",
    iteration: 1,
    streamed: false,
    maxAttempts: 1,
    limitMs,
  });
  const title = cleanTitle(textOf(answer.content));
  if (title === "") throw new Error("the model gave no title");
  return title;
}

/** The first line that says something, without the marks models put around it. */
function cleanTitle(text: string): string {
  const line = text.split("\n").find((candidate) => candidate.trim() !== "") ?? "";
  const bare = line.trim().replaceAll(/^[#"'“”‘’*\s]+|["'“”‘’*.\s]+$/gu, "");
  return bare.length <= MAX_TITLE_LENGTH ? bare : `${bare.slice(0, MAX_TITLE_LENGTH - 1).trimEnd()}…`;
}
