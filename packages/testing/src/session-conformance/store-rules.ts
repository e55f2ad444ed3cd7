import { strict as assert } from "node:assert";

import { assertCode, commitRounds, storeCase, textsOf, type SessionStoreCase } from "./kit.ts";

/** Finding, locking, closing and removing sessions. */
export const STORE_RULES: readonly SessionStoreCase[] = [
  storeCase("a session that is not there is not found", async ({ store }) => {
    await assertCode(store.open("nothing"), "SESSION_NOT_FOUND");
    await assertCode(store.open("nothing", { readOnly: true }), "SESSION_NOT_FOUND");
    await assertCode(store.fork("nothing"), "SESSION_NOT_FOUND");
    await assertCode(store.delete("nothing"), "SESSION_NOT_FOUND");
    assert.deepEqual(await store.list(), []);
  }),

  storeCase("nothing is ever created over a session", async ({ store, reopen }) => {
    const session = await store.create({ id: "a" });
    await commitRounds(session, "one");
    await session.close();
    await assertCode(store.create({ id: "a" }), "SESSION_EXISTS");
    assert.equal((await reopen(session)).entries().length, 2);
  }),

  storeCase("any text may be an id, but for none", async ({ store, committed }) => {
    const ids = ["../up", "a/b", "..", ".hidden", "a:b*c?", "Übung 1", "a%2Fb", "x.lock"];
    for (const id of ids) await commitRounds(await store.create({ id }), id);
    for (const id of ids) assert.deepEqual(textsOf((await committed(id)).state()), [`ask ${id}`, `answer ${id}`]);
    assert.deepEqual((await store.list()).map(({ id }) => id).sort(), ids.toSorted());
    await assertCode(store.create({ id: "" }), "SESSION_ID_INVALID");
    await assertCode(store.create({ id: "\ud800" }), "SESSION_ID_INVALID");
  }),

  storeCase("a session has one writer, and readers beside it", async ({ store, another, committed }) => {
    const session = await store.create({ id: "a" });
    await commitRounds(session, "one");
    await assertCode(store.open("a"), "SESSION_LOCKED");
    await assertCode(another().open("a"), "SESSION_LOCKED");
    await assertCode(another().delete("a"), "SESSION_LOCKED");
    const reader = await committed("a");
    assert.deepEqual(reader.state(), session.state());
    await assertCode(
      reader.commit(reader.state()).then(() => reader.branch(null)),
      "SESSION_NOT_WRITABLE",
    );
    assert.throws(() => reader.beginTurn(), { code: "SESSION_NOT_WRITABLE" });
    assert.throws(() => reader.modSession("m").appendCustomEntry({ customType: "t" }), {
      code: "SESSION_NOT_WRITABLE",
    });
    await commitRounds(session, "two");
    await session.close();
    const next = await another().open("a");
    assert.equal(next.entries().length, 4);
  }),

  storeCase("closing writes what is buffered; a closed session takes nothing more", async ({ store, committed }) => {
    const session = await store.create();
    const mod = session.modSession("m");
    mod.appendCustomEntry({ customType: "t" });
    await Promise.all([session.close(), session.close()]);
    await session.close();
    await assertCode(session.commit(), "SESSION_CLOSED");
    await assertCode(session.branch(null), "SESSION_CLOSED");
    const code = "SESSION_CLOSED";
    assert.throws(() => mod.appendCustomEntry({ customType: "t" }), { code });
    assert.throws(() => session.setTitle("t"), { code });
    assert.throws(() => session.beginTurn(), { code });
    assert.equal((await committed(session.id)).entries().length, 1);
  }),

  storeCase("closing the store closes its sessions", async ({ store, another }) => {
    const session = await store.create({ id: "a" });
    session.setTitle("kept");
    await store.close();
    await assertCode(session.commit(), "SESSION_CLOSED");
    assert.equal((await another().open("a")).title, "kept");
  }),

  storeCase("the list says what there is, the last used first", async ({ store, setTime }) => {
    const first = await store.create({ id: "first", cwd: "here" });
    setTime(2_000);
    await store.create({ id: "second" });
    setTime(3_000);
    first.setTitle("about one");
    await commitRounds(first, "one");
    assert.deepEqual(await store.list(), [
      { id: "first", cwd: "here", createdAt: 1_000, updatedAt: 3_000, messages: 2, title: "about one" },
      { id: "second", cwd: "", createdAt: 2_000, updatedAt: 2_000, messages: 0 },
    ]);
  }),

  storeCase("a deleted session is gone, and its id is free", async ({ store }) => {
    const session = await store.create({ id: "a" });
    await commitRounds(session, "one");
    await session.close();
    await store.delete("a");
    await assertCode(store.open("a"), "SESSION_NOT_FOUND");
    assert.deepEqual((await store.create({ id: "a" })).entries(), []);
  }),

  storeCase("a subagent's session is kept under its parent's, and goes with it", async ({ store, another }) => {
    const parent = await store.create({ id: "a", cwd: "here" });
    const origin = { turnId: "turn", toolCallId: "call", type: "helper" };
    const child = await parent.createChild({ id: "b", ...origin });
    await commitRounds(child, "one");
    await child.close();
    const subagentOf = { sessionId: "a", ...origin };
    const kept = await another().open("b", { readOnly: true });
    assert.deepEqual([kept.header.cwd, kept.header.subagentOf, kept.state()], ["here", subagentOf, child.state()]);
    const listed = new Map((await another().list()).map((summary) => [summary.id, summary.subagentOf]));
    assert.deepEqual(
      listed,
      new Map([
        ["a", undefined],
        ["b", subagentOf],
      ]),
    );
    await parent.close();
    await store.delete("a");
    assert.deepEqual(await store.list(), []);
  }),

  storeCase("a subagent's session that is open elsewhere stays, and keeps no other from going", async ({ store }) => {
    const parent = await store.create({ id: "a" });
    const origin = { turnId: "turn", toolCallId: "call", type: "helper" };
    const held = await parent.createChild({ id: "b", ...origin });
    const sibling = await parent.createChild({ id: "c", ...origin });
    await (await sibling.createChild({ id: "d", ...origin })).close();
    await sibling.close();
    await parent.close();
    await assertCode(store.delete("a"), "SESSION_LOCKED");
    const left = async (): Promise<readonly string[]> => (await store.list()).map(({ id }) => id);
    assert.deepEqual(await left(), ["b"]);
    await held.close();
    await store.delete("b");
    assert.deepEqual(await left(), []);
  }),
];
