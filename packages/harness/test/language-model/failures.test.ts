import { APICallError, JSONParseError, LoadAPIKeyError, UnsupportedFunctionalityError } from "@ai-sdk/provider";
import { MockLanguageModelV4 } from "ai/test";
import { describe, expect, test } from "vitest";

import { fromLanguageModel } from "@hookscope/harness/language-model";

import { ModelError, NO_USAGE } from "../../src/model.ts";
import { FINISH, mockModel, NO_COUNTS } from "./mock-model.ts";
import { failureOf, partsOf } from "./requests.ts";

const NOW = Date.UTC(2026, 0, 1, 12, 0, 0);

/** The details of the ModelError a call fails with when the provider package throws this. */
async function detailsOf(thrown: unknown): Promise<unknown> {
  const model = new MockLanguageModelV4({ modelId: "model-1", doStream: () => Promise.reject(thrown) });
  const { error } = await failureOf(fromLanguageModel(model, { now: () => NOW }));
  expect(error).toBeInstanceOf(ModelError);
  return (error as ModelError).details;
}

function apiError(
  statusCode: number | undefined,
  fields: Partial<ConstructorParameters<typeof APICallError>[0]> = {},
): APICallError {
  const status = statusCode === undefined ? {} : { statusCode };
  return new APICallError({ message: "failed", url: "http://localhost", requestBodyValues: {}, ...status, ...fields });
}

describe("a call that fails with a status", () => {
  test.each([
    [400, "invalid_request", false],
    [401, "authentication", false],
    [402, "quota", false],
    [403, "permission", false],
    [404, "not_found", false],
    [408, "timeout", true],
    [409, "conflict", true],
    [413, "request_too_large", false],
    [422, "invalid_request", false],
    [429, "rate_limited", true],
    [500, "server_error", true],
    [503, "overloaded", true],
    [504, "timeout", true],
    [529, "overloaded", true],
  ])("%i is %s, to be tried again: %s", async (statusCode, type, retryable) => {
    expect(await detailsOf(apiError(statusCode))).toEqual({ statusCode, type, retryable });
  });

  test("may be tried again or not where the error itself says so", async () => {
    expect(await detailsOf(apiError(400, { isRetryable: true }))).toEqual({
      statusCode: 400,
      type: "invalid_request",
      retryable: true,
    });
  });
});

describe("retry-after", () => {
  test.each([
    [{ "retry-after": "2" }, 2_000],
    [{ "Retry-After": " 1.5 " }, 1_500],
    [{ "retry-after-ms": "250", "retry-after": "9" }, 250],
    [{ "retry-after": "Thu, 01 Jan 2026 12:00:30 GMT" }, 30_000],
    [{ "retry-after": "Thu, 01 Jan 2026 11:00:00 GMT" }, 0],
    [{ "retry-after": "soon" }, undefined],
    [{ "retry-after": "-5" }, undefined],
  ])("%j is %s ms", async (responseHeaders, retryAfterMs) => {
    expect(await detailsOf(apiError(429, { responseHeaders }))).toEqual({
      statusCode: 429,
      type: "rate_limited",
      retryable: true,
      retryAfterMs,
    });
  });
});

function fetchFailed(code: string): Error {
  return new TypeError("fetch failed", { cause: Object.assign(new Error(`it was ${code}`), { code }) });
}

