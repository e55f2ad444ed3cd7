import { ModelError, NO_USAGE } from "@hookscope/harness";
import {
  breakAfter,
  callTools,
  createScriptedModel,
  failWith,
  hang,
  malformedToolCall,
  reply,
  type ScriptedStep,
} from "@hookscope/testing";
import { describe, expect, test } from "vitest";

import { failureOf, partsOf, request, response } from "./scripted-requests.ts";

describe("a scripted reply", () => {
  test("is streamed in pieces and finishes with usage made from the lengths of the texts", async () => {
    const model = createScriptedModel({ steps: [reply("All is well.")] });
    expect([model.provider, model.model]).toEqual(["scripted", "scripted-model"]);
    expect(await partsOf(model, { system: "Be brief." })).toEqual([
      response(1),
      { type: "text_delta", text: "All " },
      { type: "text_delta", text: "is w" },
      { type: "text_delta", text: "ell." },
      {
        type: "finish",
        reason: "end_turn",
        stop: "end_turn",
        usage: { ...NO_USAGE, input_tokens: 4, output_tokens: 3 },
      },
    ]);
  });

  test("takes its pieces, thinking, usage and stop from the step", async () => {
    const usage = { input_tokens: 1_000, cache_read_tokens: 900 };
    const model = createScriptedModel({
      steps: [reply("Done", { chunks: 1, thinking: "Hm.", usage, stop: "max_tokens" })],
    });
    expect(await partsOf(model)).toEqual([
      response(1),
      { type: "thinking_start" },
      { type: "thinking_delta", text: "Hm." },
      { type: "thinking_end" },
      { type: "text_delta", text: "Done" },
      {
        type: "finish",
        reason: "max_tokens",
        stop: "max_tokens",
        usage: {
          input_tokens: 1_000,
          output_tokens: 2,
          cache_read_tokens: 900,
          cache_write_tokens: 0,
          reasoning_tokens: 1,
        },
      },
    ]);
  });

  test("has no more pieces than characters, and tears none", async () => {
    const model = createScriptedModel({ steps: [reply("\u{1F600}b", { chunks: 9 })] });
    expect((await partsOf(model)).slice(1, -1)).toEqual([
      { type: "text_delta", text: "\u{1F600}" },
      { type: "text_delta", text: "b" },
    ]);
  });
});

describe("scripted tool calls", () => {
  test("come after the text, with ids that say which request made them", async () => {
    const calls = [
      { name: "shell", input: { command: "ls" } },
      { name: "shell", input: {}, id: "mine" },
    ];
    const model = createScriptedModel({ steps: [reply("."), callTools(calls, { text: "Look", chunks: 1 })] });
    await partsOf(model);
    expect(await partsOf(model)).toEqual([
      response(2),
      { type: "text_delta", text: "Look" },
      { type: "tool_input_start", id: "call_2_1", name: "shell" },
      { type: "tool_input_delta", id: "call_2_1", delta: '{"command":"ls"}' },
      { type: "tool_call", id: "call_2_1", name: "shell", input: '{"command":"ls"}' },
      { type: "tool_input_start", id: "mine", name: "shell" },
      { type: "tool_input_delta", id: "mine", delta: "{}" },
      { type: "tool_call", id: "mine", name: "shell", input: "{}" },
      {
        type: "finish",
        reason: "tool_use",
        stop: "tool_use",
        usage: { ...NO_USAGE, input_tokens: 2, output_tokens: 8 },
      },
    ]);
  });

  test("may be malformed: the input is streamed as it stands", async () => {
    const model = createScriptedModel({ steps: [malformedToolCall("shell", "{bad", { chunks: 2 })] });
    expect((await partsOf(model)).slice(1, -1)).toEqual([
      { type: "tool_input_start", id: "call_1_1", name: "shell" },
      { type: "tool_input_delta", id: "call_1_1", delta: "{b" },
      { type: "tool_input_delta", id: "call_1_1", delta: "ad" },
      { type: "tool_call", id: "call_1_1", name: "shell", input: "{bad" },
    ]);
  });
});

describe("scripted failures", () => {
  const details = { statusCode: 529, retryable: true, type: "overloaded", retryAfterMs: 50 };

  test("come before the first part, with the details they were given", async () => {
    const { parts, error } = await failureOf(createScriptedModel({ steps: [failWith(details)] }));
    expect(parts).toEqual([]);
    expect(error).toBeInstanceOf(ModelError);
    expect(error).toMatchObject({ message: "scripted failure: overloaded", details });
  });

  test("come after some text, with a message of their own", async () => {
    const step = failWith({ ...details, message: "Overloaded", afterText: "Hel" });
    const { parts, error } = await failureOf(createScriptedModel({ steps: [step] }));
    expect(parts).toEqual([response(1), ...["H", "e", "l"].map((piece) => ({ type: "text_delta", text: piece }))]);
    expect(error).toMatchObject({ message: "Overloaded", details });
  });

  test("a broken stream ends without a finish", async () => {
    expect(await partsOf(createScriptedModel({ steps: [breakAfter("Hel", { chunks: 1 })] }))).toEqual([
      response(1),
      { type: "text_delta", text: "Hel" },
    ]);
  });

  test("a hanging call goes on until it is aborted, and throws the signal's reason", async () => {
    const controller = new AbortController();
    const reason = new Error("enough");
    const iterator = createScriptedModel({ steps: [hang({ afterText: "Hel", chunks: 1 })] })
      .stream(request({ signal: controller.signal }))
      [Symbol.asyncIterator]();
    expect((await iterator.next()).value).toEqual(response(1));
    expect((await iterator.next()).value).toEqual({ type: "text_delta", text: "Hel" });
    const hanging = iterator.next();
    controller.abort(reason);
    expect(await hanging.catch((error: unknown) => error)).toBe(reason);
  });

  test("every call throws the reason of a signal that is aborted already", async () => {
    const reason = new Error("enough");
    const steps: ScriptedStep[] = [reply("a"), callTools([]), failWith(details), breakAfter("a"), hang()];
    const model = createScriptedModel({ steps });
    for (const _ of steps) {
      const { parts, error } = await failureOf(model, { signal: AbortSignal.abort(reason) });
      expect([parts, error]).toEqual([[], reason]);
    }
  });
});
