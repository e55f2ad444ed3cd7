import { expect, test } from "vitest";

import { fromHermes, type HermesCallback } from "../../src/from-hermes.ts";
import { busOf, recordsOf, TOOL_CALL, TURN } from "./hermes-bus.ts";

const returning =
  (value: unknown): HermesCallback =>
  () =>
    value;
const throwing: HermesCallback = () => {
  throw new Error("broken");
};
const CALL = { user_message: "hello", is_first_turn: true, model: "model-1" } as const;
const RESULT = {
  tool_name: "shell",
  result: "original",
  args: {},
  is_error: false,
  call_id: "call-1",
  duration_ms: 1.6,
} as const;

test("H9: contexts are joined by a blank line, in order, whether objects or texts", async () => {
  const bus = busOf([
    fromHermes("one", { pre_llm_call: returning({ context: "first" }) }),
    fromHermes("two", { pre_llm_call: returning("second") }),
  ]);
  expect(await bus.dispatch("pre_llm_call", CALL, { turn: TURN })).toMatchObject({
    decision: "modify",
    value: { context: "first\n\nsecond" },
  });
});

test("H10: a callback that throws takes no other's context with it", async () => {
  const bus = busOf([
    fromHermes("one", { pre_llm_call: throwing }),
    fromHermes("two", { pre_llm_call: returning("kept") }),
  ]);
  const verdict = await bus.dispatch("pre_llm_call", CALL, { turn: TURN });
  expect(verdict).toMatchObject({ decision: "modify", value: { context: "kept" } });
  expect(recordsOf(verdict.invocations)).toEqual([
    ["one", "error", "none", false, "failed_open"],
    ["two", "ok", "modify", true, undefined],
  ]);
});

test.for([{ context: 5 }, {}, "", 5, { decision: "modify", value: { context: "x" } }])(
  "no context: %j",
  async (returned) => {
    const bus = busOf([fromHermes("one", { pre_llm_call: returning(returned) })]);
    const verdict = await bus.dispatch("pre_llm_call", CALL, { turn: TURN });
    expect(verdict.decision).toBe("continue");
    expect(verdict.invocations[0]?.execution).toBe("invalid_result");
  },
);

test("H11: a transform that throws keeps the content; the first text wins, also an empty one", async () => {
  const bus = busOf([
    fromHermes("one", { transform_tool_result: throwing }),
    fromHermes("two", { transform_tool_result: returning({ result: "no text" }) }),
  ]);
  expect((await bus.dispatch("transform_tool_result", RESULT, { turn: TURN })).decision).toBe("continue");
  bus.register(fromHermes("three", { transform_tool_result: returning("") }));
  bus.register(fromHermes("four", { transform_tool_result: returning("late") }));
  const verdict = await bus.dispatch("transform_tool_result", RESULT, { turn: TURN });
  expect(verdict).toMatchObject({ decision: "modify", value: "" });
  expect(recordsOf(verdict.invocations).slice(1)).toEqual([
    ["two", "invalid_result", "none", false, "not_accepted"],
    ["three", "ok", "modify", true, undefined],
    ["four", "ok", "modify", false, "superseded"],
  ]);
});

test("a reply is changed by a text that is not empty", async () => {
  const bus = busOf([
    fromHermes("one", { transform_llm_output: returning("") }),
    fromHermes("two", { transform_llm_output: returning("changed") }),
  ]);
  const verdict = await bus.dispatch("transform_llm_output", { response_text: "x", model: "m" }, { turn: TURN });
  expect(verdict).toMatchObject({ decision: "modify", value: "changed" });
  expect(recordsOf(verdict.invocations)[0]).toEqual(["one", "invalid_result", "none", false, "not_accepted"]);
});

