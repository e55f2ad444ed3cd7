import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { describe, expect, test } from "vitest";

import { fromLanguageModel } from "@hookscope/harness/language-model";

import { text, userMessage } from "../../src/messages.ts";
import { NO_USAGE, type ModelClient, type ModelError, type ModelStreamPart } from "../../src/model.ts";
import { failureOf, partsOf, request } from "./requests.ts";
import { completionChunk, DONE, startWireServer, type WireServer } from "./wire-server.ts";

function client(server: WireServer): ModelClient {
  const provider = createOpenAICompatible({
    name: "local",
    apiKey: "key",
    baseURL: `${server.url}/v1`,
    includeUsage: true,
  });
  return fromLanguageModel(provider("served"));
}

function delta(fields: Record<string, unknown>): string {
  return completionChunk({ choices: [{ index: 0, delta: fields, finish_reason: null }] });
}

function end(reason: string): string[] {
  return [
    completionChunk({ choices: [{ index: 0, delta: {}, finish_reason: reason }] }),
    completionChunk({
      choices: [],
      usage: {
        prompt_tokens: 15,
        completion_tokens: 7,
        total_tokens: 22,
        prompt_tokens_details: { cached_tokens: 3 },
        completion_tokens_details: { reasoning_tokens: 2 },
      },
    }),
    DONE,
  ];
}

const RESPONSE: ModelStreamPart = { type: "response", id: "chatcmpl-1", model: "served-1" };
const USAGE = { input_tokens: 15, output_tokens: 7, cache_read_tokens: 3, cache_write_tokens: 0, reasoning_tokens: 2 };

describe("an OpenAI-compatible stream, over HTTP", () => {
  test("a text, and the usage that was asked for", async () => {
    const server = await startWireServer({
      frames: [delta({ role: "assistant", content: "Hel" }), delta({ content: "lo" }), ...end("stop")],
    });
    expect(await partsOf(client(server))).toEqual([
      RESPONSE,
      { type: "text_delta", text: "Hel" },
      { type: "text_delta", text: "lo" },
      { type: "finish", reason: "end_turn", stop: "stop", usage: USAGE },
    ]);
    expect(server.requests.map(({ path, headers }) => [path, headers.authorization])).toEqual([
      ["/v1/chat/completions", "Bearer key"],
    ]);
    expect(server.requests[0]?.body).toMatchObject({ stream: true, stream_options: { include_usage: true } });
  });

  test("thinking, then two tool calls", async () => {
    const call = (index: number, fields: Record<string, unknown>): string =>
      delta({ tool_calls: [{ index, ...fields }] });
    const server = await startWireServer({
      frames: [
        delta({ reasoning_content: "Look." }),
        call(0, { id: "call_1", type: "function", function: { name: "shell", arguments: '{"command":' } }),
        call(0, { function: { arguments: '"ls"}' } }),
        call(1, { id: "call_2", type: "function", function: { name: "shell", arguments: '{"command":"pwd"}' } }),
        ...end("tool_calls"),
      ],
    });
    expect(await partsOf(client(server))).toEqual([
      RESPONSE,
      { type: "thinking_start" },
      { type: "thinking_delta", text: "Look." },
      { type: "thinking_end" },
      { type: "tool_input_start", id: "call_1", name: "shell" },
      { type: "tool_input_delta", id: "call_1", delta: '{"command":' },
      { type: "tool_input_delta", id: "call_1", delta: '"ls"}' },
      { type: "tool_input_start", id: "call_2", name: "shell" },
      { type: "tool_input_delta", id: "call_2", delta: '{"command":"pwd"}' },
      { type: "tool_call", id: "call_1", name: "shell", input: '{"command":"ls"}' },
      { type: "tool_call", id: "call_2", name: "shell", input: '{"command":"pwd"}' },
      { type: "finish", reason: "tool_use", stop: "tool_calls", usage: USAGE },
    ]);
  });

  test("what went over the wire holds the whole conversation and the effort", async () => {
    const server = await startWireServer({ frames: [delta({ content: "ok" }), ...end("stop")] });
    const inputSchema = { type: "object", properties: { command: { type: "string" } } };
    await partsOf(client(server), {
      system: "Be brief.",
      effort: "high",
      tools: [{ name: "shell", description: "Runs a command.", inputSchema }],
      messages: [
        userMessage("List it."),
        {
          role: "assistant",
          content: [text("I look."), { type: "tool_use", id: "call_1", name: "shell", input: { command: "ls" } }],
        },
        {
          role: "user",
          source: "tool_results",
          content: [
            { type: "tool_result", toolCallId: "call_1", toolName: "shell", content: [text("a.txt")], isError: false },
          ],
        },
      ],
    });
    expect(server.requests[0]?.body).toEqual({
      model: "served",
      stream: true,
      stream_options: { include_usage: true },
      reasoning_effort: "high",
      tools: [
        { type: "function", function: { name: "shell", description: "Runs a command.", parameters: inputSchema } },
      ],
      messages: [
        { role: "system", content: "Be brief." },
        { role: "user", content: "List it." },
        {
          role: "assistant",
          content: "I look.",
          tool_calls: [{ id: "call_1", type: "function", function: { name: "shell", arguments: '{"command":"ls"}' } }],
        },
        { role: "tool", tool_call_id: "call_1", content: "a.txt" },
      ],
    });
  });

  test("no usage is no tokens", async () => {
    const server = await startWireServer({
      frames: [completionChunk({ choices: [{ index: 0, delta: { content: "ok" }, finish_reason: "stop" }] }), DONE],
    });
    expect(await partsOf(client(server))).toEqual([
      RESPONSE,
      { type: "text_delta", text: "ok" },
      { type: "finish", reason: "end_turn", stop: "stop", usage: NO_USAGE },
    ]);
  });
});

