import { callTools, reply, type ScriptedStep } from "@hookscope/testing";
import { expect, test } from "vitest";

import { textOf, userMessage, type AgentMod, type Message, type ModelClient } from "../../src/index.ts";
import { createRig, tool, type Rig, type RigOptions } from "../support/rig.ts";

const CALL: ScriptedStep = callTools([{ name: "shell", input: {}, id: "c1" }]);

function rigWith(mods: readonly AgentMod[], options: RigOptions = {}): Rig {
  return createRig({
    steps: [CALL, reply("done")],
    tools: [tool("shell", "ran")],
    systemPrompt: "be brief",
    watchMods: false,
    watch: [],
    mods,
    ...options,
  });
}

const saying = (id: string): AgentMod => ({
  id,
  transformContext: ({ messages }) => [...messages, userMessage(id)],
});

test("`transformContext` fires once per round, after `appendSystemPrompt`, before `prepareForSend`", async () => {
  const rig = rigWith([{ id: "a", appendSystemPrompt: () => "kindly", transformContext: () => [] }]);
  await rig.run();
  expect(rig.log.only("◆", "→ turn_start", "→ message_start")).toEqual(
    [1, 2].flatMap((round) => [
      `→ turn_start ${round}`,
      "◆ appendSystemPrompt a",
      "◆ transformContext a",
      "→ message_start",
    ]),
  );
});

test("Messages are threaded through every mod in order - each receives the previous mod's output", async () => {
  const seen: (readonly string[])[] = [];
  const noting: AgentMod = {
    id: "c",
    transformContext: ({ messages }) => {
      seen.push(messages.map(({ content }) => textOf(content)));
      return messages;
    },
  };
  await rigWith([saying("a"), saying("b"), noting], { steps: [reply("hi")] }).run("hello");
  expect(seen).toEqual([["hello", "a", "b"]]);
});

test("The result is used for this model call only and never written back to `state.messages`", async () => {
  const rig = rigWith([{ id: "a", transformContext: ({ messages }) => messages.slice(0, 1) }]);
  const { state } = await rig.run("hello");
  expect(rig.model.requests.map(({ messages }) => messages.length)).toEqual([1, 1]);
  expect(state.messages.map(({ role }) => role)).toEqual(["user", "assistant", "user", "assistant"]);
});

test('Return the input array unchanged (same reference) to signal "no change"', async () => {
  const decisions: string[] = [];
  const rig = rigWith(
    [
      { id: "same", transformContext: ({ messages }) => messages },
      { id: "copy", transformContext: ({ messages }) => [...messages] },
    ],
    { steps: [reply("hi")] },
  );
  rig.bus.subscribe(({ hook, decision }) => void decisions.push(`${hook} ${decision}`));
  await rig.run();
  expect(decisions).toEqual(["same continue", "copy modify"]);
});

test("`appendSystemPrompt` fires once per round, right after the round's base `systemPrompt` resolves", async () => {
  const rig: Rig = rigWith([{ id: "a", appendSystemPrompt: () => undefined }], {
    systemPrompt: () => {
      void rig.log.write("■ base");
      return "be brief";
    },
  });
  await rig.run();
  expect(rig.log.only("■ base", "◆")).toEqual(["■ base", "◆ appendSystemPrompt a", "■ base", "◆ appendSystemPrompt a"]);
});

test("Every mod's non-empty return is joined with `'\\n\\n'`, in registration order, and appended AFTER the base prompt", async () => {
  const rig = rigWith(
    [
      { id: "a", appendSystemPrompt: () => "kindly" },
      { id: "b", appendSystemPrompt: () => "" },
      { id: "c", appendSystemPrompt: () => "in French" },
    ],
    { steps: [reply("hi")] },
  );
  await rig.run();
  expect(rig.model.requests[0]?.system).toBe("be brief\n\nkindly\n\nin French");
});

