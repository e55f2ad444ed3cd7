import { callTools, hang, reply } from "@hookscope/testing";
import { describe, expect, test } from "vitest";

import {
  createMemorySessionStore,
  getModState,
  setModState,
  userMessage,
  type AgentMod,
  type AgentState,
  type Message,
} from "../../src/index.ts";
import { createRig, tool, type Rig } from "../support/rig.ts";

const CALL = callTools([{ name: "shell", input: {} }]);
const cycle: Record<string, unknown> = {};
cycle["self"] = cycle;

/** What a mod returns, as a change of the state it was given, and what is wrong with it. */
const BAD_STATES: readonly (readonly [what: string, change: (state: AgentState) => object, problem: string])[] = [
  ["a message that is none", withMessage(null), "messages[1] is no message."],
  [
    "a role that is none",
    withMessage({ role: "system", content: [] }),
    'messages[1] has the role "system", not user or assistant.',
  ],
  [
    "content that is a text",
    withMessage({ role: "user", content: "x" }),
    "messages[1] has no list of blocks as its content.",
  ],
  ...[null, { text: "x" }, { type: "text", text: 5 }, { type: "tool_use", id: "1", name: "shell", input: {} }].map(
    (block) =>
      [
        `the block ${JSON.stringify(block)}`,
        withMessage({ role: "user", source: "user", content: [block] }),
        "messages[1] has a block, content[0], that is none of text, tool_result.",
      ] as const,
  ),
  ["another session's id", (state) => ({ ...state, sessionId: "b" }), 'its sessionId is "b", and the session is "a".'],
  [
    "a function",
    withSlot(() => undefined),
    'MOD_STATE_INVALID: modState of mod "odd": value is a function, which JSON cannot say.',
  ],
  ["a cycle", withSlot(cycle), 'MOD_STATE_INVALID: modState of mod "odd": value.self contains itself.'],
  ["a list for modState", (state) => ({ ...state, modState: [] }), "it is no AgentState."],
];

function withMessage(message: unknown): (state: AgentState) => object {
  return (state) => ({ ...state, messages: [...state.messages.slice(0, 1), message, ...state.messages.slice(1)] });
}

function withSlot(value: unknown): (state: AgentState) => object {
  return (state) => ({ ...state, modState: { ...state.modState, odd: value } });
}

async function rigWith(mods: readonly AgentMod[]): Promise<Rig & { readonly committed: () => AgentState }> {
  const session = await createMemorySessionStore().create({ id: "a" });
  const rig = createRig({ steps: [CALL, reply("done")], tools: [tool("shell")], watchMods: false, session, mods });
  return { ...rig, committed: () => session.state() };
}

describe.each(["onTurnStart", "onTurnEnd"] as const)("a mod whose %s returns a state with", (hook) => {
  test.each(BAD_STATES)(
    "%s: the prior state is kept and committed, and mod_error says what is wrong",
    async (_, change, problem) => {
      const rig = await rigWith([{ id: "odd", [hook]: ({ state }: { readonly state: AgentState }) => change(state) }]);
      const { stopReason, state } = await rig.run();
      const sound = await rigWith([]);
      await sound.run();
      expect([stopReason, state, rig.committed()]).toEqual(["end_turn", sound.committed(), sound.committed()]);
      const errors = rig.events.flatMap((event) => (event.type === "mod_error" ? [event.error] : []));
      expect(new Set(errors)).toEqual(new Set([`what it returned cannot be taken: ${problem}`]));
      expect(errors.length).toBe(2);
    },
  );
});

test.each([
  [{ sessionId: "a" }, "it is no AgentState."],
  [{ sessionId: "a", messages: [null], modState: {} }, "messages[0] is no message."],
  [
    { sessionId: "a", messages: [], modState: { odd: 1n } },
    'MOD_STATE_INVALID: modState of mod "odd": value is a bigint, which JSON cannot say.',
  ],
])("a run is refused a state that is none, and says why: %#", async (state, problem) => {
  const rig = createRig({ steps: [reply("never")] });
  await expect(rig.run("hello", { state: state as unknown as AgentState })).rejects.toMatchObject({
    code: "HARNESS_OPTION_INVALID",
    message: `HARNESS_OPTION_INVALID: the \`state\` given to \`run\` cannot be used: ${problem}`,
  });
  expect(rig.model.requests).toEqual([]);
});

