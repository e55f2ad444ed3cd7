import { createAnthropic } from "@ai-sdk/anthropic";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { MockLanguageModelV4 } from "ai/test";
import { describe, expect, test } from "vitest";

import { fromLanguageModel, type AnyLanguageModel } from "@hookscope/harness/language-model";

import { FINISH, mockModel } from "./mock-model.ts";
import { failureOf, partsOf, request } from "./requests.ts";
import { anthropicEvent, completionChunk, startWireServer, type WireReply } from "./wire-server.ts";

const ANTHROPIC: WireReply = {
  frames: [
    anthropicEvent({
      type: "message_start",
      message: {
        id: "m",
        type: "message",
        role: "assistant",
        model: "m",
        content: [],
        usage: { input_tokens: 1, output_tokens: 1 },
      },
    }),
    anthropicEvent({ type: "content_block_start", index: 0, content_block: { type: "text", text: "" } }),
    anthropicEvent({ type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "Hel" } }),
  ],
  after: "hold",
};
const COMPATIBLE: WireReply = {
  frames: [completionChunk({ choices: [{ index: 0, delta: { content: "Hel" }, finish_reason: null }] })],
  after: "hold",
};

const WIRES: readonly (readonly [name: string, reply: WireReply, model: (url: string) => AnyLanguageModel])[] = [
  ["Anthropic", ANTHROPIC, (url) => createAnthropic({ apiKey: "key", baseURL: url })("model-1")],
  ["OpenAI-compatible", COMPATIBLE, (url) => createOpenAICompatible({ name: "local", baseURL: url })("model-1")],
];

describe.each(WIRES)("a held %s stream", (_, reply, model) => {
  test("aborted, throws the signal's own reason and closes the connection", async () => {
    const server = await startWireServer(reply);
    const controller = new AbortController();
    const reason = new Error("the person pressed Escape");
    const reading = (async () => {
      for await (const part of fromLanguageModel(model(server.url)).stream(request({ signal: controller.signal }))) {
        if (part.type === "text_delta") controller.abort(reason);
      }
    })();
    expect(await reading.catch((error: unknown) => error)).toBe(reason);
    await server.left();
  });

  test("left by its reader, closes the connection", async () => {
    const server = await startWireServer(reply);
    let last: unknown;
    for await (const part of fromLanguageModel(model(server.url)).stream(request())) {
      last = part;
      if (part.type === "text_delta") break;
    }
    await server.left();
    expect(last).toEqual({ type: "text_delta", text: "Hel" });
  });
});

describe("an interrupt", () => {
  test("before the call: the model is not asked", async () => {
    const model = mockModel([FINISH]);
    const reason = new Error("stopped");
    const { error } = await failureOf(fromLanguageModel(model), { signal: AbortSignal.abort(reason) });
    expect(error).toBe(reason);
    expect(model.doStreamCalls).toEqual([]);
  });

  test("without a reason of its own is an AbortError", async () => {
    const { error } = await failureOf(fromLanguageModel(mockModel([FINISH])), { signal: AbortSignal.abort() });
    expect((error as Error).name).toBe("AbortError");
  });

  test("is not held up by a model that does not watch the signal, and a stream it opens too late is cancelled", async () => {
    const opened = Promise.withResolvers<{ stream: ReadableStream }>();
    const cancelled = Promise.withResolvers<void>();
    const model = new MockLanguageModelV4({ modelId: "model-1", doStream: () => opened.promise });
    const controller = new AbortController();
    const failure = failureOf(fromLanguageModel(model), { signal: controller.signal });
    controller.abort("enough");
    expect(await failure).toEqual({ parts: [], error: "enough" });
    opened.resolve({ stream: new ReadableStream({ cancel: () => cancelled.resolve() }) });
    await cancelled.promise;
  });

  test("leaves no listener on the signal behind", async () => {
    const { signal } = new AbortController();
    let listeners = 0;
    const add = signal.addEventListener.bind(signal);
    const remove = signal.removeEventListener.bind(signal);
    signal.addEventListener = (...args: Parameters<typeof add>) => {
      listeners += 1;
      add(...args);
    };
    signal.removeEventListener = (...args: Parameters<typeof remove>) => {
      listeners -= 1;
      remove(...args);
    };
    await partsOf(fromLanguageModel(mockModel([{ type: "text-delta", id: "0", delta: "a" }, FINISH])), { signal });
    expect(listeners).toBe(0);
  });
});
