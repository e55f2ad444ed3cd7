import { callTools, reply, type ScriptedStep } from "@hookscope/testing";
import { expect, test } from "vitest";

import { MOD_HOOK_NAMES, setModState, textOf, type AgentMod } from "../../src/index.ts";
import { createRig, tool, type Rig, type RigOptions } from "../support/rig.ts";

const CALL: ScriptedStep = callTools([{ name: "shell", input: { command: "ls" }, id: "c1" }]);

function rigWith(options: RigOptions = {}): Rig {
  return createRig({
    steps: [CALL, reply("done", { chunks: 1 })],
    tools: [tool("shell", "ran")],
    systemPrompt: "be brief",
    watchMods: false,
    watch: [],
    ...options,
  });
}

function failing(...hooks: readonly (keyof AgentMod)[]): AgentMod {
  const mod: Record<string, unknown> = { id: "broken" };
  for (const hook of hooks) {
    mod[hook] = () => {
      throw new Error("no");
    };
  }
  return mod as unknown as AgentMod;
}

test("Hooks **never throw** upward: the runner catches per-mod, per-hook", async () => {
  const rig = rigWith({ mods: [failing(...MOD_HOOK_NAMES)] });
  const { stopReason, finalText } = await rig.run();
  expect([stopReason, finalText]).toEqual(["end_turn", "done"]);
});

test("A failing `transformContext` leaves messages unchanged", async () => {
  const rig = rigWith({ steps: [reply("hi")], mods: [failing("transformContext")] });
  await rig.run("hello");
  expect(rig.model.requests[0]?.messages.map(({ content }) => textOf(content))).toEqual(["hello"]);
});

test("a failing `onTurnStart`/`onTurnEnd` keeps the prior state", async () => {
  const first: AgentMod = { id: "a", onTurnStart: ({ state }) => setModState({ state, modId: "a", value: 1 }) };
  const rig = rigWith({ steps: [reply("hi")], mods: [first, failing("onTurnStart", "onTurnEnd")] });
  expect((await rig.run()).state.modState).toEqual({ a: 1 });
});

test('a failing `shouldStopAfterTurn` means "don\'t stop"', async () => {
  const rig = rigWith({ mods: [failing("shouldStopAfterTurn")] });
  expect((await rig.run()).turnCount).toBe(2);
});

test("failing tool hooks are skipped", async () => {
  const rig = rigWith({ mods: [failing("beforeToolCall", "afterToolCall")] });
  const { state } = await rig.run();
  expect(state.messages[2]?.content).toMatchObject([{ content: [{ text: "ran" }], isError: false }]);
});

test("Every catch site ALSO emits a `mod_error {modId, hook, error}` event", async () => {
  const rig = rigWith({ mods: [failing("onTurnStart", "beforeToolCall", "onRunEnd")] });
  await rig.run();
  const errors = rig.events.filter((event) => event.type === "mod_error");
  expect(errors.map(({ modId, hook, error }) => ({ modId, hook, error }))).toEqual(
    ["onTurnStart", "beforeToolCall", "onTurnStart", "onRunEnd"].map((hook) => ({
      modId: "broken",
      hook,
      error: "no",
    })),
  );
});
