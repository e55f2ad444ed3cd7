import { callTools, reply } from "@hookscope/testing";
import { expect, test } from "vitest";

import { textOf, type Message } from "../../src/index.ts";
import { createRig, tool } from "../support/rig.ts";

const CALL = callTools([{ name: "shell", input: {}, id: "c1" }]);

function said(messages: readonly Message[]): readonly string[] {
  return messages.map((message) => {
    const source = message.role === "user" ? message.source : "assistant";
    return `${source}: ${textOf(message.content)}`;
  });
}

test("steering messages are asked for before the first round and after each with tool calls", async () => {
  const waiting = [["wait"], ["look here", "and here"], []];
  let asked = 0;
  const rig = createRig({
    steps: [CALL, CALL, reply("done")],
    tools: [tool("shell")],
    getSteeringMessages: () => waiting[asked++] ?? [],
  });
  const { state } = await rig.run("hello");
  expect(said(state.messages)).toEqual([
    "user: hello",
    "steering: wait",
    "assistant: ",
    "tool_results: ",
    "steering: look here",
    "steering: and here",
    "assistant: ",
    "tool_results: ",
    "assistant: done",
  ]);
  expect(asked).toBe(3);
});

test("steering is not asked for in a batch that stops the run", async () => {
  let asked = 0;
  const rig = createRig({
    steps: [CALL],
    tools: [tool("shell")],
    mods: [{ id: "ender", afterToolCall: () => ({ terminate: true }) }],
    getSteeringMessages: () => {
      asked += 1;
      return [];
    },
  });
  await rig.run();
  expect(asked).toBe(1);
});

test("a follow-up message keeps the turn going", async () => {
  const waiting = [["and then?"], []];
  const rig = createRig({
    steps: [reply("first"), reply("second")],
    getFollowUpMessages: () => waiting.shift() ?? [],
  });
  const { state, finalText } = await rig.run("hello");
  expect(said(state.messages)).toEqual([
    "user: hello",
    "assistant: first",
    "follow_up: and then?",
    "assistant: second",
  ]);
  expect(finalText).toBe("second");
});

test("a provider of messages that fails ends the turn, but what the tools did is committed", async () => {
  let asked = 0;
  const rig = createRig({
    steps: [CALL],
    tools: [tool("shell")],
    watchMods: false,
    getSteeringMessages: () => {
      asked += 1;
      if (asked === 2) throw new Error("no terminal");
      return [];
    },
  });
  const { stopReason, state } = await rig.run();
  expect(stopReason).toBe("error");
  expect(said(state.messages)).toEqual(["user: hello", "assistant: ", "tool_results: "]);
  expect(rig.log.from("→ tool_completed shell")).toEqual([
    "→ tool_completed shell",
    "→ turn_end 1",
    "■ commit",
    "→ run_error",
    "● on_session_end",
    "→ run_end error",
  ]);
});

test("the state given to run is not changed; the one that comes back is frozen", async () => {
  const state = { sessionId: "s1", messages: [], modState: {} };
  const rig = createRig({ steps: [reply("hi")] });
  const result = await rig.run("hello", { state });
  expect(state).toEqual({ sessionId: "s1", messages: [], modState: {} });
  expect([Object.isFrozen(result.state), Object.isFrozen(result.state.messages)]).toEqual([true, true]);
});

test("each commit gives the whole state so far", async () => {
  const committed: (readonly string[])[] = [];
  const rig = createRig({
    steps: [CALL, reply("done")],
    tools: [tool("shell")],
    onCommit: ({ messages }) => void committed.push(said(messages)),
  });
  await rig.run("hello");
  expect(committed).toEqual([
    ["user: hello", "assistant: ", "tool_results: "],
    ["user: hello", "assistant: ", "tool_results: ", "assistant: done"],
  ]);
});
