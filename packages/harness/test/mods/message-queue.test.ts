import { callTools, reply } from "@hookscope/testing";
import { describe, expect, test } from "vitest";

import { createMessageQueue, textOf, type MessageQueue } from "../../src/index.ts";
import { createRig, tool } from "../support/rig.ts";

function queueOf(messages: readonly (readonly ["steering" | "follow_up", string])[]): MessageQueue {
  const queue = createMessageQueue();
  for (const [deliverAs, content] of messages) queue.queueMessage({ content, deliverAs });
  return queue;
}

describe("a message queue", () => {
  test("gives all steering messages at once, and follow-ups one by one, each in the order it came", () => {
    const queue = queueOf([
      ["steering", "a"],
      ["follow_up", "c"],
      ["steering", "b"],
      ["follow_up", "d"],
    ]);
    expect([queue.getSteeringMessages(), queue.getSteeringMessages()]).toEqual([["a", "b"], []]);
    expect([1, 2, 3].map(() => queue.getFollowUpMessages())).toEqual([["c"], ["d"], []]);
  });

  test("says what waits, and gives it back when it is cleared", () => {
    const queue = queueOf([
      ["steering", "a"],
      ["follow_up", "b"],
    ]);
    expect([queue.waiting("steering"), queue.waiting("follow_up")]).toEqual([["a"], ["b"]]);
    expect(queue.clear()).toEqual({ steering: ["a"], follow_up: ["b"] });
    expect(queue.clear()).toEqual({ steering: [], follow_up: [] });
  });

  test("refuses what says nothing, or is to be delivered nowhere", () => {
    const queue = createMessageQueue();
    expect(() => queue.queueMessage({ content: " ", deliverAs: "steering" })).toThrow(
      "MESSAGES_INVALID: queueMessage: `content` must be a text that says something.",
    );
    expect(() => queue.queueMessage({ content: "a", deliverAs: "later" as never })).toThrow(
      'MESSAGES_INVALID: queueMessage: `deliverAs` is "later"; it must be "steering" or "follow_up".',
    );
  });
});

test("a harness asks its queue first, then its own providers; each follow-up has a round of its own", async () => {
  const queue = queueOf([
    ["steering", "queued"],
    ["follow_up", "first"],
    ["follow_up", "second"],
  ]);
  const own = ["own"];
  const rig = createRig({
    watchMods: false,
    watch: ["api_request_error"],
    queue,
    getSteeringMessages: () => own.splice(0),
    tools: [tool("look")],
    steps: [callTools([{ name: "look", input: {} }]), reply("one"), reply("two"), reply("three")],
  });
  const { state, turnCount } = await rig.run("hello");
  expect(turnCount).toBe(4);
  expect(
    state.messages.flatMap((message) => (message.role === "user" ? [[message.source, textOf(message.content)]] : [])),
  ).toEqual([
    ["user", "hello"],
    ["steering", "queued"],
    ["steering", "own"],
    ["tool_results", ""],
    ["follow_up", "first"],
    ["follow_up", "second"],
  ]);
});
