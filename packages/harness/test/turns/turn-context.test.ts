import { defineHook, modify, type Hook } from "@hookscope/hooks";
import { callTools, reply } from "@hookscope/testing";
import { expect, test } from "vitest";

import { createAgentState, userMessage, type Message } from "../../src/index.ts";
import { createRig, tool } from "../support/rig.ts";

function adds(name: string, context: string): Hook {
  return defineHook({ name, on: { pre_llm_call: () => modify({ context }) } });
}

const text = (value: string): object => ({ type: "text", text: value });

test("the contexts of pre_llm_call are joined by a blank line and stand in this turn's user message", async () => {
  const rig = createRig({ steps: [reply("hi")], hooks: [adds("a", "one"), adds("b", "two")] });
  await rig.run("hello");
  expect(rig.model.requests.map(({ messages }) => messages)).toEqual([
    [{ role: "user", source: "user", content: [text("hello"), text("one\n\ntwo")] }],
  ]);
});

test("they are there in every round of the turn, and nowhere in the log, the system prompt or the next turn", async () => {
  const rig = createRig({
    steps: [callTools([{ name: "shell", input: {}, id: "c1" }]), reply("hi"), reply("again")],
    tools: [tool("shell")],
    hooks: [
      defineHook({
        name: "once",
        on: { pre_llm_call: ({ payload }) => (payload.is_first_turn ? modify({ context: "one" }) : undefined) },
      }),
    ],
    systemPrompt: "be brief",
  });
  const first = await rig.run("hello");
  await rig.run("more", { state: first.state });
  const users = (messages: readonly Message[]): unknown =>
    messages.filter((message) => message.role === "user" && message.source === "user").map(({ content }) => content);
  expect(rig.model.requests.map(({ messages }) => users(messages))).toEqual([
    [[text("hello"), text("one")]],
    [[text("hello"), text("one")]],
    [[text("hello")], [text("more")]],
  ]);
  expect(users(first.state.messages)).toEqual([[text("hello")]]);
  expect(rig.model.requests.map(({ system }) => system)).toEqual(["be brief", "be brief", "be brief"]);
});

test("a turn without a message of its own: the context joins the last message the user wrote", async () => {
  const rig = createRig({ steps: [reply("hi")], hooks: [adds("a", "one")] });
  await rig.harness.run({ state: createAgentState({ messages: [userMessage("written before")] }) });
  expect(rig.model.requests[0]?.messages).toEqual([
    { role: "user", source: "user", content: [text("written before"), text("one")] },
  ]);
});

test("pre_llm_call is told the user's message, whether it is the first, and the model", async () => {
  const seen: unknown[] = [];
  const rig = createRig({
    steps: [reply("hi"), reply("again")],
    hooks: [defineHook({ name: "audit", on: { pre_llm_call: ({ payload }) => void seen.push(payload) } })],
  });
  const { state } = await rig.run("hello");
  await rig.run("more", { state });
  expect(seen).toEqual([
    { user_message: "hello", is_first_turn: true, model: "scripted-model" },
    { user_message: "more", is_first_turn: false, model: "scripted-model" },
  ]);
});

test("a hook of pre_llm_call that fails is skipped, and the others' contexts stay", async () => {
  const broken = defineHook({
    name: "broken",
    on: {
      pre_llm_call: () => {
        throw new Error("no memory");
      },
    },
  });
  const rig = createRig({ steps: [reply("hi")], hooks: [adds("a", "one"), broken, adds("b", "two")] });
  await rig.run("hello");
  expect(rig.model.requests[0]?.messages[0]?.content).toEqual([text("hello"), text("one\n\ntwo")]);
});
