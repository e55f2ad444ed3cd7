import type {
  LanguageModelV2,
  LanguageModelV2StreamPart,
  LanguageModelV3,
  LanguageModelV3StreamPart,
} from "@ai-sdk/provider";
import { convertArrayToReadableStream } from "ai/test";
import { describe, expect, test } from "vitest";

import { fromLanguageModel, type AnyLanguageModel } from "@hookscope/harness/language-model";

import { ModelError, NO_USAGE } from "../../src/model.ts";
import { FINISH, mockModel } from "./mock-model.ts";
import { failureOf, partsOf } from "./requests.ts";

const unused = (): never => {
  throw new Error("not used");
};

// Hand-made: the AI SDK's mocks of the older versions live in its older releases.
function modelV3(parts: LanguageModelV3StreamPart[]): LanguageModelV3 {
  return {
    specificationVersion: "v3",
    provider: "old.chat",
    modelId: "old-3",
    supportedUrls: {},
    doGenerate: unused,
    doStream: () => Promise.resolve({ stream: convertArrayToReadableStream(parts) }),
  };
}

function modelV2(parts: LanguageModelV2StreamPart[], provider = "old.chat"): LanguageModelV2 {
  return {
    specificationVersion: "v2",
    provider,
    modelId: "old-2",
    supportedUrls: {},
    doGenerate: unused,
    doStream: () => Promise.resolve({ stream: convertArrayToReadableStream(parts) }),
  };
}

describe("versions of the language model interface", () => {
  test("V3 streams as V4 does", async () => {
    const usage = {
      inputTokens: { total: 5, noCache: 5, cacheRead: undefined, cacheWrite: undefined },
      outputTokens: { total: 2, text: 2, reasoning: undefined },
    };
    const model = modelV3([
      { type: "text-delta", id: "0", delta: "Hi" },
      { type: "finish", usage, finishReason: { unified: "stop", raw: "stop" } },
    ]);
    expect(await partsOf(fromLanguageModel(model))).toEqual([
      { type: "text_delta", text: "Hi" },
      { type: "finish", reason: "end_turn", stop: "stop", usage: { ...NO_USAGE, input_tokens: 5, output_tokens: 2 } },
    ]);
  });

  test("V2 has a plain finish reason and flat counts", async () => {
    const usage = { inputTokens: 15, outputTokens: 7, totalTokens: 22, reasoningTokens: 3, cachedInputTokens: 4 };
    const model = modelV2([
      { type: "text-delta", id: "0", delta: "Hi" },
      { type: "finish", usage, finishReason: "tool-calls" },
    ]);
    expect(await partsOf(fromLanguageModel(model))).toEqual([
      { type: "text_delta", text: "Hi" },
      {
        type: "finish",
        reason: "tool_use",
        stop: "tool-calls",
        usage: { input_tokens: 15, output_tokens: 7, cache_read_tokens: 4, cache_write_tokens: 0, reasoning_tokens: 3 },
      },
    ]);
  });

  test("V2 of Anthropic counts the cache beside the input: both are all input", async () => {
    const usage = { inputTokens: 10, outputTokens: 7, totalTokens: 17, cachedInputTokens: 3 };
    const model = modelV2([
      {
        type: "finish",
        usage,
        finishReason: "stop",
        providerMetadata: { anthropic: { cacheCreationInputTokens: 2 } },
      },
    ]);
    expect(await partsOf(fromLanguageModel(model))).toEqual([
      {
        type: "finish",
        reason: "end_turn",
        stop: "stop",
        usage: { input_tokens: 15, output_tokens: 7, cache_read_tokens: 3, cache_write_tokens: 2, reasoning_tokens: 0 },
      },
    ]);
  });

  test.each([
    ["a model's name", "anthropic/claude", "was given no usable language model: a string."],
    ["nothing", null, "was given no usable language model: a null."],
    ["an older version", { specificationVersion: "v1" }, 'specification version "v1". Known are v2, v3 and v4.'],
    ["a newer version", { specificationVersion: "v9" }, 'specification version "v9". Known are v2, v3 and v4.'],
    ["an incomplete model", { specificationVersion: "v4" }, "without a provider, a modelId or a doStream function."],
  ])("%s is refused at once, with a code", (_, model, message) => {
    expect(() => fromLanguageModel(model as unknown as AnyLanguageModel)).toThrow(
      expect.objectContaining({
        code: "LANGUAGE_MODEL_UNSUPPORTED",
        message: expect.stringContaining(message) as string,
      }),
    );
  });
});

describe("a request for another model", () => {
  test("is made by resolveModel", async () => {
    const other = mockModel([FINISH]);
    const asked: string[] = [];
    const client = fromLanguageModel(mockModel([]), {
      resolveModel: (id) => {
        asked.push(id);
        return other;
      },
    });
    expect(await partsOf(client, { model: "model-2" })).toEqual([
      { type: "finish", reason: "end_turn", stop: "end_turn", usage: NO_USAGE },
    ]);
    expect(asked).toEqual(["model-2"]);
  });

  test("fails for good without resolveModel, and where it throws", async () => {
    const details = { statusCode: null, retryable: false, type: "not_found" };
    const bound = await failureOf(fromLanguageModel(mockModel([])), { model: "model-2" });
    expect(bound.error).toEqual(
      new ModelError(
        'LANGUAGE_MODEL_UNAVAILABLE: Model "model-2" was asked for, and fromLanguageModel has no resolveModel.',
        details,
        { cause: expect.objectContaining({ code: "LANGUAGE_MODEL_UNAVAILABLE" }) },
      ),
    );
    const resolveModel = (): never => {
      throw new Error("no such model");
    };
    const thrown = await failureOf(fromLanguageModel(mockModel([]), { resolveModel }), { model: "model-2" });
    expect(thrown.error).toMatchObject({
      message: 'LANGUAGE_MODEL_UNAVAILABLE: resolveModel failed for "model-2": no such model',
      details,
    });
  });
});
