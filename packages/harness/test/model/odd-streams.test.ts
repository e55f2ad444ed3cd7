import { expect, test } from "vitest";

import { NO_USAGE, toolCallsOf, type ModelClient, type ModelStreamPart } from "../../src/index.ts";
import { createRig, tool, type Rig } from "../support/rig.ts";

const END: ModelStreamPart = { type: "finish", reason: "end_turn", stop: "stop", usage: NO_USAGE };
const CALLED: ModelStreamPart = { type: "finish", reason: "tool_use", stop: "tool_use", usage: NO_USAGE };
const call = (id: string, name: string): ModelStreamPart => ({ type: "tool_call", id, name, input: "{}" });
const text = (value: string): ModelStreamPart => ({ type: "text_delta", text: value });

/** Streams each list in turn. What it does after its last part is its own. */
function streaming(answers: readonly (readonly unknown[])[], after: () => void = () => undefined): Rig {
  let calls = 0;
  const model: ModelClient = {
    provider: "odd",
    model: "odd-1",
    async *stream() {
      calls += 1;
      yield* (answers[calls - 1] ?? [text("done"), END]) as ModelStreamPart[];
      after();
    },
  };
  return createRig({ model, tools: [tool("look"), tool("read")], watchMods: false });
}

test("what comes after the finish is no part of the answer: no call, no text, no second finish", async () => {
  const rig = streaming([[text("hi"), END, text(" there"), call("c1", "look"), CALLED]]);
  const { finalText, stopReason, state } = await rig.run();
  expect([finalText, stopReason, state.messages.length]).toEqual(["hi", "end_turn", 2]);
  expect(rig.log.only("→ text_delta", "→ tool", "▶ look")).toEqual(["→ text_delta hi"]);
});

test("what fails after the finish takes nothing away", async () => {
  const rig = streaming([[text("hi"), END]], () => {
    throw new Error("connection reset");
  });
  const { finalText, stopReason } = await rig.run();
  expect([finalText, stopReason]).toEqual(["hi", "end_turn"]);
});

test("calls that have one id, or none, get ids of their own: each result belongs to its call", async () => {
  const rig = streaming([
    [call("c1", "look"), call("c1", "read"), call("", "look"), call("", "read"), call("c1", "look"), CALLED],
  ]);
  const { state } = await rig.run();
  const [, asked, answered] = state.messages;
  const ids = toolCallsOf(asked?.role === "assistant" ? asked.content : []).map(({ id }) => id);
  expect([ids[0], new Set(ids).size, ids.includes("")]).toEqual(["c1", 5, false]);
  expect(answered?.content.map((block) => (block.type === "tool_result" ? block.toolCallId : ""))).toEqual(ids);
  expect(rig.events.filter(({ type }) => type === "tool_completed").length).toBe(5);
});

test("a call that is written piece by piece under an id that was used is told from the first", async () => {
  const pieces = (id: string, value: string): readonly ModelStreamPart[] => [
    { type: "tool_input_start", id, name: "look" },
    { type: "tool_input_delta", id, delta: value },
    { type: "tool_call", id, name: "look", input: value },
  ];
  const rig = streaming([[...pieces("c1", '{"a":1}'), ...pieces("c1", '{"b":2}'), CALLED]]);
  const { state } = await rig.run();
  const asked = state.messages[1];
  expect(toolCallsOf(asked?.role === "assistant" ? asked.content : []).map(({ input }) => input)).toEqual([
    { a: 1 },
    { b: 2 },
  ]);
});

test.for([
  ["nothing", null, "a part of the stream is null"],
  ["a text", "hi", 'a part of the stream is "hi"'],
  ["a part without a type", {}, "a part of the stream has no `type`"],
  ["a text that is none", { type: "text_delta", text: 5 }, "`text` of a text_delta is 5; it must be a text"],
  [
    "a call without a name",
    { type: "tool_call", id: "c1", input: "{}" },
    "`name` of a tool_call is undefined; it must be a text",
  ],
  [
    "a call with a ready input",
    { type: "tool_call", id: "c1", name: "look", input: { a: 1 } },
    "`input` of a tool_call is an object; it must be a text",
  ],
  [
    "a call with a number as id",
    { type: "tool_call", id: 1, name: "look", input: "{}" },
    "`id` of a tool_call is 1; it must be a text",
  ],
] as const)("a client that streams %s is at fault itself: the call fails, and says why", async ([, part, problem]) => {
  const rig = streaming([[text("a"), part, END]]);
  const { stopReason, error } = await rig.run();
  expect([stopReason, error?.message]).toEqual([
    "error",
    `MODEL_CALL_FAILED: the call of model odd-1 failed: MODEL_STREAM_INVALID: ${problem}.`,
  ]);
  expect(rig.log.only("▶ look")).toEqual([]);
});

test.for([
  ["nothing", undefined, "undefined"],
  ["a list", [END], "a list"],
  ["a promise", Promise.resolve([END]), "an object"],
] as const)("a client whose stream is %s cannot be read: the call fails, and says why", async ([, stream, what]) => {
  const model = { provider: "odd", model: "odd-1", stream: () => stream } as unknown as ModelClient;
  const { error } = await createRig({ model, watchMods: false }).run();
  expect(error?.message).toBe(
    `MODEL_CALL_FAILED: the call of model odd-1 failed: MODEL_STREAM_INVALID: the stream is ${what}; it must be an async iterable of parts.`,
  );
});

test("a part of a kind that nobody knows is left out", async () => {
  const rig = streaming([[{ type: "weather", degrees: 21 }, text("hi"), END]]);
  expect((await rig.run()).finalText).toBe("hi");
});