test("May return a plain string OR a Promise", async () => {
  const rig = rigWith(
    [
      { id: "a", appendSystemPrompt: () => "kindly" },
      { id: "b", appendSystemPrompt: async () => "in French" },
    ],
    { steps: [reply("hi")] },
  );
  await rig.run();
  expect(rig.model.requests[0]?.system).toBe("be brief\n\nkindly\n\nin French");
});

test("byte-stable: nothing the core adds changes the system prompt from round to round", async () => {
  const rig = rigWith([{ id: "a", appendSystemPrompt: () => "kindly" }]);
  await rig.run();
  expect(rig.model.requests.map(({ system }) => system)).toEqual(["be brief\n\nkindly", "be brief\n\nkindly"]);
});

test("`prepareNextTurn` fires at the bottom of a continuing round", async () => {
  const rig = rigWith([{ id: "a", shouldStopAfterTurn: () => false, prepareNextTurn: () => undefined }]);
  await rig.run();
  expect(rig.log.only("■", "◆", "→ turn_start")).toEqual([
    "→ turn_start 1",
    "■ commit",
    "◆ shouldStopAfterTurn a",
    "◆ prepareNextTurn a",
    "→ turn_start 2",
    "■ commit",
    "◆ shouldStopAfterTurn a",
  ]);
});

test("Results are merged across mods - later mods override earlier ones per field", async () => {
  const rig = rigWith([
    { id: "a", prepareNextTurn: () => ({ model: "small", effort: "low" }) },
    { id: "b", prepareNextTurn: () => ({ model: "large" }) },
  ]);
  await rig.run();
  expect(rig.model.requests.map(({ model, effort }) => [model, effort])).toEqual([
    ["scripted-model", undefined],
    ["large", "low"],
  ]);
});

test("A returned `model`/`effort` applies from the **next** model call onward (`config` is never mutated)", async () => {
  const waiting = [{ model: "large", effort: "high" } as const];
  const rig = rigWith([{ id: "a", prepareNextTurn: () => waiting.shift() }], {
    steps: [CALL, CALL, reply("done"), reply("again")],
    effort: "low",
  });
  await rig.run();
  await rig.run();
  expect(rig.model.requests.map(({ model, effort }) => [model, effort])).toEqual([
    ["scripted-model", "low"],
    ["large", "high"],
    ["large", "high"],
    ["scripted-model", "low"],
  ]);
});

test("`effort` is tri-state: a `ThinkingEffort` sets it, `null` **resets** it, omitting leaves the current effort", async () => {
  const waiting = [{ effort: "high" }, {}, { effort: null }] as const;
  let asked = 0;
  const rig = rigWith([{ id: "a", prepareNextTurn: () => waiting[asked++] }], {
    steps: [CALL, CALL, CALL, reply("done")],
    effort: "low",
  });
  await rig.run();
  expect(rig.model.requests.map(({ effort }) => effort)).toEqual(["low", "high", "high", undefined]);
});

test("a model that a mod asks for is found by resolveModel, and the run goes on with it", async () => {
  const asked: string[] = [];
  const rig: Rig = rigWith([{ id: "a", prepareNextTurn: () => ({ model: "large" }) }], {
    resolveModel: (name): ModelClient => ({
      provider: "other",
      model: name,
      stream: (request) => {
        asked.push(request.model);
        return rig.model.stream(request);
      },
    }),
  });
  await rig.run();
  expect(asked).toEqual(["large"]);
  expect(rig.events.flatMap((event) => (event.type === "model_request_start" ? [event.model] : []))).toEqual([
    "scripted-model",
    "large",
  ]);
});

test("the messages a mod is given cannot be changed in place", async () => {
  let given: readonly Message[] = [];
  const rig = rigWith(
    [
      {
        id: "a",
        transformContext: ({ messages }) => {
          given = messages;
          return messages;
        },
      },
    ],
    { steps: [reply("hi")] },
  );
  await rig.run();
  expect([Object.isFrozen(given), Object.isFrozen(given[0]?.content)]).toEqual([true, true]);
});
