import { strict as assert } from "node:assert";

import { userMessage, type AgentState, type Message } from "@hookscope/harness";

import { assistant, commitRounds, round, storeCase, textsOf, withMessages, type SessionStoreCase } from "./kit.ts";

/** Messages that were replaced rather than appended, by a mod or by a compaction. */
export const REPLACE_RULES: readonly SessionStoreCase[] = [
  storeCase("replaced messages become a state entry, and what was recorded stays", async ({ store, committed }) => {
    const session = await store.create();
    const state = await commitRounds(session, "one", "two");
    const [first, , ...rest] = state.messages as [Message, Message, ...Message[]];
    const changed = { ...state, messages: [first, assistant("redacted"), ...rest] };
    await session.commit(changed);
    const seen = await committed(session.id);
    assert.deepEqual(seen.state(), changed);
    const ids = seen.entries().map(({ id }) => id);
    assert.deepEqual(seen.entries().slice(4), [
      {
        type: "state",
        id: ids[4],
        parentId: ids[3],
        timestamp: 1_000,
        after: ids[0],
        before: ids[2],
        messages: [{ message: assistant("redacted") }],
      },
    ]);
    assert.deepEqual(
      seen.entries().flatMap((entry) => (entry.type === "message" ? textsOf({ messages: [entry.message] }) : [])),
      ["ask one", "answer one", "ask two", "answer two"],
    );
  }),

  storeCase("a message appended in the round of a replacement is an entry of its own", async ({ store, committed }) => {
    const session = await store.create();
    const state = await commitRounds(session, "one", "two");
    const added = round("three");
    for (const message of added) session.messageAppended(message);
    await session.commit({ ...state, messages: [...state.messages.slice(2), ...added] });
    const seen = await committed(session.id);
    assert.deepEqual(textsOf(seen.state()), ["ask two", "answer two", "ask three", "answer three"]);
    assert.deepEqual(
      seen
        .entries()
        .slice(4)
        .map((entry) => (entry.type === "state" ? entry.messages : entry.type)),
      [[], "message", "message"],
    );
  }),

  storeCase(
    "whatever is done to the messages, the resumed state is the committed one",
    async ({ store, committed }) => {
      const session = await store.create();
      let state = session.state();
      const random = createRandom(7);
      for (let step = 0; step < 120; step += 1) {
        state = edit(state, step, random);
        await session.commit(state);
        if (step % 10 === 9) assert.deepEqual((await committed(session.id)).state(), state);
        if (step % 25 === 24) state = session.state();
      }
      assert.deepEqual(session.state(), state);
    },
  ),

  storeCase(
    "after a compaction the session resumes with the summary, and its record is whole",
    async ({ store, reopen }) => {
      const session = await store.create();
      const state = await commitRounds(session, "one", "two", "three");
      session.recordCompaction({ summary: "one and two", firstKept: 4, details: { tokens: 9 } });
      const after = withMessages(state, ...round("four"));
      await session.commit(after);
      const resumed = await reopen(session);
      assert.deepEqual(resumed.state().messages[0], userMessage("one and two", "compaction"));
      assert.deepEqual(textsOf(resumed.state()), [
        "one and two",
        "ask three",
        "answer three",
        "ask four",
        "answer four",
      ]);
      assert.deepEqual(
        resumed.entries().flatMap((entry) => (entry.type === "message" ? textsOf({ messages: [entry.message] }) : [])),
        textsOf(after),
      );
      const [first] = await store.list();
      assert.equal(first?.messages, 5);
    },
  ),

  storeCase(
    "a turn that goes on with all messages after a compaction adds only its own",
    async ({ store, committed }) => {
      const session = await store.create();
      const state = await commitRounds(session, "one", "two");
      session.recordCompaction({ summary: "all of it", firstKept: 4 });
      const third = withMessages(state, ...round("three"));
      await session.commit(third);
      await session.commit(withMessages(third, ...round("four")));
      const seen = await committed(session.id);
      assert.deepEqual(textsOf(seen.state()), ["all of it", "ask three", "answer three", "ask four", "answer four"]);
      assert.equal(seen.entries().filter(({ type }) => type === "state").length, 0);
    },
  ),

  storeCase("a change to what a compaction left out does not bring it back", async ({ store, committed }) => {
    const session = await store.create();
    const state = await commitRounds(session, "one", "two", "three");
    session.recordCompaction({ summary: "one and two", firstKept: 4 });
    await session.commit(state);
    await session.commit({ ...state, messages: [assistant("changed"), ...state.messages.slice(1)] });
    assert.deepEqual(textsOf((await committed(session.id)).state()), ["one and two", "ask three", "answer three"]);
  }),
];

/** Appends mostly, and else replaces, removes, inserts, moves or copies. */
function edit(state: AgentState, step: number, random: (below: number) => number): AgentState {
  const messages = [...state.messages];
  const at = random(messages.length + 1);
  const kind = random(9);
  if (kind === 0) messages.splice(at, 1 + random(3));
  else if (kind === 1) messages.splice(at, 0, assistant(`inserted ${step}`));
  else if (kind === 2) messages.splice(at, 1, userMessage(`replaced ${step}`), assistant(`twice ${step}`));
  else if (kind === 3) messages.push(...messages.splice(0, random(2)));
  else if (kind === 4) return withMessages({ ...state, messages: structuredClone(messages) }, ...round(`${step}`));
  else messages.push(...round(`${step}`));
  return { ...state, messages };
}

/** The same numbers each time. */
function createRandom(seed: number): (below: number) => number {
  let value = seed;
  return (below) => {
    value = (Math.imul(value, 1_103_515_245) + 12_345) >>> 0;
    return below === 0 ? 0 : (value >>> 8) % below;
  };
}
