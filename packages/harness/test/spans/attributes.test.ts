import { defineHook } from "@hookscope/hooks";
import { callTools, failWith, reply } from "@hookscope/testing";
import { expect, test } from "vitest";

import { NO_USAGE } from "../../src/index.ts";
import { createRig, policy, tool, type Rig } from "../support/rig.ts";
import { recordSpans, spanNamed } from "../support/telemetry.ts";

const USED = { ...NO_USAGE, input_tokens: 10, output_tokens: 2, cache_read_tokens: 3, cache_write_tokens: 4 };

test("the attributes of a turn's span", async () => {
  const telemetry = recordSpans();
  const rig = createRig({
    steps: [callTools([{ name: "shell", input: {} }], { usage: USED }), reply("hi", { usage: USED })],
    tools: [tool("shell")],
    agent: "reviewer",
    profile: "work",
    platform: "cli",
    tags: [{ key: "client", value: "one" }],
    watchMods: false,
    watch: [],
    hooks: [
      defineHook({
        name: "cost",
        on: { post_api_request: (_, { turn }) => turn?.add("agent_turn.cost_usd", 0.25) },
      }),
    ],
  });
  const { turnId, sessionId } = await rig.run();
  expect(spanNamed(telemetry, "invoke_agent reviewer").attributes).toEqual({
    "session.id": sessionId,
    "gen_ai.conversation.id": sessionId,
    "agent_turn.id": turnId,
    "gen_ai.operation.name": "invoke_agent",
    "gen_ai.provider.name": "scripted",
    "gen_ai.agent.name": "reviewer",
    "gen_ai.request.model": "scripted-model",
    "gen_ai.response.finish_reasons": ["end_turn"],
    "gen_ai.usage.input_tokens": 20,
    "gen_ai.usage.output_tokens": 4,
    "gen_ai.usage.cache_read.input_tokens": 6,
    "gen_ai.usage.cache_creation.input_tokens": 8,
    "agent_turn.profile": "work",
    "agent_turn.platform": "cli",
    "agent_turn.tags": ["client=one"],
    "agent_turn.outcome": "end_turn",
    "agent_turn.cost_usd": 0.5,
    "agent_turn.rounds": 2,
    "agent_turn.tool_calls": 1,
    "agent_turn.blocked_tool_calls": 0,
    "agent_turn.hook_invocations": 2,
    "agent_turn.hook_failures": 0,
    "agent_turn.hook_time": 0,
    "agent_turn.hook_wall_time": 0,
    "agent_turn.has_block": false,
    "agent_turn.has_failure": false,
    "agent_turn.has_timeout": false,
  });
});

test("the attributes of a model call's span", async () => {
  const telemetry = recordSpans();
  const rig = createRig({ steps: [reply("hi", { usage: USED, delayMs: 10 })], watch: [], watchMods: false });
  const running = rig.run();
  await rig.clock.advance(100);
  const { turnId, sessionId } = await running;
  expect(spanNamed(telemetry, "chat scripted-model").attributes).toEqual({
    "session.id": sessionId,
    "gen_ai.conversation.id": sessionId,
    "agent_turn.id": turnId,
    "gen_ai.operation.name": "chat",
    "gen_ai.provider.name": "scripted",
    "gen_ai.request.model": "scripted-model",
    "gen_ai.request.stream": true,
    "gen_ai.response.id": "response_1",
    "gen_ai.response.model": "scripted-model",
    "gen_ai.response.finish_reasons": ["end_turn"],
    "gen_ai.response.time_to_first_chunk": 0.02,
    "gen_ai.usage.input_tokens": 10,
    "gen_ai.usage.output_tokens": 2,
    "gen_ai.usage.cache_read.input_tokens": 3,
    "gen_ai.usage.cache_creation.input_tokens": 4,
    "gen_ai.usage.reasoning.output_tokens": 0,
    "agent_model.attempt": 1,
    "agent_model.iteration": 1,
    "agent_model.purpose": "turn",
  });
});