describe("an OpenAI-compatible server's failures, over HTTP", () => {
  test("429 with a date in retry-after, against the clock that was given", async () => {
    const now = Date.UTC(2026, 0, 1, 12, 0, 0);
    const headers = { "retry-after": new Date(now + 90_000).toUTCString() };
    const error = { message: "Slow down", type: "rate_limit_exceeded", code: "rate_limit_exceeded" };
    const server = await startWireServer({ status: 429, headers, body: { error } });
    const provider = createOpenAICompatible({ name: "local", baseURL: `${server.url}/v1` });
    expect(await failureOf(fromLanguageModel(provider("served"), { now: () => now }))).toEqual({
      parts: [],
      error: modelError("Slow down", { statusCode: 429, retryable: true, type: "rate_limited", retryAfterMs: 90_000 }),
    });
  });

  test("a used-up quota is not tried again, though its status is 429", async () => {
    const error = { message: "Quota exceeded", type: "insufficient_quota", code: "insufficient_quota" };
    const server = await startWireServer({ status: 429, body: { error } });
    expect(await failureOf(client(server))).toEqual({
      parts: [],
      error: modelError("Quota exceeded", { statusCode: 429, retryable: false, type: "quota" }),
    });
  });

  test("503 without a word", async () => {
    const server = await startWireServer({ status: 503, body: "down" });
    expect(await failureOf(client(server))).toEqual({
      parts: [],
      error: modelError("Service Unavailable", { statusCode: 503, retryable: true, type: "overloaded" }),
    });
  });

  test("an error in mid-stream comes after what was streamed", async () => {
    const error = `data: ${JSON.stringify({ error: { message: "Backend failed", type: "server_error", code: 502 } })}\n\n`;
    const server = await startWireServer({ frames: [delta({ content: "Hel" }), error, DONE] });
    expect(await failureOf(client(server))).toEqual({
      parts: [RESPONSE, { type: "text_delta", text: "Hel" }],
      error: modelError("Backend failed", { statusCode: 502, retryable: true, type: "server_error" }),
    });
  });

  test("a chunk that is no JSON is an answer that cannot be read", async () => {
    const server = await startWireServer({ frames: [delta({ content: "Hel" }), "data: {oops\n\n", DONE] });
    const { parts, error } = await failureOf(client(server));
    expect(parts).toEqual([RESPONSE, { type: "text_delta", text: "Hel" }]);
    expect((error as ModelError).details).toEqual({ statusCode: null, retryable: true, type: "invalid_response" });
  });

  test("a stream that ends early may be tried again", async () => {
    const server = await startWireServer({ frames: [delta({ content: "Hel" })] });
    expect(await failureOf(client(server))).toEqual({
      parts: [RESPONSE, { type: "text_delta", text: "Hel" }],
      error: modelError("Response stream ended without a finish reason.", {
        statusCode: null,
        retryable: true,
        type: "invalid_response",
      }),
    });
  });

  test("a connection cut in mid-stream may be tried again", async () => {
    const server = await startWireServer({ frames: [delta({ content: "Hel" })], after: "hold" });
    const parts: ModelStreamPart[] = [];
    const reading = (async () => {
      for await (const part of client(server).stream(request({ model: "served" }))) {
        parts.push(part);
        if (part.type === "text_delta") server.cut();
      }
    })();
    const error = await reading.catch((thrown: unknown) => thrown);
    expect((error as ModelError).details).toEqual({ statusCode: 200, retryable: true, type: "connection" });
    expect(parts).toEqual([RESPONSE, { type: "text_delta", text: "Hel" }]);
  });
});

function modelError(message: string, details: ModelError["details"]): unknown {
  return expect.objectContaining({ name: "ModelError", message, details });
}
