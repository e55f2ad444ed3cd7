import { strict as assert } from "node:assert";

import type { Session } from "@hookscope/harness";

import { assertCode, commitRounds, round, storeCase, textsOf, withMessages, type SessionStoreCase } from "./kit.ts";

/** Branches of one session, and sessions forked from another. */
export const BRANCH_RULES: readonly SessionStoreCase[] = [
  storeCase("a session branches from any entry, and keeps every branch", async ({ store, reopen }) => {
    const session = await store.create();
    const state = await commitRounds(session, "one", "two");
    for (const [index, { id }] of session.entries().entries()) {
      const branched = await session.branch(id);
      assert.deepEqual(textsOf(branched), textsOf({ messages: state.messages.slice(0, index + 1) }));
    }
    await session.branch(idAt(session, 1));
    await commitRounds(session, "three");
    const resumed = await reopen(session);
    assert.deepEqual(textsOf(resumed.state()), ["ask one", "answer one", "ask three", "answer three"]);
    assert.equal(resumed.entries().length, 6);
    assert.deepEqual(
      resumed.entries().map(({ parentId }) => parentId),
      [null, 0, 1, 2, 1, 4].map((parent) => (parent === null ? null : idAt(resumed, parent))),
    );
    assert.deepEqual(
      resumed.branchEntries().map(({ id }) => id),
      [0, 1, 4, 5].map((index) => idAt(resumed, index)),
    );
  }),

  storeCase("the branch taken is the active one when the session is resumed", async ({ store, reopen }) => {
    const session = await store.create();
    await commitRounds(session, "one", "two");
    await session.branch(idAt(session, 0));
    const resumed = await reopen(session);
    assert.deepEqual(textsOf(resumed.state()), ["ask one"]);
    await resumed.branch(idAt(resumed, 3));
    assert.deepEqual(textsOf((await reopen(resumed)).state()), ["ask one", "answer one", "ask two", "answer two"]);
  }),

  storeCase("a branch may begin anew; the session is not new for it", async ({ store, reopen }) => {
    const session = await store.create();
    await commitRounds(session, "one");
    await session.branch(null);
    await commitRounds(session, "two");
    const resumed = await reopen(session);
    assert.deepEqual(textsOf(resumed.state()), ["ask two", "answer two"]);
    assert.equal(resumed.entries()[2]?.parentId, null);
    await resumed.branch(null);
    assert.equal(resumed.isNew, false);
    assert.deepEqual(resumed.state().messages, []);
  }),

  storeCase("modState, title and custom entries are those of the active branch", async ({ store, reopen }) => {
    const session = await store.create();
    const mod = session.modSession("m");
    let state = withMessages(session.state(), ...round("one"));
    mod.appendCustomEntry({ customType: "t", data: 1 });
    session.setTitle("early");
    await session.commit({ ...state, modState: { m: 1 } });
    const early = session.leaf;
    state = withMessages(state, ...round("two"));
    mod.appendCustomEntry({ customType: "t", data: 2 });
    session.setTitle("late");
    await session.commit({ ...state, modState: { m: 2 } });
    await session.branch(early);
    const resumed = await reopen(session);
    assert.deepEqual(resumed.state().modState, { m: 1 });
    assert.equal(resumed.title, "early");
    const entries = resumed.modSession("m").getCustomEntries({ customType: "t" });
    assert.deepEqual(
      entries.map(({ data }) => data),
      [1],
    );
  }),

  storeCase("what is buffered when a branch is taken stays with the branch that was left", async ({ store }) => {
    const session = await store.create();
    await commitRounds(session, "one");
    session.modSession("m").appendCustomEntry({ customType: "t" });
    await session.branch(idAt(session, 1));
    assert.equal(session.entries().length, 3);
    assert.deepEqual(session.modSession("m").getCustomEntries({ customType: "t" }), []);
  }),

  storeCase("an unknown entry is refused, and the branch stays", async ({ store }) => {
    const session = await store.create({ id: "a" });
    await commitRounds(session, "one");
    const { leaf } = session;
    await assertCode(session.branch("nothing"), "SESSION_ENTRY_UNKNOWN");
    await assertCode(store.fork("a", { from: "nothing" }), "SESSION_ENTRY_UNKNOWN");
    assert.equal(session.leaf, leaf);
  }),

  storeCase("a session has one turn at a time, and takes no branch in it", async ({ store }) => {
    const session = await store.create();
    const end = session.beginTurn();
    assert.throws(() => session.beginTurn(), { code: "SESSION_BUSY" });
    await assertCode(session.branch(null), "SESSION_BUSY");
    end();
    await session.branch(null);
    session.beginTurn()();
  }),

  storeCase("a fork begins with a copy of a branch, and leaves the other as it was", async ({ store, another }) => {
    const source = await store.create({ id: "source", cwd: "here" });
    await commitRounds(source, "one", "two");
    const before = source.entries();
    const fork = await another().fork("source", { from: idAt(source, 1), id: "fork" });
    assert.deepEqual(fork.header.parent, { sessionId: "source", entryId: idAt(source, 1) });
    assert.equal(fork.header.cwd, "here");
    assert.deepEqual(fork.entries(), before.slice(0, 2));
    await commitRounds(fork, "three");
    await commitRounds(source, "four");
    assert.deepEqual(textsOf(fork.state()), ["ask one", "answer one", "ask three", "answer three"]);
    assert.deepEqual(source.entries().slice(0, 4), before);
    const whole = await another().fork("source");
    assert.deepEqual(whole.state().messages, source.state().messages);
    assert.equal(whole.isNew, false);
  }),
];

function idAt(session: Session, index: number): string {
  const entry = session.entries()[index];
  assert.ok(entry !== undefined, `there is no entry ${index}`);
  return entry.id;
}
