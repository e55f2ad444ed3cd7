import type { ModelAnswer } from "./accumulate.ts";
import type { AgentEvents } from "./events.ts";
import { textOf } from "./messages.ts";
import type { TurnScope } from "./scope.ts";

export interface ContinuationOptions {
  /** How often in a row a turn is continued by itself; 3. */
  readonly maxAttempts?: number;
}

type ContinuationKind = AgentEvents["continuation_recovery"]["kind"];

interface ContinuationRow {
  applies(answer: ModelAnswer, hasTools: boolean): boolean;
  /** What the model is told. */
  readonly prompt: string;
  /** The next answer goes on with this one: together they are the reply. */
  readonly joins: boolean;
}

/** Answers without a tool call that are no end, in the order they are looked for. */
const CONTINUATIONS: { readonly [Kind in ContinuationKind]: ContinuationRow } = {
  pause: { applies: ({ reason }) => reason === "pause", prompt: "Go on.", joins: true },
  length: {
    applies: ({ reason }) => reason === "max_tokens",
    prompt: "Your answer was cut off at its length limit. Go on exactly where it stopped, without repeating anything.",
    joins: true,
  },
  empty: {
    applies: ({ reason, content }) => reason !== "content_filter" && textOf(content).trim() === "",
    prompt: "Your answer was empty. Go on with the task, or say what the result is.",
    joins: false,
  },
  intent: {
    applies: ({ content }, hasTools) => hasTools && announcesAction(textOf(content)),
    prompt: "You said what you would do next and called no tool. Do it now, or say that you are done.",
    joins: false,
  },
};

/** "Let me run the tests:" and nothing after it. Only an open end counts: a sentence that ends may be an answer. */
function announcesAction(text: string): boolean {
  const lastLine = text.trimEnd().split("\n").at(-1) ?? "";
  return /\b(?:let me|let['’]s|i['’]ll|i will|i['’]m going to|i am going to)\b[^.!?]*:$/iu.test(lastLine);
}

/**
 * Keeps a turn going whose model stopped for no reason of its own. Counts attempts in a row: only an answer that needs no
 * recovery, or a tool call, starts the count anew.
 */
export class Continuation {
  readonly #scope: TurnScope;
  readonly #maxAttempts: number;
  #attempts = 0;
  #begun = "";

  constructor(scope: TurnScope) {
    this.#scope = scope;
    this.#maxAttempts = scope.setup.continuationAttempts;
  }

  /** The reply so far: an answer that was cut off and what went on with it are one. */
  join(text: string): string {
    return this.#begun + text;
  }

  /** @returns what to tell the model; undefined where the answer stands, or was recovered often enough */
  recover(answer: ModelAnswer, hadToolCalls: boolean, replySoFar: string): string | undefined {
    this.#begun = "";
    const kind = hadToolCalls ? undefined : kindOf(answer, this.#scope.setup.tools.names().length > 0);
    if (kind === undefined) {
      this.#attempts = 0;
      return undefined;
    }
    if (this.#attempts >= this.#maxAttempts) return undefined;
    this.#attempts += 1;
    if (CONTINUATIONS[kind].joins) this.#begun = replySoFar;
    const { prompt } = CONTINUATIONS[kind];
    const maxAttempts = this.#maxAttempts;
    this.#scope.emit({ type: "continuation_recovery", kind, attempt: this.#attempts, maxAttempts });
    return prompt;
  }
}

function kindOf(answer: ModelAnswer, hasTools: boolean): ContinuationKind | undefined {
  const kinds = Object.keys(CONTINUATIONS) as ContinuationKind[];
  return kinds.find((kind) => CONTINUATIONS[kind].applies(answer, hasTools));
}
