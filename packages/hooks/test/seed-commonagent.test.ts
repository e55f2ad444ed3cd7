import {
  askUser,
  block,
  defineHook,
  HOOK_POINT_NAMES,
  HOOK_POINTS,
  modify,
  proceed,
  type Hook,
  type HookKind,
  type HookPoint,
} from "@hookscope/hooks";
import { describe, expect, test } from "vitest";

import { createTestBus, line, MODEL_CALL, TOOL_CALL, TURN } from "./support.ts";

/* A test for each sentence of the CommonAgent hooks page that says what the bus does; the name is the sentence. */

/** The page's table: point, kind, payload. A reserved point has no payload there. */
const TABLE: readonly (readonly [HookPoint, HookKind, string])[] = [
  ["pre_gateway_dispatch", "directive", "profile, source, session_id, text"],
  ["post_gateway_admission", "directive", "session_id, platform, profile, text"],
  ["on_session_start", "observer", "model"],
  ["pre_llm_call", "directive", "user_message, is_first_turn, model"],
  ["pre_api_request", "observer", "provider, model, iteration, message_count"],
  ["post_api_request", "observer", "provider, model, usage, stop"],
  ["api_request_error", "observer", "model, status_code, retryable, error"],
  ["transform_api_error_classification", "transform", "model, status_code, retryable, error"],
  ["on_stream_delta", "observer", ""],
  ["pre_tool_call", "directive", "tool_name, args, risk, call_id"],
  ["post_tool_call", "observer", "tool_name, args, result, is_error"],
  ["transform_tool_result", "transform", "tool_name, result"],
  ["pre_approval_request", "observer", ""],
  ["post_approval_response", "observer", "approval_id, tool_name, choice"],
  ["subagent_start", "observer", "child_role, child_goal"],
  ["subagent_stop", "observer", "child_status, child_summary"],
  ["transform_llm_output", "transform", "response_text, model"],
  ["post_llm_call", "observer", "assistant_response, model"],
  ["post_compaction", "observer", ""],
  ["agent_loop_stopped", "observer", "reason"],
  ["on_session_end", "observer", "completed, interrupted, model"],
  ["on_session_finalize", "observer", ""],
];

test("Twenty-two hook points fire as a turn runs", () => {
  expect(HOOK_POINT_NAMES).toEqual(TABLE.map(([point]) => point));
});

test.for(TABLE)("%s is a %s with the payload %s", ([point, kind, payload]) => {
  expect(HOOK_POINTS[point].kind).toBe(kind);
  const fields = payload === "" ? [] : payload.split(", ");
  expect(Object.keys(HOOK_POINTS[point].payload).slice(0, fields.length)).toEqual(fields);
});

test("Every event also carries the turn's TurnInfo in event.turn, except the two gateway hooks", () => {
  const without = HOOK_POINT_NAMES.filter((point) => !HOOK_POINTS[point].hasTurn);
  expect(without).toEqual(["pre_gateway_dispatch", "post_gateway_admission"]);
});

describe("Three kinds", () => {
  test("directive can return Block, AskUser, Modify", async () => {
    const { bus } = createTestBus();
    bus.register(defineHook({ name: "a", on: { pre_tool_call: () => modify({ args: { command: "pwd" } }) } }));
    bus.register(defineHook({ name: "b", on: { pre_tool_call: () => askUser("run it?") } }));
    expect((await bus.dispatch("pre_tool_call", TOOL_CALL, { turn: TURN })).decision).toBe("ask_user");
    bus.register(defineHook({ name: "c", on: { pre_tool_call: () => block("no") } }));
    expect((await bus.dispatch("pre_tool_call", TOOL_CALL, { turn: TURN })).decision).toBe("block");
  });

  test("transform can return Modify with a replacement", async () => {
    const { bus } = createTestBus();
    bus.register(defineHook({ name: "a", on: { transform_llm_output: () => modify("polite") } }));
    const reply = { response_text: "rude", model: "model-1" };
    const { invocations, ...verdict } = await bus.dispatch("transform_llm_output", reply, { turn: TURN });
    expect(verdict).toEqual({ decision: "modify", value: "polite" });
    expect(invocations.map(line)).toEqual(["a ok modify applied"]);
  });

  test("observer can return anything; it is ignored", async () => {
    const { bus } = createTestBus();
    const stubborn = { name: "a", points: ["agent_loop_stopped"], call: () => block("go on!") } satisfies Hook;
    bus.register(stubborn);
    const { decision } = await bus.dispatch("agent_loop_stopped", { reason: "interrupt" }, { turn: TURN });
    expect(decision).toBe("continue");
  });

  test("Continue: no change", async () => {
    const { bus } = createTestBus();
    bus.register(defineHook({ name: "a", on: { pre_tool_call: () => proceed() } }));
    const { invocations, ...verdict } = await bus.dispatch("pre_tool_call", TOOL_CALL, { turn: TURN });
    expect(verdict).toEqual({ decision: "continue" });
    expect(invocations.map(line)).toEqual(["a ok continue -"]);
  });

  test("AskUser: pause until a person answers (pre_tool_call only)", () => {
    const asking = HOOK_POINT_NAMES.filter((point) =>
      (HOOK_POINTS[point].accepts as readonly string[]).includes("ask_user"),
    );
    expect(asking).toEqual(["pre_tool_call"]);
  });
});