test("an error's classification needs a reason; what has no place here is left out", async () => {
  const payload = {
    model: "m",
    status_code: 429,
    retryable: true,
    error: "slow down",
    provider: "p",
    error_type: "rate_limit",
    iteration: 2,
    attempt: 3,
    max_attempts: 10,
    duration_ms: 1_500,
    purpose: "turn",
  } as const;
  const bus = busOf([
    fromHermes("one", { transform_api_error_classification: returning({ retryable: false }) }),
    fromHermes("two", {
      transform_api_error_classification: returning({ reason: "quota", retryable: false, should_compress: true }),
    }),
  ]);
  const verdict = await bus.dispatch("transform_api_error_classification", payload, { turn: TURN });
  expect(verdict).toMatchObject({ decision: "modify", value: { reason: "quota", retryable: false } });
  expect(recordsOf(verdict.invocations)[0]).toEqual(["one", "invalid_result", "none", false, "not_accepted"]);
});

test("H12: an observer that throws is not felt, and those after it run", async () => {
  const seen: unknown[] = [];
  const bus = busOf([
    fromHermes("one", { post_tool_call: throwing }),
    fromHermes("two", { post_tool_call: ({ result }) => seen.push(result) }),
  ]);
  const payload = { ...TOOL_CALL, result: "done", is_error: false, status: "ok", duration_ms: 1 } as const;
  expect((await bus.dispatch("post_tool_call", payload, { turn: TURN })).decision).toBe("continue");
  expect(seen).toEqual(["done"]);
});

test("an observer's return is ignored; one that looks like a block is worth a warning", async () => {
  const warnings: string[] = [];
  const bus = busOf(
    [
      fromHermes("one", { on_session_start: returning({ action: "block", message: "no" }) }),
      fromHermes("two", { on_session_start: returning({ decision: "block", reason: "no" }) }),
      fromHermes("three", { on_session_start: returning("anything") }),
    ],
    warnings,
  );
  const verdict = await bus.dispatch(
    "on_session_start",
    { model: "m", session_id: "s", platform: "cli" },
    { turn: TURN },
  );
  expect(verdict.decision).toBe("continue");
  expect(verdict.invocations.map(({ decision, applied }) => [decision, applied])).toEqual([
    ["block", false],
    ["continue", false],
    ["continue", false],
  ]);
  expect(warnings.length).toBe(1);
});

const MESSAGE = { profile: "default", source: "telegram", session_id: null, text: "hi" } as const;

test.for<{ readonly returned: unknown; readonly expected: object }>([
  { returned: { action: "skip", reason: "spam" }, expected: { decision: "block", reason: "spam" } },
  { returned: { action: "skip" }, expected: { decision: "block", reason: "skipped" } },
  { returned: { action: "rewrite", text: "hello" }, expected: { decision: "modify", value: { text: "hello" } } },
  { returned: { action: "allow" }, expected: { decision: "continue", invocations: [{ execution: "ok" }] } },
  { returned: undefined, expected: { decision: "continue", invocations: [{ execution: "ok" }] } },
  {
    returned: { action: "rewrite" },
    expected: { decision: "continue", invocations: [{ execution: "invalid_result" }] },
  },
  { returned: { action: "drop" }, expected: { decision: "continue", invocations: [{ execution: "invalid_result" }] } },
])("at ingress $returned", async ({ returned, expected }) => {
  const bus = busOf([fromHermes("one", { pre_gateway_dispatch: returning(returned) })]);
  expect(await bus.dispatch("pre_gateway_dispatch", MESSAGE)).toMatchObject(expected);
});

test.for<{ readonly returned: unknown; readonly expected: object }>([
  { returned: { action: "handled", reply: "done" }, expected: { decision: "block", reason: "done" } },
  { returned: { action: "handled" }, expected: { decision: "block", reason: "" } },
  { returned: { action: "allow" }, expected: { decision: "continue", invocations: [{ execution: "ok" }] } },
  {
    returned: { action: "handled", reply: " " },
    expected: { decision: "continue", invocations: [{ execution: "invalid_result" }] },
  },
  { returned: { action: "skip" }, expected: { decision: "continue", invocations: [{ execution: "invalid_result" }] } },
])("after admission $returned", async ({ returned, expected }) => {
  const bus = busOf([fromHermes("one", { post_gateway_admission: returning(returned) })]);
  const payload = { session_id: "s", platform: "telegram", profile: "default", text: "hi" };
  expect(await bus.dispatch("post_gateway_admission", payload)).toMatchObject(expected);
});
