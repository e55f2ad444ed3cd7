import type { LanguageModelV4StreamPart } from "@ai-sdk/provider";
import { describe, expect, test } from "vitest";

import { fromLanguageModel } from "@hookscope/harness/language-model";

import { NO_USAGE, type ModelStreamPart } from "../../src/model.ts";
import { FINISH, mockModel, NO_COUNTS } from "./mock-model.ts";
import { partsOf } from "./requests.ts";

function streamed(...parts: LanguageModelV4StreamPart[]): Promise<ModelStreamPart[]> {
  return partsOf(fromLanguageModel(mockModel(parts)));
}

const END: ModelStreamPart = { type: "finish", reason: "end_turn", stop: "end_turn", usage: NO_USAGE };

describe("the parts of a stream", () => {
  test("text comes in the deltas it was sent in, empty ones left out", async () => {
    expect(
      await streamed(
        { type: "stream-start", warnings: [] },
        { type: "response-metadata", id: "r1", modelId: "model-1-2026", timestamp: new Date(0) },
        { type: "text-start", id: "0" },
        { type: "text-delta", id: "0", delta: "Hel" },
        { type: "text-delta", id: "0", delta: "" },
        { type: "text-delta", id: "0", delta: "lo" },
        { type: "text-end", id: "0" },
        FINISH,
      ),
    ).toEqual([
      { type: "response", id: "r1", model: "model-1-2026" },
      { type: "text_delta", text: "Hel" },
      { type: "text_delta", text: "lo" },
      END,
    ]);
  });

  test("a block of thinking ends with the metadata of all its parts together", async () => {
    expect(
      await streamed(
        { type: "reasoning-start", id: "0", providerMetadata: { openai: { itemId: "rs_1" } } },
        { type: "reasoning-delta", id: "0", delta: "Hm." },
        { type: "reasoning-delta", id: "0", delta: "", providerMetadata: { anthropic: { signature: "sig" } } },
        { type: "reasoning-end", id: "0", providerMetadata: { openai: { encrypted: "e" } } },
        FINISH,
      ),
    ).toEqual([
      { type: "thinking_start" },
      { type: "thinking_delta", text: "Hm." },
      {
        type: "thinking_end",
        metadata: { openai: { itemId: "rs_1", encrypted: "e" }, anthropic: { signature: "sig" } },
      },
      END,
    ]);
  });

  test("blocks of thinking are one after the other, and the last is ended by the finish", async () => {
    expect(
      await streamed(
        { type: "reasoning-start", id: "a" },
        { type: "reasoning-delta", id: "a", delta: "1" },
        { type: "reasoning-start", id: "b" },
        { type: "reasoning-delta", id: "b", delta: "2" },
        { type: "reasoning-end", id: "a" },
        { type: "reasoning-delta", id: "c", delta: "3" },
        FINISH,
      ),
    ).toEqual([
      { type: "thinking_start" },
      { type: "thinking_delta", text: "1" },
      { type: "thinking_end" },
      { type: "thinking_start" },
      { type: "thinking_delta", text: "2" },
      { type: "thinking_end" },
      { type: "thinking_start" },
      { type: "thinking_delta", text: "3" },
      { type: "thinking_end" },
      END,
    ]);
  });

  test("a tool call keeps the model's own text, JSON or not", async () => {
    expect(
      await streamed(
        { type: "tool-input-start", id: "c1", toolName: "shell" },
        { type: "tool-input-delta", id: "c1", delta: '{"command":' },
        { type: "tool-input-end", id: "c1" },
        { type: "tool-call", toolCallId: "c1", toolName: "shell", input: '{"command":' },
        { ...FINISH, finishReason: { unified: "tool-calls", raw: "tool_use" } },
      ),
    ).toEqual([
      { type: "tool_input_start", id: "c1", name: "shell" },
      { type: "tool_input_delta", id: "c1", delta: '{"command":' },
      { type: "tool_call", id: "c1", name: "shell", input: '{"command":' },
      { type: "finish", reason: "tool_use", stop: "tool_use", usage: NO_USAGE },
    ]);
  });

  test("what ran at the provider is a provider block, and no tool call of ours", async () => {
    expect(
      await streamed(
        { type: "tool-input-start", id: "s1", toolName: "web_search", providerExecuted: true },
        { type: "tool-input-delta", id: "s1", delta: "{}" },
        { type: "tool-call", toolCallId: "s1", toolName: "web_search", input: "{}", providerExecuted: true },
        { type: "tool-result", toolCallId: "s1", toolName: "web_search", result: ["half"], preliminary: true },
        { type: "tool-result", toolCallId: "s1", toolName: "web_search", result: ["page"] },
        { type: "tool-result", toolCallId: "s2", toolName: "web_search", result: "failed", isError: true },
        FINISH,
      ),
    ).toEqual([
      { type: "provider_block", name: "web_search", value: { call: "s1", input: "{}" } },
      { type: "provider_block", name: "web_search", value: { call: "s1", result: ["page"] } },
      { type: "provider_block", name: "web_search", value: { call: "s2", result: "failed", is_error: true } },
      END,
    ]);
  });

  test("parts nobody knows are left out", async () => {
    expect(
      await streamed(
        { type: "custom", kind: "anthropic.message_start" },
        { type: "raw", rawValue: {} },
        { type: "ping" },
        { type: "source", sourceType: "url", id: "1", url: "https://example.org" },
        { type: "from-the-future" } as unknown as LanguageModelV4StreamPart,
        FINISH,
      ),
    ).toEqual([END]);
  });

  test("nothing counts after the finish", async () => {
    expect(
      await streamed(FINISH, { type: "text-delta", id: "0", delta: "late" }, { type: "error", error: "late" }),
    ).toEqual([END]);
  });

  test("a stream that ends early, or says that it was interrupted, has no finish", async () => {
    const start: LanguageModelV4StreamPart = { type: "text-delta", id: "0", delta: "Hel" };
    expect(await streamed(start)).toEqual([{ type: "text_delta", text: "Hel" }]);
    expect(await streamed(start, { ...FINISH, finishReason: { unified: "interrupted", raw: undefined } })).toEqual([
      { type: "text_delta", text: "Hel" },
    ]);
  });
});