describe("What each directive can do", () => {
  const message = { profile: "default", source: "telegram", session_id: null, text: "hello" } as const;
  const admitted = { session_id: "s", platform: "telegram", profile: "default", text: "hello" };

  test("pre_gateway_dispatch: Block skips the message", async () => {
    const { bus } = createTestBus();
    bus.register(defineHook({ name: "spam", on: { pre_gateway_dispatch: () => block("spam") } }));
    const { invocations: _, ...verdict } = await bus.dispatch("pre_gateway_dispatch", message);
    expect(verdict).toEqual({ decision: "block", reason: "spam", hook: "spam", cause: "policy" });
  });

  test('pre_gateway_dispatch: Modify({"text": "..."}) rewrites it', async () => {
    const { bus } = createTestBus();
    bus.register(defineHook({ name: "trim", on: { pre_gateway_dispatch: () => modify({ text: "hi" }) } }));
    const { invocations: _, ...verdict } = await bus.dispatch("pre_gateway_dispatch", message);
    expect(verdict).toEqual({ decision: "modify", value: { text: "hi" } });
  });

  test("post_gateway_admission: Block means the hook handled the message; no turn runs", async () => {
    const { bus } = createTestBus();
    bus.register(defineHook({ name: "inbox", on: { post_gateway_admission: () => block("handled") } }));
    const { invocations: _, ...verdict } = await bus.dispatch("post_gateway_admission", admitted);
    expect(verdict).toEqual({ decision: "block", reason: "handled", hook: "inbox", cause: "policy" });
  });

  test('pre_llm_call: Modify({"context": "..."}) adds context for this turn only. It fails open', async () => {
    const { bus } = createTestBus();
    bus.register(defineHook({ name: "memory", on: { pre_llm_call: () => modify({ context: "likes tea" }) } }));
    bus.register(defineHook({ name: "broken", on: { pre_llm_call: () => Promise.reject(new Error("no disk")) } }));
    const { invocations, ...verdict } = await bus.dispatch("pre_llm_call", MODEL_CALL, { turn: TURN });
    expect(verdict).toEqual({ decision: "modify", value: { context: "likes tea" } });
    expect(invocations.map(line)).toEqual(["memory ok modify applied", "broken error none failed_open"]);
  });

  test("pre_tool_call: Block stops the tool", async () => {
    const { bus } = createTestBus();
    bus.register(defineHook({ name: "policy", on: { pre_tool_call: () => block("no shell") } }));
    const { invocations: _, ...verdict } = await bus.dispatch("pre_tool_call", TOOL_CALL, { turn: TURN });
    expect(verdict).toEqual({ decision: "block", reason: "no shell", hook: "policy", cause: "policy" });
  });

  test("pre_tool_call: AskUser asks for approval", async () => {
    const { bus } = createTestBus();
    bus.register(defineHook({ name: "policy", on: { pre_tool_call: () => askUser("run ls?") } }));
    const { invocations: _, ...verdict } = await bus.dispatch("pre_tool_call", TOOL_CALL, { turn: TURN });
    expect(verdict).toEqual({ decision: "ask_user", question: "run ls?", hook: "policy" });
  });

  test("pre_tool_call: Modify changes the arguments", async () => {
    const { bus } = createTestBus();
    bus.register(defineHook({ name: "jail", on: { pre_tool_call: () => modify({ args: { cwd: "/jail" } }) } }));
    const { invocations: _, ...verdict } = await bus.dispatch("pre_tool_call", TOOL_CALL, { turn: TURN });
    expect(verdict).toEqual({ decision: "modify", value: { args: { command: "ls", cwd: "/jail" } } });
  });

  test("pre_tool_call fails closed", async () => {
    const { bus } = createTestBus();
    bus.register(defineHook({ name: "policy", on: { pre_tool_call: () => Promise.reject(new Error("no rules")) } }));
    const { invocations: _, ...verdict } = await bus.dispatch("pre_tool_call", TOOL_CALL, { turn: TURN });
    expect(verdict).toEqual({
      decision: "block",
      reason: 'hook "policy" failed: Error: no rules',
      hook: "policy",
      cause: "failure",
    });
  });
});
