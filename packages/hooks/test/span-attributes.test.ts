import { askUser, block, defineHook, modify } from "@hookscope/hooks";
import { createTestTelemetry, type TestTelemetry } from "@hookscope/testing";
import { afterEach, beforeEach, expect, test } from "vitest";

import { createTestBus, hang, MODEL_CALL, TOOL_CALL, TURN } from "./support.ts";

let telemetry: TestTelemetry;
beforeEach(() => {
  telemetry = createTestTelemetry();
});
afterEach(() => telemetry.dispose());

/** What every span of this hook at this point has. */
function common(point: string, hook: string, kind: string, policy: string, index = 0) {
  return {
    "agent_hook.point": point,
    "agent_hook.name": hook,
    "agent_hook.kind": kind,
    "agent_hook.index": index,
    "agent_hook.pass": 1,
    "agent_hook.failure_policy": policy,
    "agent_hook.timeout": 60,
    "session.id": "session-1",
    "gen_ai.conversation.id": "session-1",
    "agent_turn.id": "turn-1",
  };
}

test("of a call that said nothing", async () => {
  const { bus } = createTestBus();
  bus.register(defineHook({ name: "usage", source: "billing", timeoutMs: 1_500, on: { post_llm_call: () => {} } }));
  await bus.dispatch("post_llm_call", {} as never, { turn: TURN });
  expect(telemetry.spans().map(({ name, kind, attributes, status }) => ({ name, kind, attributes, status }))).toEqual([
    {
      name: "post_llm_call usage",
      kind: "INTERNAL",
      attributes: {
        ...common("post_llm_call", "usage", "observer", "open"),
        "agent_hook.timeout": 1.5,
        "agent_hook.source": "billing",
        "agent_hook.execution": "ok",
        "agent_hook.decision": "continue",
        "agent_hook.applied": false,
      },
      status: { code: "UNSET" },
    },
  ]);
});

test("of an ask, a change, a block and a block that came too late: none is an error", async () => {
  const { bus } = createTestBus();
  bus.register(defineHook({ name: "asks", on: { pre_tool_call: () => askUser("run it?") } }));
  bus.register(defineHook({ name: "jails", on: { pre_tool_call: () => modify({ args: { cwd: "/jail" } }) } }));
  bus.register(defineHook({ name: "blocks", on: { pre_tool_call: () => block("no shell") } }));
  await bus.dispatch("pre_tool_call", TOOL_CALL, { turn: TURN });
  const of = (hook: string, index: number) => common("pre_tool_call", hook, "directive", "closed", index);
  expect(telemetry.spans().map(({ attributes, status }) => ({ attributes, status }))).toEqual([
    {
      attributes: {
        ...of("asks", 0),
        "agent_hook.execution": "ok",
        "agent_hook.decision": "ask_user",
        "agent_hook.applied": false,
        "agent_hook.not_applied_reason": "superseded",
        "agent_hook.reason": "run it?",
      },
      status: { code: "UNSET" },
    },
    {
      attributes: {
        ...of("jails", 1),
        "agent_hook.execution": "ok",
        "agent_hook.decision": "modify",
        "agent_hook.applied": false,
        "agent_hook.not_applied_reason": "superseded",
        "agent_hook.changed_keys": ["cwd"],
      },
      status: { code: "UNSET" },
    },
    {
      attributes: {
        ...of("blocks", 2),
        "agent_hook.execution": "ok",
        "agent_hook.decision": "block",
        "agent_hook.applied": true,
        "agent_hook.reason": "no shell",
      },
      status: { code: "UNSET" },
    },
  ]);
});

test("of failures: ERROR only where a hook threw or timed out", async () => {
  const { bus, clock } = createTestBus();
  bus.register({ name: "throws", points: ["pre_llm_call"], call: () => Promise.reject(new RangeError("broke")) });
  bus.register({ name: "hangs", points: ["pre_llm_call"], call: hang });
  bus.register({ name: "babbles", points: ["pre_llm_call"], call: () => "text" as never });
  for (let time = 0; time < 2; time += 1) {
    const pending = bus.dispatch("pre_llm_call", MODEL_CALL, { turn: TURN });
    await clock.advance(60_000);
    await pending;
  }
  const brief = telemetry.spans().map(({ attributes, status }) => ({
    hook: attributes["agent_hook.name"],
    execution: attributes["agent_hook.execution"],
    type: attributes["error.type"],
    status,
  }));
  expect(brief).toEqual([
    {
      hook: "throws",
      execution: "error",
      type: "RangeError",
      status: { code: "ERROR", message: "broke" },
    },
    {
      hook: "hangs",
      execution: "timeout",
      type: "HookTimeout",
      status: { code: "ERROR", message: "took longer than 60000 ms" },
    },
    { hook: "babbles", execution: "invalid_result", type: undefined, status: { code: "UNSET" } },
    { hook: "throws", execution: "error", type: "RangeError", status: { code: "ERROR", message: "broke" } },
    { hook: "hangs", execution: "suspended", type: undefined, status: { code: "UNSET" } },
    { hook: "babbles", execution: "invalid_result", type: undefined, status: { code: "UNSET" } },
  ]);
});

test("at the gateway there is no turn to name", async () => {
  const { bus } = createTestBus();
  bus.register(defineHook({ name: "spam", on: { pre_gateway_dispatch: () => {} } }));
  await bus.dispatch("pre_gateway_dispatch", { profile: "p", source: "s", session_id: null, text: "t" });
  const {
    "session.id": _1,
    "gen_ai.conversation.id": _2,
    "agent_turn.id": _3,
    ...rest
  } = common("pre_gateway_dispatch", "spam", "directive", "open");
  expect(telemetry.spans()[0]?.attributes).toEqual({
    ...rest,
    "agent_hook.execution": "ok",
    "agent_hook.decision": "continue",
    "agent_hook.applied": false,
  });
});

test("the second pass says so", async () => {
  const { bus } = createTestBus();
  bus.register(defineHook({ name: "policy", reinvoke: "if_modified", on: { pre_tool_call: () => {} } }));
  bus.register(defineHook({ name: "jails", on: { pre_tool_call: () => modify({ args: { cwd: "/jail" } }) } }));
  await bus.dispatch("pre_tool_call", TOOL_CALL, { turn: TURN });
  const passes = telemetry.spans().map(({ name, attributes }) => `${name} ${String(attributes["agent_hook.pass"])}`);
  expect(passes).toEqual(["pre_tool_call policy 1", "pre_tool_call jails 1", "pre_tool_call policy 2"]);
});

test("a reason is cut at 256 characters, never within one", async () => {
  const { bus, records } = createTestBus();
  const long = `${"x".repeat(254)}😀${"y".repeat(100)}`;
  bus.register(defineHook({ name: "a", on: { pre_tool_call: () => block(long) } }));
  await bus.dispatch("pre_tool_call", TOOL_CALL, { turn: TURN });
  expect(telemetry.spans()[0]?.attributes["agent_hook.reason"]).toBe(`${"x".repeat(254)}…`);
  expect(records[0]?.reason).toBe(long);
});

test("the record names its span", async () => {
  const { bus, records } = createTestBus();
  bus.register(defineHook({ name: "a", on: { pre_llm_call: () => {} } }));
  await bus.dispatch("pre_llm_call", MODEL_CALL, { turn: TURN });
  const [span] = telemetry.spans();
  expect([records[0]?.traceId, records[0]?.spanId]).toEqual([span?.traceId, span?.spanId]);
});
