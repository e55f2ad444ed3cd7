import { strict as assert } from "node:assert";

import { text, userMessage, type AgentState, type Message, type Session, type SessionStore } from "@hookscope/harness";
import type { Clock } from "@hookscope/hooks";

/** Where sessions are kept. */
export interface SessionPlace {
  /** A store over the place. What one store of it committed, every other sees; in memory it is the same one each time. */
  store(): SessionStore;
  /** Closes and removes it all. */
  remove(): Promise<void>;
}

/** Makes an empty place, whose stores take the time from the clock. */
export type CreateSessionPlace = (options: {
  readonly clock: Pick<Clock, "now">;
}) => SessionPlace | Promise<SessionPlace>;

/** One rule, as a sentence, and its proof. */
export interface SessionStoreCase {
  readonly rule: string;
  /** Rejects with an AssertionError where the store breaks the rule. */
  readonly run: (createPlace: CreateSessionPlace) => Promise<void>;
}

export interface StoreBench {
  readonly store: SessionStore;
  /** A further store over the same place. */
  readonly another: () => SessionStore;
  /** What is committed, read beside the writer. */
  readonly committed: (id: string) => Promise<Session>;
  /** Closes a session and opens it anew. */
  readonly reopen: (session: Session) => Promise<Session>;
  /** Sets the time, in milliseconds. */
  readonly setTime: (now: number) => void;
}

export function storeCase(rule: string, prove: (bench: StoreBench) => Promise<void>): SessionStoreCase {
  return {
    rule,
    async run(createPlace) {
      let now = 1_000;
      const place = await createPlace({ clock: { now: () => now } });
      try {
        const store = place.store();
        await prove({
          store,
          another: () => place.store(),
          committed: (id) => place.store().open(id, { readOnly: true }),
          reopen: async (session) => {
            await session.close();
            return place.store().open(session.id);
          },
          setTime: (value) => {
            now = value;
          },
        });
      } finally {
        await place.remove();
      }
    },
  };
}

export function assistant(value: string): Message {
  return { role: "assistant", content: [text(value)] };
}

/** The messages of one round more: a user's and the model's. */
export function round(name: string): readonly Message[] {
  return [userMessage(`ask ${name}`), assistant(`answer ${name}`)];
}

export function withMessages(state: AgentState, ...messages: readonly Message[]): AgentState {
  return { ...state, messages: [...state.messages, ...messages] };
}

/** Commits rounds of these names, one commit each. */
export async function commitRounds(session: Session, ...names: readonly string[]): Promise<AgentState> {
  let state = session.state();
  for (const name of names) {
    state = withMessages(state, ...round(name));
    await session.commit(state);
  }
  return state;
}

/** The texts of a state's messages. */
export function textsOf({ messages }: Pick<AgentState, "messages">): readonly string[] {
  return messages.map(({ content }) =>
    content.map((block) => (block.type === "text" ? block.text : block.type)).join(),
  );
}

export async function assertCode(work: Promise<unknown>, code: string): Promise<void> {
  await assert.rejects(work, { code });
}
