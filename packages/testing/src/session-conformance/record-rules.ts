import { strict as assert } from "node:assert";

import type { Message } from "@hookscope/harness";

import { assertCode, commitRounds, round, storeCase, withMessages, type SessionStoreCase } from "./kit.ts";

/** What a commit writes, and what is there afterwards. */
export const RECORD_RULES: readonly SessionStoreCase[] = [
  storeCase("a created session is new and empty", async ({ store }) => {
    const session = await store.create({ id: "a", cwd: "somewhere" });
    assert.deepEqual(session.header, {
      type: "session",
      program: "hookscope",
      version: 1,
      id: "a",
      cwd: "somewhere",
      createdAt: 1_000,
    });
    assert.equal(session.isNew, true);
    assert.equal(session.leaf, null);
    assert.deepEqual(session.state(), { sessionId: "a", messages: [], modState: {} });
    assert.deepEqual(session.entries(), []);
  }),

  storeCase("what is committed is there when the session is resumed", async ({ store, reopen }) => {
    const session = await store.create();
    const state = { ...withMessages(session.state(), ...round("one")), modState: { a: { list: [1, null, "x"] } } };
    await session.commit(state);
    const resumed = await reopen(session);
    assert.deepEqual(resumed.state(), state);
    assert.equal(resumed.isNew, false);
    assert.deepEqual(resumed.entries(), session.entries());
  }),

  storeCase("what is not committed is nowhere to be seen", async ({ store, committed }) => {
    const session = await store.create();
    await commitRounds(session, "one");
    session.modSession("m").appendCustomEntry({ customType: "t" });
    session.setTitle("later");
    const seen = await committed(session.id);
    assert.equal(seen.entries().length, 2);
    assert.equal(seen.title, undefined);
    assert.equal(session.title, "later");
  }),

  storeCase("a commit writes what is new, and nothing twice", async ({ store, committed }) => {
    const session = await store.create();
    const state = await commitRounds(session, "one", "two");
    await session.commit(state);
    await session.commit(structuredClone(state));
    await session.commit();
    const types = (await committed(session.id)).entries().map(({ type }) => type);
    assert.deepEqual(types, ["message", "message", "message", "message"]);
  }),

  storeCase("a resumed session goes on where it was, from its own state or from a copy", async ({ store, reopen }) => {
    const session = await store.create();
    await commitRounds(session, "one");
    const resumed = await reopen(session);
    const state = await commitRounds(resumed, "two");
    await resumed.commit(withMessages(structuredClone(state), ...round("three")));
    assert.deepEqual(
      resumed.entries().map(({ type }) => type),
      Array.from({ length: 6 }, () => "message"),
    );
  }),

  storeCase(
    "each entry follows the one before it, and has the time it happened",
    async ({ store, setTime, committed }) => {
      const session = await store.create();
      const [ask, answer] = round("one") as [Message, Message];
      setTime(2_000);
      session.messageAppended(ask);
      setTime(3_000);
      const { entryId } = session.modSession("m").appendCustomEntry({ customType: "t", data: 1 });
      setTime(4_000);
      session.messageAppended(answer);
      setTime(5_000);
      await session.commit({ ...withMessages(session.state(), ask, answer), modState: { m: 1 } });
      const entries = (await committed(session.id)).entries();
      const ids = entries.map(({ id }) => id);
      assert.deepEqual(entries, [
        { type: "message", id: ids[0], parentId: null, timestamp: 2_000, message: ask },
        { type: "custom", id: entryId, parentId: ids[0], timestamp: 3_000, modId: "m", customType: "t", data: 1 },
        { type: "message", id: ids[2], parentId: entryId, timestamp: 4_000, message: answer },
        { type: "mod_state", id: ids[3], parentId: ids[2], timestamp: 5_000, modId: "m", value: 1 },
      ]);
      assert.equal(new Set(ids).size, 4);
    },
  ),

  storeCase("a slot of modState is written when it changes, and taken away when it goes", async ({ store, reopen }) => {
    const session = await store.create();
    const state = session.state();
    await session.commit({ ...state, modState: { a: 1, ["__proto__"]: { own: true } } });
    await session.commit({ ...state, modState: { a: 1, ["__proto__"]: { own: true }, b: [2] } });
    await session.commit({ ...state, modState: { b: [2] } });
    const resumed = await reopen(session);
    assert.deepEqual(resumed.state().modState, { b: [2] });
    assert.deepEqual(
      resumed.entries().map((entry) => (entry.type === "mod_state" ? [entry.modId, entry.value] : entry.type)),
      [
        ["a", 1],
        ["__proto__", { own: true }],
        ["b", [2]],
        ["a", undefined],
        ["__proto__", undefined],
      ],
    );
  }),

  storeCase("a slot that was changed in place is written all the same", async ({ store, reopen }) => {
    const session = await store.create();
    const slot = { count: 1 };
    await session.commit({ ...session.state(), modState: { a: slot } });
    slot.count = 2;
    await session.commit({ ...session.state(), modState: { a: slot } });
    assert.deepEqual((await reopen(session)).state().modState, { a: { count: 2 } });
  }),

  storeCase("what JSON cannot say is refused, and nothing of its commit is there", async ({ store, committed }) => {
    const session = await store.create();
    const state = await commitRounds(session, "one");
    session.modSession("m").appendCustomEntry({ customType: "t" });
    const circle: Record<string, unknown> = {};
    circle["self"] = circle;
    for (const value of [circle, 1n, () => 1, Number.NaN, new Map()]) {
      await assertCode(
        session.commit({ ...withMessages(state, ...round("two")), modState: { a: value } }),
        "MOD_STATE_INVALID",
      );
      await assertCode(session.commit(withMessages(state, value as never)), "SESSION_ENTRY_INVALID");
    }
    assert.equal((await committed(session.id)).entries().length, 2);
    await session.commit(withMessages(state, ...round("two")));
    assert.deepEqual(
      (await committed(session.id)).entries().map(({ type }) => type),
      ["message", "message", "custom", "message", "message"],
    );
  }),

  storeCase("commits made at once are made one after another", async ({ store, committed }) => {
    const session = await store.create();
    const first = withMessages(session.state(), ...round("one"));
    const second = withMessages(first, ...round("two"));
    await Promise.all([session.commit(first), session.commit(second)]);
    assert.deepEqual((await committed(session.id)).state(), second);
  }),

  storeCase("title and sent replies are entries beside the messages", async ({ store, reopen }) => {
    const session = await store.create();
    const state = withMessages(session.state(), ...round("one"));
    session.setTitle("first");
    session.setTitle("second");
    session.recordReply("said otherwise");
    await session.commit(state);
    const resumed = await reopen(session);
    assert.equal(resumed.title, "second");
    assert.deepEqual(resumed.state(), state);
    assert.deepEqual(
      resumed.entries().map(({ type }) => type),
      ["session_info", "session_info", "reply", "message", "message"],
    );
  }),

  storeCase("a state of another session is refused", async ({ store }) => {
    const session = await store.create({ id: "a" });
    await assertCode(session.commit({ ...session.state(), sessionId: "b" }), "SESSION_MISMATCH");
  }),

  storeCase("the JSON export holds every entry, the Markdown one the active branch", async ({ store }) => {
    const session = await store.create({ id: "a" });
    await commitRounds(session, "one", "two");
    await session.branch(session.entries()[1]?.id ?? "");
    await commitRounds(session, "three");
    assert.deepEqual(JSON.parse(session.export("json")), {
      session: session.header,
      leaf: session.leaf,
      entries: session.entries(),
    });
    const markdown = session.export("markdown");
    const asked = [...markdown.matchAll(/^ask (.*)$/gm)].map(([, name]) => name);
    assert.deepEqual(asked, ["one", "three"]);
  }),
];
