import { reply } from "@hookscope/testing";
import { beforeEach, expect, test } from "vitest";

import {
  createMemorySessionStore,
  setModState,
  textOf,
  type AgentMod,
  type ModContext,
  type Session,
  type SessionStore,
} from "../../src/index.ts";
import { createRig, type Rig } from "../support/rig.ts";

let store: SessionStore;
let session: Session;
beforeEach(async () => {
  store = createMemorySessionStore();
  session = await store.create({ id: "s" });
});

const COUNT = { customType: "turn-counter/count" };

function rigWith(...mods: readonly AgentMod[]): Rig {
  return createRig({ steps: [reply("one"), reply("two"), reply("three")], session, mods, watchMods: false, watch: [] });
}

const said = (rig: Rig): readonly string[] =>
  rig.model.requests.map(({ messages }) => messages.map(({ content }) => textOf(content)).join("|"));

test("a durable, per-entry seam onto the SAME append-only file the transcript lives in", async () => {
  const mod: AgentMod = {
    id: "turn-counter",
    onTurnStart: ({ state }, ctx) => {
      ctx?.session?.appendCustomEntry({ ...COUNT, data: { count: 1 } });
      return state;
    },
  };
  await rigWith(mod).run("hello");
  expect(session.entries().map(({ type }) => type)).toEqual(["message", "custom", "message"]);
});

test("`appendCustomEntry({customType, data?})` - Mod-private data; **never** sent to the LLM", async () => {
  const mod: AgentMod = {
    id: "secretive",
    onTurnStart: ({ state }, ctx) => {
      ctx?.session?.appendCustomEntry({ customType: "note", data: "for my eyes" });
      return state;
    },
  };
  const rig = rigWith(mod);
  await rig.run("hello");
  await rig.run("more");
  expect(JSON.stringify(rig.model.requests).includes("for my eyes")).toBe(false);
});

test("`appendCustomMessageEntry` is projected as an ordinary `user` message on the NEXT turn", async () => {
  const mod: AgentMod = {
    id: "reminder",
    onTurnStart: ({ state }, ctx) => {
      if (state.messages.length === 1) {
        ctx?.session?.appendCustomMessageEntry({ customType: "reminder", content: "be kind", display: false });
      }
      return state;
    },
  };
  const rig = rigWith(mod);
  await rig.run("hello");
  await rig.run("more");
  expect(said(rig).map((text) => text.includes("be kind"))).toEqual([false, true]);
});

test("a mod MUST fold `message` onto the `AgentState` it hands back from its hook for the model to see it that turn", async () => {
  const mod: AgentMod = {
    id: "reminder",
    onTurnStart: ({ state }, ctx) => {
      const entry = ctx?.session?.appendCustomMessageEntry({ customType: "r", content: "be kind", display: true });
      return entry === undefined ? state : { ...state, messages: [...state.messages, entry.message] };
    },
  };
  const rig = rigWith(mod);
  await rig.run("hello");
  expect(said(rig).map((text) => text.includes("be kind"))).toEqual([true]);
});

test("`getCustomEntries({customType})` - reads back every `custom` entry this mod itself wrote, in file order, over the ACTIVE branch", async () => {
  const seen: unknown[] = [];
  const noting = (id: string): AgentMod => ({
    id,
    onTurnStart: ({ state }, ctx) => {
      ctx?.session?.appendCustomEntry({ ...COUNT, data: `${id} ${state.messages.length}` });
      ctx?.session?.appendCustomEntry({ customType: "other" });
      return state;
    },
    onRunEnd: (_, ctx) => void seen.push(ctx?.session?.getCustomEntries(COUNT).map(({ data }) => data)),
  });
  const rig = rigWith(noting("a"), noting("b"));
  await rig.run("hello");
  const first = session.leaf;
  await rig.run("more");
  await session.branch(first);
  await rig.run("instead");
  expect(seen).toEqual([["a 1"], ["b 1"], ["a 1", "a 3"], ["b 1", "b 3"], ["a 1", "a 3"], ["b 1", "b 3"]]);
});

test("a mod with in-memory state seeds it from `getCustomEntries` at first `onTurnStart`", async () => {
  const priors: number[] = [];
  const counter = (): AgentMod => ({
    id: "turn-counter",
    onTurnStart: async ({ state }, ctx) => {
      if (!ctx?.session) return state;
      const prior = ctx.session.getCustomEntries(COUNT).length;
      priors.push(prior);
      ctx.session.appendCustomEntry({ ...COUNT, data: { count: prior + 1 } });
      return state;
    },
  });
  await rigWith(counter()).run("hello");
  await session.close();
  session = await store.open("s");
  await rigWith(counter()).run("more");
  expect(priors).toEqual([0, 1]);
});

test("`session` is absent (not merely empty) only for a bare unit-test config built without a durable store", async () => {
  const contexts: (ModContext | undefined)[] = [];
  const mod: AgentMod = { id: "noting", onRunEnd: (_, ctx) => void contexts.push(ctx) };
  await rigWith(mod).run("hello");
  await createRig({ steps: [reply("hi")], mods: [mod] }).run();
  expect(contexts.map((context) => context !== undefined && "session" in context)).toEqual([true, false]);
});

test("A `--no-session` run DOES populate `session` - entries are readable for the lifetime of the process", async () => {
  const seen: number[] = [];
  const mod: AgentMod = {
    id: "noting",
    onTurnStart: ({ state }, ctx) => {
      ctx?.session?.appendCustomEntry(COUNT);
      seen.push(ctx?.session?.getCustomEntries(COUNT).length ?? -1);
      return state;
    },
  };
  const rig = rigWith(mod);
  await rig.run("hello");
  await rig.run("more");
  expect(seen).toEqual([1, 2]);
});

test("`modState` is persisted with the session and survives resume", async () => {
  const mod: AgentMod = {
    id: "mine",
    onTurnEnd: ({ state }) => setModState({ state, modId: "mine", value: { seen: state.messages.length } }),
  };
  await rigWith(mod).run("hello");
  await session.close();
  session = await store.open("s");
  expect(session.state().modState).toEqual({ mine: { seen: 2 } });
});
