import { callTools, reply, type ScriptedStep } from "@hookscope/testing";
import { expect, test } from "vitest";

import { setModState, text, type AgentMod } from "../../src/index.ts";
import { createRig, tool } from "../support/rig.ts";

const CALL: ScriptedStep = callTools([{ name: "shell", input: { command: "ls" }, id: "c1" }]);

test("A **mod** is a plain object of lifecycle hooks that mutates agent state or changes loop decisions", async () => {
  const mod: AgentMod = {
    id: "plain",
    onTurnStart: ({ state }) => setModState({ state, modId: "plain", value: 1 }),
    shouldStopAfterTurn: () => true,
  };
  const rig = createRig({ steps: [CALL], tools: [tool("shell")], mods: [mod] });
  const { stopReason, state } = await rig.run();
  expect([stopReason, state.modState]).toEqual(["stop_hook", { plain: 1 }]);
});

test("they subscribe to the `AgentEvent` stream", async () => {
  const seen: string[] = [];
  const rig = createRig({ steps: [reply("hi")] });
  rig.harness.events.on("run_end", ({ result }) => void seen.push(result.finalText));
  await rig.run();
  expect(seen).toEqual(["hi"]);
});

test("A mod may also contribute **tools**", async () => {
  const rig = createRig({
    steps: [callTools([{ name: "clock", input: {} }]), reply("done")],
    mods: [{ id: "time", tools: [tool("clock", "noon")] }],
  });
  const { state } = await rig.run();
  expect(state.messages[2]?.content).toMatchObject([{ toolName: "clock", content: [text("noon")] }]);
});

test("so a mod can raise its own events", async () => {
  const mod: AgentMod = {
    id: "noting",
    onTurnStart: ({ state }, ctx) => {
      ctx?.emit({ type: "notice", level: "info", message: "begun" });
      return state;
    },
  };
  const rig = createRig({ steps: [reply("hi")], mods: [mod] });
  await rig.run();
  expect(rig.log.only("→ notice")).toEqual(["→ notice begun"]);
});