describe("a call that fails without a status", () => {
  const ring = new Error("ring");
  ring.cause = ring;
  test.each([
    ["a refused connection", Object.assign(new Error("connect"), { code: "ECONNREFUSED" }), "unreachable", true],
    ["a fetch that nobody took", fetchFailed("ECONNREFUSED"), "unreachable", true],
    ["a host nobody knows", fetchFailed("ENOTFOUND"), "unreachable", true],
    ["a host nobody can look up", fetchFailed("EAI_AGAIN"), "unreachable", true],
    ["a network without a way there", fetchFailed("ENETUNREACH"), "unreachable", true],
    ["a connection that did not come about in time", fetchFailed("UND_ERR_CONNECT_TIMEOUT"), "unreachable", true],
    ["an answer that did not come in time", fetchFailed("UND_ERR_HEADERS_TIMEOUT"), "connection", true],
    ["a fetch that failed", new TypeError("fetch failed", { cause: new Error("unknown host") }), "connection", true],
    ["a reset, deep in the causes", new Error("a", { cause: { cause: { code: "ECONNRESET" } } }), "connection", true],
    ["a call nobody answered", apiError(undefined, { isRetryable: true }), "connection", true],
    ["an unreadable answer", new JSONParseError({ text: "{", cause: new Error("x") }), "invalid_response", true],
    ["a missing key", new LoadAPIKeyError({ message: "no key" }), "authentication", false],
    ["what a model cannot do", new UnsupportedFunctionalityError({ functionality: "tools" }), "unsupported", false],
    ["a time limit of the provider package", new DOMException("late", "TimeoutError"), "timeout", true],
    ["an abort that is not ours", new DOMException("aborted", "AbortError"), "aborted", true],
    ["a fault in a program", new TypeError("undefined is not a function"), "unknown", false],
    ["a ring of causes", ring, "unknown", false],
    ["a thrown text", "boom", "unknown", false],
    ["nothing", undefined, "unknown", false],
  ])("%s", async (_, thrown, type, retryable) => {
    expect(await detailsOf(thrown)).toEqual({ statusCode: null, type, retryable });
  });

  test("the message names what nothing else does: the error of several addresses has no message of its own", async () => {
    const refused = Object.assign(new AggregateError([new Error("a"), new Error("b")], ""), { code: "ECONNREFUSED" });
    const thrown = apiError(undefined, { isRetryable: true, cause: new TypeError("fetch failed", { cause: refused }) });
    const model = new MockLanguageModelV4({ modelId: "model-1", doStream: () => Promise.reject(thrown) });
    expect(((await failureOf(fromLanguageModel(model))).error as Error).message).toBe("failed (ECONNREFUSED)");
  });

  test("an unreadable body of a 200 is an invalid response", async () => {
    const cause = new JSONParseError({ text: "<html>", cause: new Error("x") });
    expect(await detailsOf(apiError(200, { cause }))).toEqual({
      statusCode: 200,
      type: "invalid_response",
      retryable: true,
    });
  });

  test("the message is the provider's, the cause its error; a message there must be", async () => {
    const thrown = apiError(500);
    const model = new MockLanguageModelV4({ modelId: "model-1", doStream: () => Promise.reject(thrown) });
    const { error } = await failureOf(fromLanguageModel(model));
    expect(error).toMatchObject({ message: "failed", cause: thrown });
    const silent = new MockLanguageModelV4({ modelId: "model-1", doStream: () => Promise.reject(new Error("")) });
    expect(((await failureOf(fromLanguageModel(silent))).error as Error).message).toBe(
      "The model call failed without a message.",
    );
  });

  test("a ModelError passes as it is", async () => {
    const thrown = new ModelError("mine", { statusCode: 418, retryable: true, type: "teapot" });
    const model = new MockLanguageModelV4({ modelId: "model-1", doStream: () => Promise.reject(thrown) });
    expect((await failureOf(fromLanguageModel(model))).error).toBe(thrown);
  });
});

describe("a failure in the stream", () => {
  test("a finish that says error carries the tokens that were spent", async () => {
    const usage = { ...NO_COUNTS, outputTokens: { ...NO_COUNTS.outputTokens, total: 9 } };
    const finishReason = { unified: "error", raw: "MALFORMED_FUNCTION_CALL" } as const;
    const { error } = await failureOf(fromLanguageModel(mockModel([{ ...FINISH, usage, finishReason }])));
    expect(error).toMatchObject({
      message: "The provider ended the answer with an error (MALFORMED_FUNCTION_CALL).",
      details: { statusCode: null, type: "provider_error", retryable: true, usage: { ...NO_USAGE, output_tokens: 9 } },
    });
  });

  test("an error part may be a plain text", async () => {
    const { error } = await failureOf(fromLanguageModel(mockModel([{ type: "error", error: "backend gone" }])));
    expect(error).toMatchObject({
      message: "backend gone",
      details: { statusCode: null, type: "unknown", retryable: false },
    });
  });

  test("a model that gives no stream is invalid, with a code", async () => {
    const model = new MockLanguageModelV4({ modelId: "model-1", doStream: [] });
    const { error } = await failureOf(fromLanguageModel(model));
    expect(error).toMatchObject({
      message: "MODEL_STREAM_INVALID: doStream of the language model gave no ReadableStream.",
      details: { statusCode: null, type: "invalid_response", retryable: false },
    });
  });

  test("a stream that breaks after the finish takes nothing away", async () => {
    const stream = new ReadableStream(
      {
        start(controller) {
          controller.enqueue(FINISH);
        },
        pull(controller) {
          controller.error(new Error("reset"));
        },
      },
      { highWaterMark: 0 },
    );
    const model = new MockLanguageModelV4({ modelId: "model-1", doStream: () => Promise.resolve({ stream }) });
    expect(await partsOf(fromLanguageModel(model))).toEqual([
      { type: "finish", reason: "end_turn", stop: "end_turn", usage: NO_USAGE },
    ]);
  });
});