test("a failed attempt is an error span with the error's type; each attempt has a span of its own", async () => {
  const telemetry = recordSpans();
  const rig = createRig({
    steps: [failWith({ statusCode: 529, retryable: true, type: "overloaded", usage: USED }), reply("hi")],
    watch: [],
    watchMods: false,
  });
  const running = rig.run();
  await rig.clock.advance(60_000);
  await running;
  const calls = telemetry.spans().filter(({ name }) => name === "chat scripted-model");
  expect(
    calls.map(({ attributes, status }) => [
      attributes["agent_model.attempt"],
      status,
      attributes["error.type"],
      attributes["gen_ai.usage.input_tokens"],
    ]),
  ).toEqual([
    [1, { code: "ERROR", message: "scripted failure: overloaded" }, "overloaded", 10],
    [2, { code: "UNSET" }, undefined, 2],
  ]);
});

test("the attributes of a tool call's span tell execution, hooks and people apart", async () => {
  const telemetry = recordSpans();
  const later = <Value>(rig: () => Rig, ms: number, value: Value): Promise<Value> =>
    new Promise((resolve) => void rig().clock.setTimer(() => resolve(value), ms));
  const rig: Rig = createRig({
    steps: [callTools([{ name: "shell", input: { command: "ls" }, id: "c1" }]), reply("hi")],
    tools: [tool("shell", () => later(() => rig, 30, "ran"), { risk: "low" })],
    approver: { ask: () => later(() => rig, 500, "once" as const) },
    watch: [],
    watchMods: false,
    hooks: [policy(() => later(() => rig, 20, { decision: "ask_user", question: "Run it?" } as const))],
  });
  const running = rig.run();
  await rig.clock.advance(1_000);
  const { turnId, sessionId } = await running;
  const call = spanNamed(telemetry, "execute_tool shell");
  expect(call.attributes).toEqual({
    "session.id": sessionId,
    "gen_ai.conversation.id": sessionId,
    "agent_turn.id": turnId,
    "gen_ai.operation.name": "execute_tool",
    "gen_ai.tool.name": "shell",
    "gen_ai.tool.call.id": "c1",
    "gen_ai.tool.type": "function",
    "gen_ai.tool.description": "The tool shell.",
    "agent_tool.outcome": "completed",
    "agent_tool.risk": "low",
    "agent_tool.hook_wait": 0.02,
    "agent_tool.approval_wait": 0.5,
    "agent_tool.execution_time": 0.03,
  });
  expect(call.endTime - call.startTime).toBe(550);
  const approval = spanNamed(telemetry, "approval shell");
  expect([approval.endTime - approval.startTime, approval.attributes]).toEqual([
    500,
    {
      "session.id": sessionId,
      "gen_ai.conversation.id": sessionId,
      "agent_turn.id": turnId,
      "agent_approval.id": expect.any(String),
      "agent_approval.hook": "policy",
      "agent_approval.question": "Run it?",
      "agent_approval.choice": "once",
    },
  ]);
});

test("a tool that fails is an error span; a block is a decision, no error", async () => {
  const telemetry = recordSpans();
  const rig = createRig({
    steps: [callTools(["shell", "write"].map((name) => ({ name, input: {} }))), reply("hi")],
    tools: [
      tool("shell", () => {
        throw new RangeError("too far");
      }),
      tool("write"),
    ],
    watch: [],
    watchMods: false,
    mods: [{ id: "guard", beforeToolCall: ({ toolName }) => ({ block: toolName === "write" }) }],
  });
  await rig.run();
  const statuses = ["execute_tool shell", "execute_tool write"].map((name) => {
    const { status, attributes } = spanNamed(telemetry, name);
    return [attributes["agent_tool.outcome"], attributes["error.type"], status];
  });
  expect(statuses).toEqual([
    ["failed", "RangeError", { code: "ERROR", message: "too far" }],
    ["blocked", undefined, { code: "UNSET" }],
  ]);
});