describe("how a model call ended", () => {
  test.each([
    ["stop", "end_turn", "end_turn"],
    ["stop", "pause_turn", "pause"],
    ["tool-calls", "tool_use", "tool_use"],
    ["length", "max_tokens", "max_tokens"],
    ["content-filter", "refusal", "content_filter"],
    ["other", "compaction", "other"],
  ] as const)("%s with the provider's word %s is %s", async (unified, raw, reason) => {
    expect(await streamed({ ...FINISH, finishReason: { unified, raw } })).toEqual([
      { type: "finish", reason, stop: raw, usage: NO_USAGE },
    ]);
  });

  test("without a word of the provider the unified one stands", async () => {
    expect(await streamed({ ...FINISH, finishReason: { unified: "length", raw: undefined } })).toEqual([
      { type: "finish", reason: "max_tokens", stop: "length", usage: NO_USAGE },
    ]);
  });
});

describe("usage", () => {
  test("input is all input, the cache's included", async () => {
    const usage = {
      inputTokens: { total: 15, noCache: 10, cacheRead: 3, cacheWrite: 2 },
      outputTokens: { total: 7, text: 4, reasoning: 3 },
    };
    expect(await streamed({ ...FINISH, usage })).toEqual([
      {
        ...END,
        usage: { input_tokens: 15, output_tokens: 7, cache_read_tokens: 3, cache_write_tokens: 2, reasoning_tokens: 3 },
      },
    ]);
  });

  test("a total nobody gave is the sum of what is known", async () => {
    const usage = {
      inputTokens: { ...NO_COUNTS.inputTokens, noCache: 10, cacheRead: 3 },
      outputTokens: { ...NO_COUNTS.outputTokens, text: 4 },
    };
    expect(await streamed({ ...FINISH, usage })).toEqual([
      {
        ...END,
        usage: { input_tokens: 13, output_tokens: 4, cache_read_tokens: 3, cache_write_tokens: 0, reasoning_tokens: 0 },
      },
    ]);
  });
});