test("entries are read as copies: what a mod does to them changes nothing", async () => {
  const session = await createMemorySessionStore().create({ id: "a" });
  const mine = session.modSession("mine");
  mine.appendCustomEntry({ customType: "count", data: { count: 1 } });
  const read = (): readonly { count: number }[] =>
    mine.getCustomEntries({ customType: "count" }).map(({ data }) => data as { count: number });
  for (const data of read()) data.count = 2;
  await session.commit();
  for (const data of read()) data.count = 3;
  expect(read()).toEqual([{ count: 1 }]);
});

test("a context with a block that is none is not sent", async () => {
  const messages = [{ role: "user", source: "user", content: [null] }] as unknown as readonly Message[];
  const rig = createRig({
    steps: [reply("done")],
    watchMods: false,
    mods: [{ id: "odd", transformContext: () => messages }],
  });
  expect((await rig.run()).stopReason).toBe("end_turn");
  expect(rig.model.requests.map((request) => request.messages)).toEqual([[userMessage("hello")]]);
  expect(rig.log.only("→ mod_error")).toEqual(["→ mod_error odd transformContext"]);
});

describe("a slot of modState", () => {
  test("is what was given: what the mod does to its object afterwards changes nothing", async () => {
    const own = { count: 1 };
    const rig = await rigWith([
      {
        id: "mine",
        onTurnStart: ({ state }) => setModState({ state, modId: "mine", value: own }),
        beforeToolCall: () => void (own.count = 2),
      },
    ]);
    const seen: unknown[] = [];
    rig.harness.events.on("turn_end", () => void seen.push(rig.committed().modState));
    const { state } = await rig.run();
    expect(seen).toEqual([{}, { mine: { count: 1 } }]);
    expect(state.modState).toEqual({ mine: { count: 2 } });
  });

  test("is read as a copy: it may be changed, and counts once it is set", async () => {
    const rig = await rigWith([
      {
        id: "mine",
        onTurnStart: ({ state }) => {
          const value = getModState<{ count: number }>({ state, modId: "mine" }) ?? { count: 0 };
          value.count += 1;
          return setModState({ state, modId: "mine", value });
        },
        beforeToolCall: ({ state }) => {
          (getModState<{ count: number }>({ state, modId: "mine" }) ?? { count: 0 }).count = 99;
        },
      },
    ]);
    expect((await rig.run()).state.modState).toEqual({ mine: { count: 2 } });
    expect(rig.log.only("→ mod_error")).toEqual([]);
  });

  test("may not be nested without end", () => {
    let value: object = {};
    for (let depth = 0; depth < 200; depth += 1) value = { value };
    expect(() => setModState({ state: { sessionId: "a", messages: [], modState: {} }, modId: "mine", value })).toThrow(
      /^MOD_STATE_INVALID: modState of mod "mine": value\.value.*… is nested deeper than 150 levels\.$/u,
    );
  });
});

test("`onRunEnd` must complete: its signal is not the one that an interrupt aborted", async () => {
  const seen: unknown[] = [];
  const rig = createRig({
    steps: [hang()],
    watchMods: false,
    interruptAt: "▶ model",
    mods: [
      {
        id: "flush",
        onTurnStart({ state }, ctx) {
          seen.push(ctx);
          return state;
        },
        onRunEnd: (_, ctx) => void seen.push(ctx, ctx?.signal.aborted),
      },
    ],
  });
  expect((await rig.run()).stopReason).toBe("interrupted");
  expect([seen[1] === seen[0], seen[2]]).toEqual([true, false]);
});
