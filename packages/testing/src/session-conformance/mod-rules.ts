import { strict as assert } from "node:assert";

import { userMessage } from "@hookscope/harness";

import { assistant, commitRounds, round, storeCase, textsOf, withMessages, type SessionStoreCase } from "./kit.ts";

/** A mod's part of a session. */
export const MOD_RULES: readonly SessionStoreCase[] = [
  storeCase(
    "a mod reads its own entries of a type, in order, those not yet written too",
    async ({ store, setTime, reopen }) => {
      const session = await store.create();
      const mod = session.modSession("a");
      const first = mod.appendCustomEntry({ customType: "t", data: { count: 1 } });
      mod.appendCustomEntry({ customType: "other", data: 0 });
      session.modSession("b").appendCustomEntry({ customType: "t", data: "b's" });
      await commitRounds(session, "one");
      setTime(2_000);
      const second = mod.appendCustomEntry({ customType: "t" });
      const expected = [
        { id: first.entryId, timestamp: 1_000, customType: "t", data: { count: 1 } },
        { id: second.entryId, timestamp: 2_000, customType: "t" },
      ];
      assert.deepEqual(mod.getCustomEntries({ customType: "t" }), expected);
      assert.deepEqual(mod.getCustomEntries({ customType: "none" }), []);
      await session.commit(session.state());
      const resumed = await reopen(session);
      assert.deepEqual(resumed.modSession("a").getCustomEntries({ customType: "t" }), expected);
      assert.deepEqual(textsOf(resumed.state()), ["ask one", "answer one"]);
    },
  ),

  storeCase("data is taken when it is appended", async ({ store }) => {
    const session = await store.create();
    const data = { count: 1 };
    const mod = session.modSession("a");
    mod.appendCustomEntry({ customType: "t", data });
    data.count = 2;
    assert.deepEqual(mod.getCustomEntries({ customType: "t" })[0]?.data, { count: 1 });
  }),

  storeCase("data that JSON cannot say is refused, and nothing is buffered", async ({ store }) => {
    const session = await store.create();
    const mod = session.modSession("a");
    const code = "SESSION_ENTRY_INVALID";
    assert.throws(() => mod.appendCustomEntry({ customType: "t", data: (() => 1) as never }), { code });
    assert.throws(() => mod.appendCustomEntry({ customType: 1 as never }), { code });
    const content = { customType: "t", content: undefined as never, display: true };
    assert.throws(() => mod.appendCustomMessageEntry(content), { code });
    await session.commit();
    assert.deepEqual(session.entries(), []);
  }),

  storeCase("a custom message that was not folded is there on the next turn", async ({ store, reopen }) => {
    const session = await store.create();
    const state = await commitRounds(session, "one");
    const { message } = session
      .modSession("a")
      .appendCustomMessageEntry({ customType: "t", content: "mind the gap", display: true, details: { n: 1 } });
    assert.deepEqual(message, userMessage("mind the gap", "custom"));
    const second = withMessages(state, ...round("two"));
    await session.commit(second);
    await session.commit(withMessages(second, ...round("three")));
    const texts = ["ask one", "answer one", "mind the gap", "ask two", "answer two", "ask three", "answer three"];
    assert.deepEqual(textsOf(session.state()), texts);
    const resumed = await reopen(session);
    assert.deepEqual(textsOf(resumed.state()), texts);
    assert.deepEqual(resumed.state().messages[2], message);
    const state2 = await commitRounds(resumed, "four");
    assert.deepEqual(textsOf(state2), [...texts, "ask four", "answer four"]);
    assert.equal(resumed.entries().filter(({ type }) => type === "state").length, 0);
  }),

  storeCase("a custom message that was folded is there once, where it was folded", async ({ store, reopen }) => {
    const session = await store.create();
    const mod = session.modSession("a");
    let state = session.state();
    for (const name of ["one", "two"]) {
      const { message } = mod.appendCustomMessageEntry({ customType: "t", content: "again", display: false });
      const folded = name === "one" ? message : structuredClone(message);
      state = withMessages(state, userMessage(`ask ${name}`), folded, assistant(`answer ${name}`));
      await session.commit(state);
    }
    const resumed = await reopen(session);
    assert.deepEqual(textsOf(resumed.state()), ["ask one", "again", "answer one", "ask two", "again", "answer two"]);
    assert.deepEqual(
      resumed.entries().map(({ type }) => type),
      ["message", "custom_message", "message", "message", "custom_message", "message"],
    );
  }),

  storeCase("a custom message may be folded before what is there already", async ({ store, reopen }) => {
    const session = await store.create();
    const state = await commitRounds(session, "one");
    const { message } = session
      .modSession("a")
      .appendCustomMessageEntry({ customType: "t", content: "first of all", display: false });
    const folded = { ...state, messages: [message, ...state.messages] };
    await session.commit(folded);
    await session.commit(withMessages(folded, ...round("two")));
    const resumed = await reopen(session);
    assert.deepEqual(textsOf(resumed.state()), ["first of all", "ask one", "answer one", "ask two", "answer two"]);
  }),
];
