import { callTools, reply, type ScriptedStep } from "@hookscope/testing";
import { expect, test } from "vitest";

import { text, textOf, userMessage } from "../../src/index.ts";
import { createRig, tool } from "../support/rig.ts";

const CALL: ScriptedStep = callTools([{ name: "shell", input: { command: "ls" }, id: "c1" }]);

test("working += tool-results user message", async () => {
  const rig = createRig({ steps: [CALL, reply("done")], tools: [tool("shell", "a.txt")] });
  const { state } = await rig.run();
  expect(state.messages[2]).toEqual({
    role: "user",
    source: "tool_results",
    content: [{ type: "tool_result", toolCallId: "c1", toolName: "shell", content: [text("a.txt")], isError: false }],
  });
});

test("any deny → pendingStop: permission_denied", async () => {
  const rig = createRig({
    steps: [CALL],
    tools: [tool("shell")],
    permissions: { check: () => ({ decision: "deny" }) },
  });
  expect((await rig.run()).stopReason).toBe("permission_denied");
});

test("any terminate → pendingStop: terminate", async () => {
  const rig = createRig({
    steps: [CALL],
    tools: [tool("shell")],
    mods: [{ id: "ender", afterToolCall: () => ({ terminate: true }) }],
  });
  expect((await rig.run()).stopReason).toBe("terminate");
});

test("else poll getSteeringMessages → append (source 'steering')", async () => {
  const waiting = [[], ["look here"]];
  const rig = createRig({
    steps: [CALL, reply("done")],
    tools: [tool("shell")],
    getSteeringMessages: () => waiting.shift() ?? [],
  });
  const { state } = await rig.run();
  expect(state.messages[3]).toEqual(userMessage("look here", "steering"));
});

test("turn_end {turnNumber, hadToolCalls, usage}", async () => {
  const usage = { input_tokens: 3, output_tokens: 2, cache_read_tokens: 0, cache_write_tokens: 0, reasoning_tokens: 0 };
  const rig = createRig({
    steps: [callTools([{ name: "shell", input: {} }], { usage }), reply("done", { usage })],
    tools: [tool("shell")],
  });
  await rig.run();
  const ends = rig.events.filter((event) => event.type === "turn_end");
  expect(ends.map(({ turnNumber, hadToolCalls, usage: used }) => ({ turnNumber, hadToolCalls, usage: used }))).toEqual([
    { turnNumber: 1, hadToolCalls: true, usage },
    { turnNumber: 2, hadToolCalls: false, usage },
  ]);
});

test("pendingStop? → stop", async () => {
  const rig = createRig({
    steps: [CALL],
    tools: [tool("shell")],
    mods: [{ id: "ender", afterToolCall: () => ({ terminate: true }) }],
  });
  await rig.run();
  expect(rig.log.between("■ commit", "◆ onRunEnd watcher")).toEqual([
    "■ commit",
    "● post_llm_call",
    "● on_session_end",
    "◆ onRunEnd watcher",
  ]);
});

test("turnNumber ≥ maxTurns → stop: max_turns", async () => {
  const rig = createRig({ steps: [CALL, CALL], tools: [tool("shell")], maxTurns: 2 });
  const { stopReason, turnCount } = await rig.run();
  expect([stopReason, turnCount]).toEqual(["max_turns", 2]);
});

test("no follow-up wanted → onStop (any continue → keep going) else stop: end_turn", async () => {
  const waiting = [["and then?"]];
  const rig = createRig({
    steps: [reply("one"), reply("two")],
    getFollowUpMessages: () => waiting.shift() ?? [],
  });
  const { stopReason, state } = await rig.run("hello");
  expect([stopReason, rig.log.only("◆ onStop"), state.messages.map(({ content }) => textOf(content))]).toEqual([
    "end_turn",
    ["◆ onStop watcher"],
    ["hello", "one", "and then?", "two"],
  ]);
});

test("run_end {result}", async () => {
  const rig = createRig({ steps: [reply("hi")] });
  const result = await rig.run();
  expect(rig.events.at(-1)).toMatchObject({ type: "run_end", result });
});
