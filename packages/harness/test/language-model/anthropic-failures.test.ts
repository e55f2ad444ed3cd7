import { createAnthropic } from "@ai-sdk/anthropic";
import { describe, expect, test } from "vitest";

import { fromLanguageModel } from "@hookscope/harness/language-model";

import { ModelError, type ModelClient, type ModelStreamPart } from "../../src/model.ts";
import { HALF_A_TEXT, RESPONSE } from "./anthropic-frames.ts";
import { failureOf, partsOf, request } from "./requests.ts";
import { anthropicEvent, startWireServer, urlOfNobody, type WireServer } from "./wire-server.ts";

function client(server: WireServer): ModelClient {
  return fromLanguageModel(createAnthropic({ apiKey: "key", baseURL: `${server.url}/v1` })("claude-test"));
}

describe("Anthropic's failures, over HTTP", () => {
  function refusal(type: string, message: string): Record<string, unknown> {
    return { type: "error", error: { type, message } };
  }

  test("429 with retry-after in seconds", async () => {
    const headers = { "retry-after": "7" };
    const server = await startWireServer({
      status: 429,
      headers,
      body: refusal("rate_limit_error", "Too many requests"),
    });
    expect(await failureOf(client(server))).toEqual({
      parts: [],
      error: modelError("Too many requests", {
        statusCode: 429,
        retryable: true,
        type: "rate_limited",
        retryAfterMs: 7_000,
      }),
    });
    expect(server.requests.length).toBe(1);
  });

  test("401 is not tried again", async () => {
    const server = await startWireServer({ status: 401, body: refusal("authentication_error", "invalid x-api-key") });
    expect(await failureOf(client(server))).toEqual({
      parts: [],
      error: modelError("invalid x-api-key", { statusCode: 401, retryable: false, type: "authentication" }),
    });
  });

  test("overloaded before the first event of a 200 is a 529", async () => {
    const server = await startWireServer({
      frames: [anthropicEvent({ type: "error", error: { type: "overloaded_error", message: "Overloaded" } })],
    });
    expect(await failureOf(client(server))).toEqual({
      parts: [],
      error: modelError("Overloaded", { statusCode: 529, retryable: true, type: "overloaded" }),
    });
  });

  test("an error in mid-stream comes after what was streamed", async () => {
    const error = anthropicEvent({ type: "error", error: { type: "overloaded_error", message: "Overloaded" } });
    const server = await startWireServer({ frames: [...HALF_A_TEXT, error] });
    expect(await failureOf(client(server))).toEqual({
      parts: [RESPONSE, { type: "text_delta", text: "Hel" }],
      error: modelError("Overloaded", { statusCode: 529, retryable: true, type: "overloaded" }),
    });
  });

  test("a connection cut in mid-stream may be tried again", async () => {
    const server = await startWireServer({ frames: HALF_A_TEXT, after: "hold" });
    const parts: ModelStreamPart[] = [];
    const reading = (async () => {
      for await (const part of client(server).stream(request({ model: "claude-test" }))) {
        parts.push(part);
        if (part.type === "text_delta") server.cut();
      }
    })();
    const error = await reading.catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ModelError);
    expect((error as ModelError).details).toEqual({ statusCode: 200, retryable: true, type: "connection" });
    expect(parts).toEqual([RESPONSE, { type: "text_delta", text: "Hel" }]);
  });

  test("a stream that ends early has no finish", async () => {
    const server = await startWireServer({ frames: HALF_A_TEXT });
    expect(await partsOf(client(server))).toEqual([RESPONSE, { type: "text_delta", text: "Hel" }]);
  });

  test("where nobody listens, the provider is unreachable", async () => {
    const model = createAnthropic({ apiKey: "key", baseURL: await urlOfNobody() })("claude-test");
    const { parts, error } = await failureOf(fromLanguageModel(model));
    expect(parts).toEqual([]);
    expect((error as ModelError).details).toEqual({ statusCode: null, retryable: true, type: "unreachable" });
  });
});

function modelError(message: string, details: ModelError["details"]): unknown {
  return expect.objectContaining({ name: "ModelError", message, details });
}
