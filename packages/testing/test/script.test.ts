import { NO_USAGE, text, userMessage, type Message, type ModelStreamPart } from "@hookscope/harness";
import { breakAfter, createFakeClock, createScriptedModel, reply, type ScriptedStep } from "@hookscope/testing";
import { describe, expect, test } from "vitest";

import { failureOf, partsOf, request } from "./scripted-requests.ts";

describe("a script", () => {
  const textOf = (parts: readonly ModelStreamPart[]): string =>
    parts.map((part) => (part.type === "text_delta" ? part.text : "")).join("");

  test("past its end fails for good and says where it is", async () => {
    const model = createScriptedModel({ steps: [reply("only")] });
    await partsOf(model);
    const { parts, error } = await failureOf(model, { messages: [userMessage("And now?")] });
    expect(parts).toEqual([]);
    expect(error).toMatchObject({
      message:
        "SCRIPT_EXHAUSTED: the main script of the scripted model has 1 steps, and this is its call 2. Add a step. " +
        'The last message of the request is user: "And now?".',
      details: { statusCode: null, retryable: false, type: "script_exhausted" },
      cause: { code: "SCRIPT_EXHAUSTED" },
    });
  });

  test("may make a step of the request and of the number of its call", async () => {
    const echo = (asked: { readonly model: string }, callIndex: number): ScriptedStep =>
      reply(`${asked.model} ${callIndex}`);
    const model = createScriptedModel({ steps: [echo, echo] });
    expect([textOf(await partsOf(model)), textOf(await partsOf(model, { model: "other" }))]).toEqual([
      "asked-for 0",
      "other 1",
    ]);
  });

  test("that throws fails the call with what it threw", async () => {
    const fault = new Error("my own fault");
    const model = createScriptedModel({
      steps: [
        () => {
          throw fault;
        },
      ],
    });
    expect(await failureOf(model)).toEqual({ parts: [], error: fault });
  });

  test("whose function makes no step fails the call, and says which", async () => {
    const model = createScriptedModel({ steps: [(() => undefined) as never] });
    expect((await failureOf(model)).error).toMatchObject({
      code: "SCRIPT_INVALID",
      message:
        "SCRIPT_INVALID: step 1 of the main script is undefined, which is no step; make one with reply, callTools, malformedToolCall, failWith, breakAfter or hang.",
    });
  });

  test("of its own takes the calls its predicate holds for, each script at its own pace", async () => {
    const model = createScriptedModel({
      scripts: [{ when: ({ system }) => system === "explorer", steps: [reply("e1"), reply("e2")] }],
      steps: [reply("m1"), reply("m2")],
    });
    const said = [];
    for (const system of [undefined, "explorer", "explorer", undefined])
      said.push(textOf(await partsOf(model, { system })));
    expect(said).toEqual(["m1", "e1", "e2", "m2"]);
    expect((await failureOf(model, { system: "explorer" })).error).toMatchObject({
      message: expect.stringContaining("script 1 of the scripted model has 2 steps") as string,
    });
  });

  test("gives parallel calls their steps in the order the calls were made, not read", async () => {
    const model = createScriptedModel({ steps: [reply("first"), reply("second")] });
    const [first, second] = [model.stream(request()), model.stream(request())];
    expect([textOf(await Array.fromAsync(second)), textOf(await Array.fromAsync(first))]).toEqual(["second", "first"]);
  });

  test.each([
    [
      { steps: [reply("a", { chunks: 0 })] },
      "chunks of step 1 of the main script is 0; it must be a whole number from 1 up.",
    ],
    [
      { steps: [reply("a"), reply("b", { delayMs: -1 })] },
      "delayMs of step 2 of the main script is -1; it must be 0 or more milliseconds.",
    ],
    [
      { steps: [reply("a"), "b" as never] },
      "step 2 of the main script is a string, which is no step; make one with reply, callTools, malformedToolCall, failWith, breakAfter or hang.",
    ],
    [
      { scripts: [{ when: () => true, steps: [{ text: "a" } as never] }] },
      "step 1 of script 1 has no ending; make one with reply, callTools, malformedToolCall, failWith, breakAfter or hang.",
    ],
    [{ steps: [], delayMs: 5 }, "the model's options has a delay, and the scripted model has no clock. Give it one."],
  ])("that cannot be used is refused at once: %#", (options, message) => {
    expect(() => createScriptedModel(options)).toThrow(
      expect.objectContaining({ code: "SCRIPT_INVALID", message: `SCRIPT_INVALID: ${message}` }),
    );
  });
});

describe("the requests of a scripted model", () => {
  test("are kept as they were, frozen, without their signal", async () => {
    const model = createScriptedModel({ steps: [reply("a"), reply("b")] });
    const messages: Message[] = [userMessage("one")];
    await partsOf(model, { messages, effort: "low" });
    messages.push({ role: "assistant", content: [text("a")] }, userMessage("two"));
    await partsOf(model, { messages });
    expect(model.requests).toEqual([
      { model: "asked-for", messages: [userMessage("one")], tools: [], effort: "low" },
      {
        model: "asked-for",
        messages: [userMessage("one"), { role: "assistant", content: [text("a")] }, userMessage("two")],
        tools: [],
      },
    ]);
    expect(Object.isFrozen(model.requests[0]?.messages[0]?.content)).toBe(true);
  });
});

describe("the usage of a scripted call", () => {
  test("counts four characters a token, over the system prompt and every text of the conversation", async () => {
    const messages: Message[] = [
      userMessage("1234"),
      {
        role: "assistant",
        content: [
          { type: "thinking", text: "1234" },
          text("1234"),
          { type: "tool_use", id: "c", name: "ls", input: {} },
          { type: "provider", name: "search", value: "not sent back" },
        ],
      },
      {
        role: "user",
        source: "tool_results",
        content: [
          { type: "tool_result", toolCallId: "c", toolName: "ls", content: [text("12"), text("34")], isError: false },
        ],
      },
    ];
    const parts = await partsOf(createScriptedModel({ steps: [reply("12345")] }), { system: "12345", messages });
    expect(parts.at(-1)).toMatchObject({ usage: { ...NO_USAGE, input_tokens: 7, output_tokens: 2 } });
  });
});

describe("a delay", () => {
  test("comes before each part, in the time of the clock that was given", async () => {
    const clock = createFakeClock();
    const model = createScriptedModel({
      clock,
      delayMs: 10,
      steps: [breakAfter("ab"), breakAfter("c", { delayMs: 0 })],
    });
    const start = clock.now();
    const times: number[] = [];
    const reading = (async () => {
      for await (const _ of model.stream(request())) times.push(clock.now() - start);
    })();
    await clock.advance(30);
    await reading;
    expect(times).toEqual([10, 20, 30]);
    expect((await partsOf(model)).length).toBe(2);
  });

  test("ends with an abort, and leaves no timer behind", async () => {
    const clock = createFakeClock();
    const controller = new AbortController();
    const model = createScriptedModel({ clock, steps: [reply("a", { delayMs: 1_000 })] });
    const failing = failureOf(model, { signal: controller.signal });
    await clock.advance(500);
    controller.abort("enough");
    expect(await failing).toEqual({ parts: [], error: "enough" });
    expect(clock.pendingTimers).toBe(0);
  });
});
