import { callTools, createFakeClock, reply, type CreateSessionPlace, type StepMaker } from "@hookscope/testing";
import { afterEach, beforeEach, describe, expect, test } from "vitest";

import { createJsonLinesSessionStore, textOf, type Session, type SessionStore } from "../../src/index.ts";
import { createRig, tool, type Rig } from "../support/rig.ts";
import { Child } from "./child.ts";
import { makeDirectory, PLACES, removeDirectory } from "./places.ts";

const SUBAGENTS = { helper: { description: "helps", systemPrompt: "help" } };

function rigOf(
  session: Session,
  helperSteps: readonly (ReturnType<typeof reply> | StepMaker)[] = [reply("helped")],
): Rig {
  return createRig({
    session,
    steps: [
      callTools([{ name: "agent", input: { subagent_type: "helper", prompt: "help me" }, id: "a1" }]),
      reply("done"),
    ],
    scripts: [{ when: ({ system }) => system === "help", steps: [...helperSteps] }],
    tools: [tool("look", "a look")],
    subagents: SUBAGENTS,
    watch: [],
    watchMods: false,
  });
}

describe.for(Object.entries(PLACES))("in a store of %s, a subagent's session", ([, place]) => {
  let store: SessionStore;
  let made: Awaited<ReturnType<CreateSessionPlace>>;
  beforeEach(async () => {
    made = await place({ clock: createFakeClock() });
    store = made.store();
  });
  afterEach(() => made.remove());

  test("is kept with its rounds, under the session, turn and call it was started from", async () => {
    const session = await store.create({ id: "parent", cwd: "/project" });
    const rig = rigOf(session, [callTools([{ name: "look", input: {} }]), reply("helped")]);
    const { turnId } = await rig.run("hello");
    const child = await childOf(store);
    expect(child.header).toMatchObject({
      cwd: "/project",
      subagentOf: { sessionId: "parent", turnId, toolCallId: "a1", type: "helper" },
    });
    expect(child.state().messages.map(({ role, content }) => [role, textOf(content)])).toEqual([
      ["user", "help me"],
      ["assistant", ""],
      ["user", ""],
      ["assistant", "helped"],
    ]);
    expect(session.header.subagentOf).toBeUndefined();
  });

  test("is let go with its turn: it can be opened, beside its parent", async () => {
    const session = await store.create({ id: "parent" });
    await rigOf(session).run();
    const { id } = await childOf(store);
    const opened = await store.open(id);
    expect(opened.entries().length).toBeGreaterThan(0);
    await opened.close();
    await session.close();
  });

  test("that is forked is a conversation of its own", async () => {
    await rigOf(await store.create({ id: "parent" })).run();
    const { id } = await childOf(store);
    const copy = await store.fork(id);
    expect([copy.header.parent?.sessionId, copy.header.subagentOf]).toEqual([id, undefined]);
  });

  test("goes where its parent goes: deleted with it, and with it alone", async () => {
    for (const id of ["one", "two"]) {
      const session = await store.create({ id });
      await rigOf(session).run();
      await session.close();
    }
    await store.delete("one");
    expect((await store.list()).map(({ id, subagentOf }) => subagentOf?.sessionId ?? id).toSorted()).toEqual([
      "two",
      "two",
    ]);
  });

  test("is made by nobody who only reads its parent, or closed it", async () => {
    const session = await store.create({ id: "parent" });
    const child = { id: "child", turnId: "t", toolCallId: "c", type: "helper" };
    const reader = await store.open("parent", { readOnly: true });
    await expect(reader.createChild(child)).rejects.toMatchObject({ code: "SESSION_NOT_WRITABLE" });
    await session.close();
    await expect(session.createChild(child)).rejects.toMatchObject({ code: "SESSION_CLOSED" });
    expect((await store.list()).map(({ id }) => id)).toEqual(["parent"]);
  });

  test("that cannot be made fails the call, before anybody was told of a subagent", async () => {
    const session = await store.create({ id: "parent" });
    const { id } = session;
    const rig = rigOf(
      new Proxy(session, {
        get(target, name) {
          if (name === "createChild") return () => Promise.reject(new Error("no room"));
          const value: unknown = Reflect.get(target, name, target);
          return typeof value === "function" ? value.bind(target) : value;
        },
      }),
    );
    await rig.run();
    const told = rig.events.flatMap((event) =>
      event.type === "tool_errored" ? [event.error] : event.type.startsWith("subagent") ? [event.type] : [],
    );
    expect([told, (await store.list()).map((summary) => summary.id)]).toEqual([["no room"], [id]]);
  });
});

test("a subagent's committed rounds survive the process, and say whose they are", async () => {
  const directory = makeDirectory();
  const child = new Child("run-subagent.ts", directory);
  try {
    await child.go();
    expect(await child.message(1)).toEqual({ type: "hanging" });
    await child.kill();
    const store = createJsonLinesSessionStore({ directory, logger: { warn: () => undefined } });
    const subagent = await childOf(store);
    expect(subagent.header.subagentOf).toMatchObject({ sessionId: "parent", toolCallId: "a1", type: "helper" });
    expect(subagent.state().messages.map(({ role }) => role)).toEqual(["user", "assistant", "user"]);
    await (await store.open(subagent.id)).close();
    await (await store.open("parent")).close();
  } finally {
    await child.kill();
    removeDirectory(directory);
  }
});

/** The one session that is a subagent's, as it is kept. */
async function childOf(store: SessionStore): Promise<Session> {
  const ids = (await store.list()).flatMap(({ id, subagentOf }) => (subagentOf === undefined ? [] : [id]));
  expect(ids.length).toBe(1);
  return store.open(ids[0] as string, { readOnly: true });
}
