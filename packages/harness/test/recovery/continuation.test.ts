import { callTools, reply, type ScriptedStep } from "@hookscope/testing";
import { describe, expect, test } from "vitest";

import { HarnessError, textOf, type AgentMod } from "../../src/index.ts";
import { createRig, tool, type Rig } from "../support/rig.ts";

const PROMPTS = {
  pause: "Go on.",
  length: "Your answer was cut off at its length limit. Go on exactly where it stopped, without repeating anything.",
  empty: "Your answer was empty. Go on with the task, or say what the result is.",
  intent: "You said what you would do next and called no tool. Do it now, or say that you are done.",
};

/** The messages that keep a turn going, with their source. */
function added(rig: Rig): readonly (readonly string[])[] {
  return (rig.model.requests.at(-1)?.messages ?? [])
    .filter(({ role }) => role === "user")
    .slice(1)
    .map((message) => ["source" in message ? message.source : "", textOf(message.content)]);
}

const quiet = { watchMods: false, watch: ["api_request_error"] } as const;

describe("an answer that is no end is followed up", () => {
  test.for<[keyof typeof PROMPTS, ScriptedStep]>([
    ["pause", reply("Searching", { stop: "pause" })],
    ["length", reply("One, two", { stop: "max_tokens" })],
    ["empty", reply(" \n")],
    ["intent", reply("The build works.\nNow let me run the tests:")],
  ])("%s: the model is told so, by a message of its own, and the event says which", async ([kind, step]) => {
    const rig = createRig({ ...quiet, tools: [tool("look")], steps: [step, reply("done")] });
    const { stopReason, turnCount } = await rig.run();
    expect([stopReason, turnCount]).toEqual(["end_turn", 2]);
    expect(added(rig)).toEqual([["continuation", PROMPTS[kind]]]);
    expect(rig.events.filter(({ type }) => type === "continuation_recovery")).toMatchObject([
      { kind, attempt: 1, maxAttempts: 3 },
    ]);
  });

  test("the round is committed before it is followed up", async () => {
    const rig = createRig({ ...quiet, steps: [reply(""), reply("done")] });
    await rig.run();
    expect(rig.log.between("→ turn_end 1", "→ turn_start 2")).toEqual([
      expect.stringContaining("→ turn_end 1"),
      "■ commit",
      expect.stringContaining("→ continuation_recovery"),
      "→ turn_start 2",
    ]);
  });

  test("an answer that was cut off and what goes on with it are one reply", async () => {
    const steps = [reply("One, two", { stop: "max_tokens" }), reply(", three", { stop: "pause" }), reply(" and four.")];
    const rig = createRig({ ...quiet, steps });
    expect((await rig.run()).finalText).toBe("One, two, three and four.");
  });

  test("an answer that was only announced is not joined with what comes of it", async () => {
    const rig = createRig({ ...quiet, tools: [tool("look")], steps: [reply("Let me look:"), reply("Found it.")] });
    expect((await rig.run()).finalText).toBe("Found it.");
  });
});

describe("an end is an end", () => {
  test.for([
    ["a plain answer", reply("It is done.")],
    ["a sentence about what comes next", reply("I will look it up myself.")],
    ["a list that ends with a colon and announces nothing", reply("The files are:")],
    ["an answer the provider held back", reply("", { stop: "content_filter" })],
  ] as const)("%s", async ([, step]) => {
    const rig = createRig({ ...quiet, tools: [tool("look")], steps: [step] });
    expect((await rig.run()).turnCount).toBe(1);
  });

  test("an announcement without any tool to call", async () => {
    const rig = createRig({ ...quiet, steps: [reply("Let me look:")] });
    expect((await rig.run()).turnCount).toBe(1);
  });

  test("where it was turned off", async () => {
    const rig = createRig({ ...quiet, continuation: false, steps: [reply("")] });
    expect((await rig.run()).turnCount).toBe(1);
  });
});

describe("its bounds", () => {
  const attempts = (rig: Rig): readonly number[] =>
    rig.events.flatMap((event) => (event.type === "continuation_recovery" ? [event.attempt] : []));

  test("so many in a row, then the turn ends", async () => {
    const rig = createRig({ ...quiet, continuation: { maxAttempts: 2 }, steps: [reply(""), reply(""), reply("")] });
    const { stopReason, turnCount } = await rig.run();
    expect([stopReason, turnCount, attempts(rig)]).toEqual(["end_turn", 3, [1, 2]]);
  });

  test("a tool call starts the count anew", async () => {
    const rig = createRig({
      ...quiet,
      tools: [tool("look")],
      continuation: { maxAttempts: 1 },
      steps: [reply(""), callTools([{ name: "look", input: {} }]), reply(""), reply("done")],
    });
    await rig.run();
    expect(attempts(rig)).toEqual([1, 1]);
  });

  test("a stop hook that keeps going does not start it anew: an empty model and an eager mod end", async () => {
    const eager: AgentMod = { id: "eager", onStop: () => ({ continue: true, reason: "More." }) };
    const rig = createRig({ ...quiet, mods: [eager], steps: Array.from({ length: 12 }, () => reply("")) });
    const { stopReason, turnCount } = await rig.run();
    expect([stopReason, turnCount, attempts(rig)]).toEqual(["end_turn", 12, [1, 2, 3]]);
  });

  test("it never goes past the rounds of a turn", async () => {
    const rig = createRig({ ...quiet, maxTurns: 2, steps: [reply(""), reply("")] });
    expect((await rig.run()).stopReason).toBe("max_turns");
  });

  test("a number of attempts that cannot be is refused", () => {
    expect(() => createRig({ continuation: { maxAttempts: 0 } })).toThrow(
      new HarnessError("HARNESS_OPTION_INVALID", "`continuation.maxAttempts` is 0; it must be a number above 0."),
    );
  });
});
