import { callTools, reply } from "@hookscope/testing";
import { describe, expect, test } from "vitest";

import { createMessageQueue, HarnessError, textOf, type ProvidedMessages } from "../../src/index.ts";
import { createRig, tool, type Rig } from "../support/rig.ts";

const CALL = callTools([{ name: "look", input: {} }]);

/** Gives each once, then nothing; typed as what no type checker saw. */
function giving(...values: readonly unknown[]): () => ProvidedMessages {
  const waiting = [...values];
  return () => waiting.shift() as ProvidedMessages;
}

function said(messages: Awaited<ReturnType<Rig["run"]>>["state"]["messages"]): readonly unknown[] {
  return messages.flatMap((message) => (message.role === "user" ? [[message.source, textOf(message.content)]] : []));
}

const errorsOf = ({ events }: Rig): readonly unknown[] =>
  events.flatMap((event) => (event.type === "run_error" ? [event.error] : []));

describe("what a provider of messages gives", () => {
  test("a text is one message, at both places", async () => {
    const rig = createRig({
      steps: [CALL, reply("one"), reply("two")],
      tools: [tool("look")],
      getSteeringMessages: giving([], "look here"),
      getFollowUpMessages: giving("and then?"),
    });
    expect(said((await rig.run("hello")).state.messages)).toEqual([
      ["user", "hello"],
      ["tool_results", ""],
      ["steering", "look here"],
      ["follow_up", "and then?"],
    ]);
  });

  test.for([[undefined], [null], [""], [" "], [[]]])("%j is none", async ([nothing]) => {
    const rig = createRig({
      steps: [reply("done")],
      getSteeringMessages: giving(nothing),
      getFollowUpMessages: giving(nothing),
    });
    const { state, stopReason } = await rig.run("hello");
    expect([stopReason, said(state.messages)]).toEqual(["end_turn", [["user", "hello"]]]);
  });

  test.for<[unknown, string]>([
    [5, "something of type number"],
    [{ content: "a" }, "something of type object"],
    [["a", 5], "a list whose number 2 is of type number"],
    [["a", null], "a list whose number 2 is null"],
    [[["a"]], "a list whose number 1 is a list"],
  ])("%j ends the turn with a coded error, and none of it is said", async ([given, what]) => {
    for (const name of ["getSteeringMessages", "getFollowUpMessages"] as const) {
      const rig = createRig({ steps: [reply("done")], [name]: giving(given) });
      const { state, stopReason } = await rig.run("hello");
      expect([stopReason, said(state.messages)]).toEqual(["error", [["user", "hello"]]]);
      expect(errorsOf(rig)).toEqual([
        new HarnessError(
          "MESSAGES_INVALID",
          `${name} gave ${what}; it must give a list of texts, one text, or nothing.`,
        ),
      ]);
    }
  });
});

describe("a provider beside a queue", () => {
  test.for<[unknown, readonly unknown[]]>([
    ["own", [["steering", "own"]]],
    [undefined, []],
  ])("gives %j behind what is queued", async ([given, own]) => {
    const queue = createMessageQueue();
    queue.queueMessage({ content: "queued", deliverAs: "steering" });
    const rig = createRig({ steps: [reply("done")], queue, getSteeringMessages: giving(given) });
    expect(said((await rig.run("hello")).state.messages)).toEqual([["user", "hello"], ["steering", "queued"], ...own]);
  });

  test("that fails takes nothing from the queue", async () => {
    const queue = createMessageQueue();
    queue.queueMessage({ content: "queued", deliverAs: "steering" });
    const rig = createRig({ steps: [], queue, getSteeringMessages: giving(5) });
    expect((await rig.run("hello")).stopReason).toBe("error");
    expect(queue.waiting("steering")).toEqual(["queued"]);
  });
});
