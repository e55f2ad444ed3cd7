import { callTools, reply } from "@hookscope/testing";
import { describe, expect, test } from "vitest";

import { createAgentState, getModState, HarnessError, setModState } from "../../src/index.ts";
import { createRig, tool } from "../support/rig.ts";

const CALL = callTools([{ name: "shell", input: {}, id: "c1" }]);

test("`getModState({state, modId})`: undefined when unset", () => {
  const state = createAgentState({ modState: { mine: { count: 1 } } });
  expect([getModState({ state, modId: "mine" }), getModState({ state, modId: "other" })]).toEqual([
    { count: 1 },
    undefined,
  ]);
  expect(getModState({ state, modId: "toString" })).toBe(undefined);
});

test("`setModState({state, modId, value})`: fresh AgentState", () => {
  const state = createAgentState();
  const next = setModState({ state, modId: "mine", value: { count: 1 } });
  expect([next === state, state.modState, next.modState]).toEqual([false, {}, { mine: { count: 1 } }]);
});

test("one slot per mod, keyed by the mod's `id`", () => {
  const first = setModState({ state: createAgentState(), modId: "a", value: 1 });
  expect(setModState({ state: first, modId: "b", value: 2 }).modState).toEqual({ a: 1, b: 2 });
});

describe("Values must be **JSON-serializable**", () => {
  const loop: Record<string, unknown> = {};
  loop["self"] = loop;
  test.for([
    ["a function", { run: () => undefined }, "value.run is a function, which JSON cannot say."],
    ["a cycle", loop, "value.self contains itself."],
    ["a BigInt", { big: 1n }, "value.big is a bigint, which JSON cannot say."],
    ["not a number", { ratio: Number.NaN }, "value.ratio is NaN, which JSON cannot say."],
    ["a Map", { map: new Map() }, "value.map is no plain object; write it as plain data."],
    ["undefined as a whole", undefined, "value is a undefined, which JSON cannot say."],
  ] as const)("%s is refused with where it is", ([, value, problem]) => {
    const attempt = (): unknown => setModState({ state: createAgentState(), modId: "mine", value });
    expect(attempt).toThrow(HarnessError);
    expect(attempt).toThrow(`MOD_STATE_INVALID: modState of mod "mine": ${problem}`);
  });

  test("from afterToolCall it is a mod_error, and the slot stays as it was", async () => {
    const values = [{ count: 1 }, { run: () => undefined }];
    const rig = createRig({
      steps: [CALL, CALL, reply("done")],
      tools: [tool("shell")],
      mods: [{ id: "mine", afterToolCall: () => ({ modState: values.shift() ?? {} }) }],
    });
    const { state } = await rig.run();
    expect([state.modState, rig.log.only("→ mod_error")]).toEqual([
      { mine: { count: 1 } },
      ["→ mod_error mine afterToolCall"],
    ]);
  });
});

test("`afterToolCall` can also persist state via its `modState` return field", async () => {
  const rig = createRig({
    steps: [CALL, reply("done")],
    tools: [tool("shell")],
    mods: [{ id: "mine", afterToolCall: () => ({ modState: { ran: true } }) }],
  });
  expect((await rig.run()).state.modState).toEqual({ mine: { ran: true } });
});

test("parallel calls write modState in the order of the calls, whichever ends first", async () => {
  const slow = Promise.withResolvers<string>();
  const rig = createRig({
    toolExecution: "parallel",
    steps: [callTools(["slow", "quick"].map((name) => ({ name, input: {} }))), reply("done")],
    tools: [
      tool("slow", () => slow.promise),
      tool("quick", () => {
        slow.resolve("late");
        return "early";
      }),
    ],
    mods: [{ id: "last", afterToolCall: ({ toolName }) => ({ modState: { toolName } }) }],
  });
  expect((await rig.run()).state.modState).toEqual({ last: { toolName: "quick" } });
});

test("`beforeToolCall` has no state channel", async () => {
  const rig = createRig({
    steps: [CALL, reply("done")],
    tools: [tool("shell")],
    mods: [{ id: "mine", beforeToolCall: () => ({ modState: { ran: true } }) as object }],
  });
  expect((await rig.run()).state.modState).toEqual({});
});

test("Custom data never goes into `state.messages`: the message union is closed wire types", async () => {
  const rig = createRig({
    steps: [CALL, reply("done")],
    tools: [tool("shell")],
    mods: [{ id: "mine", afterToolCall: () => ({ modState: { secret: "kept apart" } }) }],
  });
  const { state } = await rig.run();
  expect(JSON.stringify(state.messages).includes("kept apart")).toBe(false);
  expect(new Set(state.messages.flatMap(({ content }) => content.map(({ type }) => type)))).toEqual(
    new Set(["text", "tool_use", "tool_result"]),
  );
});
