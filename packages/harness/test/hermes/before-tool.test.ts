import { expect, test } from "vitest";

import { fromHermes } from "../../src/from-hermes.ts";
import { beforeTool, busOf, recordsOf, TOOL_CALL, TURN } from "./hermes-bus.ts";

const block = (message: string) => () => ({ action: "block", message });

test.for<{ readonly what: string; readonly returned: unknown }>([
  { what: 'the string "block"', returned: "block" },
  { what: "the number 123", returned: 123 },
  { what: "a block without a message", returned: { action: "block" } },
  { what: "a block with an empty message", returned: { action: "block", message: "" } },
  { what: "a block whose message is a number", returned: { action: "block", message: 42 } },
  { what: "the unknown action deny", returned: { action: "deny", message: "no" } },
  { what: "an object without an action", returned: { message: "no" } },
  { what: "a list", returned: [{ action: "block", message: "no" }] },
  { what: "a modify without arguments", returned: { action: "modify", args: {} } },
  { what: "a modify whose arguments are a list", returned: { action: "modify", args: ["a"] } },
  { what: "what means something to the bus only", returned: { decision: "block", reason: "no" } },
  { what: "true", returned: true },
])("H1: $what does not count, and is recorded", async ({ returned }) => {
  const warnings: string[] = [];
  const bus = busOf([fromHermes("hook-1", { pre_tool_call: () => returned })], warnings);
  const verdict = await bus.dispatch("pre_tool_call", TOOL_CALL, { turn: TURN });
  expect(verdict.decision).toBe("continue");
  expect(recordsOf(verdict.invocations)).toEqual([["hook-1", "invalid_result", "none", false, "not_accepted"]]);
  expect(warnings.length).toBe(1);
  expect(bus.list()[0]?.resultsIgnored).toBe(1);
});

test.for([undefined, null])("%s is no opinion", async (returned) => {
  const { decision, invocations } = await beforeTool(() => returned);
  expect(decision).toBe("continue");
  expect(recordsOf(invocations)).toEqual([["hook-1", "ok", "continue", false, undefined]]);
});

test("H2: of several blocks the first wins", async () => {
  const verdict = await beforeTool(() => undefined, block("first"), block("second"));
  expect(verdict).toMatchObject({ decision: "block", reason: "first", hook: "hook-2", cause: "policy" });
});

test("H3: an approve without a message asks", async () => {
  expect(await beforeTool(() => ({ action: "approve" }))).toMatchObject({
    decision: "ask_user",
    question: "Run shell?",
    hook: "hook-1",
  });
});

test("H4: the question of an approve is its message; the answer is the approver's", async () => {
  expect(await beforeTool(() => ({ action: "approve", message: "Deploy?" }))).toMatchObject({
    decision: "ask_user",
    question: "Deploy?",
  });
});

test.for([null, "", "  ", 5, { a: 1 }, "key"])(
  "H5: a rule_key, whatever it is, changes nothing: %j",
  async (rule_key) => {
    expect(await beforeTool(() => ({ action: "approve", rule_key }))).toMatchObject({
      decision: "ask_user",
      question: "Run shell?",
    });
  },
);

test("H6: a block stops the call, and the callback after it sees status blocked", async () => {
  const seen: unknown[] = [];
  const bus = busOf([
    fromHermes("plugin", {
      pre_tool_call: block("no"),
      post_tool_call: ({ status, tool_call_id }) => seen.push([status, tool_call_id]),
    }),
  ]);
  expect(await bus.dispatch("pre_tool_call", TOOL_CALL, { turn: TURN })).toMatchObject({
    decision: "block",
    reason: "no",
  });
  for (const status of ["blocked", "denied"] as const) {
    const payload = {
      ...TOOL_CALL,
      result: "Blocked: no",
      is_error: true,
      status,
      cause: "policy",
      duration_ms: 0,
    } as const;
    await bus.dispatch("post_tool_call", payload, { turn: TURN });
  }
  expect(seen).toEqual([
    ["blocked", "call-1"],
    ["blocked", "call-1"],
  ]);
});

test("H7: rewrites of different arguments are both kept, of the same one the later", async () => {
  const modify = (args: Record<string, string>) => () => ({ action: "modify", args });
  expect(await beforeTool(modify({ path: "A" }), modify({ content: "B" }))).toMatchObject({
    decision: "modify",
    value: { args: { path: "A", content: "B" } },
  });
  expect(await beforeTool(modify({ path: "A" }), modify({ path: "B" }))).toMatchObject({
    decision: "modify",
    value: { args: { path: "B", content: "b" } },
  });
});

test("H8: a block wins over an earlier rewrite, and over an earlier approve", async () => {
  const rewrite = () => ({ action: "modify", args: { path: "A" } });
  const approve = () => ({ action: "approve" });
  expect(await beforeTool(rewrite, approve, block("no"))).toMatchObject({
    decision: "block",
    reason: "no",
    hook: "hook-3",
  });
});

test("a callback that raises blocks the call", async () => {
  const verdict = await beforeTool(() => {
    throw new TypeError("broken");
  });
  expect(verdict).toMatchObject({
    decision: "block",
    cause: "failure",
    reason: 'hook "hook-1" failed: TypeError: broken',
  });
});

test("an asynchronous callback is waited for", async () => {
  expect(await beforeTool(async () => ({ action: "block", message: "later" }))).toMatchObject({
    decision: "block",
    reason: "later",
  });
  expect(await beforeTool(async () => "block")).toMatchObject({ decision: "continue" });
});

test("a callback that changes the arguments in place fails instead of being ignored", async () => {
  const verdict = await beforeTool(({ args }) => {
    (args as { path: string }).path = "changed";
  });
  expect(verdict).toMatchObject({ decision: "block", cause: "failure" });
});

test("H19: a callback that declares few names gets those; the rest does no harm", async () => {
  const seen: unknown[] = [];
  await beforeTool(
    ({ tool_name }) => void seen.push(tool_name),
    () => void seen.push("none"),
  );
  expect(seen).toEqual(["shell", "none"]);
});
