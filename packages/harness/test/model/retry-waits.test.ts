import { defineHook, modify } from "@hookscope/hooks";
import { failWith, reply, type ScriptedFailure } from "@hookscope/testing";
import { expect, test } from "vitest";

import { createRig, type RigOptions } from "../support/rig.ts";

/** When each attempt began, in ms from the first. */
async function attempts(failures: readonly Partial<ScriptedFailure>[], options: RigOptions = {}): Promise<number[]> {
  const times: number[] = [];
  const rig = createRig({
    steps: [
      ...failures.map((failure) => failWith({ statusCode: 529, retryable: true, type: "overloaded", ...failure })),
      reply("hi"),
    ],
    watchMods: false,
    retry: { random: () => 1 },
    ...options,
    hooks: [
      ...(options.hooks ?? []),
      defineHook({ name: "times", on: { pre_api_request: () => void times.push(rig.clock.now()) } }),
    ],
  });
  const running = rig.run();
  await rig.clock.advance(10_000_000_000);
  await running;
  return times.map((time) => time - (times[0] ?? 0));
}

test("each wait is twice the one before it, up to the longest", async () => {
  const retry = { baseDelayMs: 100, maxDelayMs: 400, random: () => 1 };
  expect(await attempts([{}, {}, {}, {}], { retry })).toEqual([0, 100, 300, 700, 1_100]);
});

test("waits are spread between half and all of that", async () => {
  const retry = { baseDelayMs: 100, random: () => 0 };
  expect(await attempts([{}, {}], { retry })).toEqual([0, 50, 150]);
});

test("a provider that nobody answers for is asked 5 times, which takes seconds; the waits are the usual ones", async () => {
  const unreachable = Array.from({ length: 9 }, () => ({ statusCode: null, type: "unreachable" }));
  expect(await attempts(unreachable)).toEqual([0, 500, 1_500, 3_500, 7_500]);
});

test("how often such a provider is asked can be set, but is never more than any other", async () => {
  const unreachable = Array.from({ length: 9 }, () => ({ statusCode: null, type: "unreachable" }));
  const retry = { baseDelayMs: 100, random: () => 1 };
  expect(await attempts(unreachable, { retry: { ...retry, maxUnreachableAttempts: 2 } })).toEqual([0, 100]);
  expect(await attempts(unreachable, { retry: { ...retry, maxAttempts: 3 } })).toEqual([0, 100, 300]);
});

test("the turn says that it failed, how often, and why; the hooks are told how many attempts there are", async () => {
  const most: unknown[] = [];
  const rig = createRig({
    steps: Array.from({ length: 9 }, (_, index) =>
      failWith({ statusCode: null, retryable: true, type: index === 0 ? "connection" : "unreachable" }),
    ),
    hooks: [
      defineHook({ name: "most", on: { api_request_error: ({ payload }) => void most.push(payload.max_attempts) } }),
    ],
  });
  const running = rig.run();
  await rig.clock.advance(600_000);
  expect((await running).error?.message).toBe(
    "MODEL_CALL_FAILED: the call of model scripted-model failed 5 times: scripted failure: unreachable",
  );
  expect(most).toEqual([10, 5, 5, 5, 5]);
});

test.for([Number.NaN, Number.POSITIVE_INFINITY, "90000"])(
  "a wait of %s that a client asked for is none: the backoff holds",
  async (retryAfterMs) => {
    expect(await attempts([{ retryAfterMs: retryAfterMs as number }])).toEqual([0, 500]);
  },
);

test("what the provider asked for comes before the backoff, however long", async () => {
  expect(await attempts([{ retryAfterMs: 90_000 }])).toEqual([0, 90_000]);
});

test.for([
  [0, 0],
  [-5, 0],
  [9_999_999_999, 2_147_483_647],
])("a wait of %i ms that a hook asked for becomes %i ms", async ([asked, waited]) => {
  const hook = defineHook({
    name: "classifier",
    on: { transform_api_error_classification: () => modify({ retry_after_ms: asked as number }) },
  });
  expect(await attempts([{}], { hooks: [hook] })).toEqual([0, waited]);
});

test("api_retry says which attempt failed, how, and how long it waits", async () => {
  const rig = createRig({
    steps: [
      ...Array.from({ length: 5 }, () => failWith({ statusCode: 529, retryable: true, type: "overloaded" })),
      reply("hi"),
    ],
    retry: { baseDelayMs: 100, random: () => 1 },
  });
  const seen: unknown[] = [];
  rig.harness.events.on("api_retry", ({ attempt, error, delayMs }) => void seen.push({ attempt, error, delayMs }));
  const running = rig.run();
  await rig.clock.advance(10_000);
  await running;
  expect(seen).toEqual([
    { attempt: 4, error: "scripted failure: overloaded", delayMs: 800 },
    { attempt: 5, error: "scripted failure: overloaded", delayMs: 1_600 },
  ]);
});

test("a wait longer than any of the loop's own is told of, the first one too", async () => {
  const failure = { statusCode: 429, retryable: true, type: "rate_limited" };
  const rig = createRig({
    steps: [
      failWith({ ...failure, retryAfterMs: 30_000 }),
      failWith({ ...failure, retryAfterMs: 30_001 }),
      reply("hi"),
    ],
  });
  const seen: unknown[] = [];
  rig.harness.events.on("api_retry", ({ attempt, delayMs }) => void seen.push({ attempt, delayMs }));
  const running = rig.run();
  await rig.clock.advance(100_000);
  await running;
  expect(seen).toEqual([{ attempt: 2, delayMs: 30_001 }]);
});

test("with silentFirst: false, api_retry tells of every retry from the first on", async () => {
  const rig = createRig({
    steps: [failWith({ statusCode: 529, retryable: true, type: "overloaded" }), reply("hi")],
    retry: { baseDelayMs: 100, silentFirst: false, random: () => 1 },
  });
  const seen: unknown[] = [];
  rig.harness.events.on("api_retry", ({ attempt, error, delayMs }) => void seen.push({ attempt, error, delayMs }));
  const running = rig.run();
  await rig.clock.advance(10_000);
  await running;
  expect(seen).toEqual([{ attempt: 1, error: "scripted failure: overloaded", delayMs: 100 }]);
});

test("a hook that says an error is not retryable ends the turn, with its reason", async () => {
  const hook = defineHook({
    name: "classifier",
    on: { transform_api_error_classification: () => modify({ retryable: false, reason: "out of credit" }) },
  });
  const rig = createRig({
    steps: [failWith({ statusCode: 429, retryable: true, type: "rate_limited" })],
    hooks: [hook],
  });
  const { stopReason, error } = await rig.run();
  expect([stopReason, error?.message]).toEqual([
    "error",
    "MODEL_CALL_FAILED: the call of model scripted-model failed: out of credit",
  ]);
});
