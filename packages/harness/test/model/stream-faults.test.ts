import type { ApiErrorPayload, Usage } from "@hookscope/hooks";
import { defineHook } from "@hookscope/hooks";
import { breakAfter, failWith, reply, type Script } from "@hookscope/testing";
import { expect, test } from "vitest";

import { ModelError, NO_USAGE, type HarnessOptions, type ModelClient, type ModelStreamPart } from "../../src/index.ts";
import { createRig, type Rig } from "../support/rig.ts";

interface Failing extends Rig {
  readonly failures: readonly Partial<ApiErrorPayload>[];
}

function failing(steps: Script, model?: HarnessOptions["model"]): Failing {
  const failures: Partial<ApiErrorPayload>[] = [];
  const watch = defineHook({ name: "audit", on: { api_request_error: ({ payload }) => void failures.push(payload) } });
  const rig = createRig({ steps, hooks: [watch], watchMods: false, ...(model && { model }) });
  return { ...rig, failures };
}

function client(stream: () => AsyncIterable<ModelStreamPart>): ModelClient {
  return { provider: "odd", model: "odd-1", stream };
}

test("a stream that ends without a finish is a failed attempt, and is tried again", async () => {
  const rig = failing([breakAfter("ha"), reply("hello")]);
  const running = rig.run();
  await rig.clock.advance(60_000);
  const { finalText, state } = await running;
  expect(finalText).toBe("hello");
  expect(state.messages.map(({ role }) => role)).toEqual(["user", "assistant"]);
  expect(rig.failures).toEqual([
    {
      provider: "scripted",
      model: "scripted-model",
      iteration: 1,
      attempt: 1,
      purpose: "turn",
      status_code: null,
      retryable: true,
      error: "MODEL_STREAM_INCOMPLETE: the model's answer ended before it was finished",
      error_type: "incomplete_stream",
      max_attempts: 10,
      duration_ms: 0,
    },
  ]);
});

test.for([
  ["no usage", undefined],
  ["counts that are none", { input_tokens: Number.NaN, output_tokens: "7", cache_read_tokens: -1 }],
] as const)("a finish with %s counts as 0 of each", async ([, usage]) => {
  const rig = createRig({
    model: client(async function* () {
      yield { type: "text_delta", text: "hello" };
      yield { type: "finish", reason: "end_turn", stop: "stop", usage: usage as never };
    }),
  });
  const result = await rig.run();
  expect([result.finalText, result.stopReason, result.usage]).toEqual(["hello", "end_turn", NO_USAGE]);
});

test("a ModelError without details is a failed call, not tried again", async () => {
  const rig = failing(
    [],
    client(() => {
      throw new ModelError("nothing known", undefined as never);
    }),
  );
  const { stopReason } = await rig.run();
  expect(stopReason).toBe("error");
  expect(rig.failures.map(({ error_type, retryable }) => [error_type, retryable])).toEqual([["ModelError", false]]);
});

test("a client that throws anything but a ModelError is at fault itself: not tried again", async () => {
  const rig = failing(
    [],
    client(() => {
      throw new TypeError("cannot read");
    }),
  );
  const { stopReason, error } = await rig.run();
  expect([stopReason, error?.message]).toEqual([
    "error",
    "MODEL_CALL_FAILED: the call of model odd-1 failed: cannot read",
  ]);
  expect(rig.failures.map(({ error_type, retryable }) => [error_type, retryable])).toEqual([["TypeError", false]]);
});

test("a client that gives nothing to read is at fault itself", async () => {
  const { stopReason } = await failing(
    [],
    client(() => undefined as never),
  ).run();
  expect(stopReason).toBe("error");
});

test("a client whose clean-up hangs or fails does not hold the turn", async () => {
  const iterator = {
    next: () => Promise.reject(new TypeError("broken")),
    return: () => new Promise<never>(() => undefined),
  };
  const throwing = {
    ...iterator,
    return: () => {
      throw new Error("broken again");
    },
  };
  for (const each of [iterator, throwing]) {
    const { stopReason } = await failing(
      [],
      client(() => ({ [Symbol.asyncIterator]: () => each })),
    ).run();
    expect(stopReason).toBe("error");
  }
});

test("every attempt used up: the turn fails with the last error and how often it was tried", async () => {
  const steps = Array.from({ length: 10 }, () => failWith({ statusCode: 503, retryable: true, type: "overloaded" }));
  const rig = failing(steps);
  const running = rig.run();
  await rig.clock.advance(600_000);
  const { error } = await running;
  expect(error?.message).toBe(
    "MODEL_CALL_FAILED: the call of model scripted-model failed 10 times: scripted failure: overloaded",
  );
  expect(rig.failures.map(({ attempt }) => attempt)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
});

test("the usage of failed attempts counts where it is known", async () => {
  const spent: Usage = { ...NO_USAGE, input_tokens: 7, output_tokens: 1 };
  const used = { usage: { ...NO_USAGE, input_tokens: 10, output_tokens: 2 } };
  const rig = failing([
    failWith({ statusCode: 529, retryable: true, type: "overloaded", usage: spent }),
    reply("hello", used),
  ]);
  const running = rig.run();
  await rig.clock.advance(60_000);
  expect((await running).usage).toEqual({ ...NO_USAGE, input_tokens: 17, output_tokens: 3 });
});

test("a secret in a model's error reaches no hook", async () => {
  const message = "bad header authorization: Bearer abcdefghijklmnopqrstuvwxyz0123456789";
  const rig = failing([failWith({ statusCode: 401, retryable: false, type: "authentication", message })]);
  await rig.run();
  expect(rig.failures.map(({ error }) => error?.includes("abcdefghijklmnop"))).toEqual([false]);
});
