import { block, defineHook, type SubagentStopPayload, type TurnInfo } from "@hookscope/hooks";
import { callTools, failWith, reply, type RecordedRequest, type ScriptedStep } from "@hookscope/testing";
import { expect, test } from "vitest";

import { NO_USAGE } from "../../src/index.ts";
import { createRig, policy, tool, type Rig, type RigOptions } from "../support/rig.ts";
import { recordSpans, spanNamed } from "../support/telemetry.ts";

const delegate = (subagent_type: string): ScriptedStep =>
  callTools([{ name: "agent", input: { subagent_type, prompt: `work as ${subagent_type}` }, id: "a1" }]);
const asks = (system: string) => (request: RecordedRequest) => request.system === system;
const USED = { ...NO_USAGE, input_tokens: 5, output_tokens: 1 };

function rigWith(options: RigOptions): Rig {
  return createRig({
    steps: [delegate("outer"), reply("done")],
    tools: [tool("shell", "ran"), tool("read", "read")],
    subagents: {
      outer: { description: "delegates", systemPrompt: "outer" },
      inner: { description: "works", systemPrompt: "inner" },
      reader: { description: "reads", systemPrompt: "reader", tools: ["read"], maxTurns: 1 },
    },
    watchMods: false,
    watch: [],
    ...options,
  });
}

test("a subagent inherits profile, platform and tags; it has a session and a turn of its own, with its parent's ids", async () => {
  const turns = new Map<string, TurnInfo>();
  const rig = rigWith({
    scripts: [{ when: asks("outer"), steps: [reply("done")] }],
    agent: "reviewer",
    profile: "work",
    platform: "cli",
    tags: [{ key: "client", value: "one" }],
    hooks: [defineHook({ name: "audit", on: { on_session_end: ({ turn }) => void turns.set(turn.agent, turn) } })],
  });
  await rig.run();
  const [child, parent] = ["outer", "reviewer"].map((agent) => turns.get(agent));
  expect(child).toEqual({
    turn_id: expect.any(String),
    session_id: expect.any(String),
    profile: "work",
    platform: "cli",
    agent: "outer",
    model: "scripted-model",
    tags: [{ key: "client", value: "one" }],
    parent_turn_id: parent?.turn_id,
    parent_session_id: parent?.session_id,
  });
  expect([child?.turn_id === parent?.turn_id, child?.session_id === parent?.session_id]).toEqual([false, false]);
});

test("what an inbound message brought is inherited too", async () => {
  const origins: unknown[] = [];
  const rig = rigWith({
    scripts: [{ when: asks("outer"), steps: [reply("done")] }],
    hooks: [
      defineHook({
        name: "audit",
        on: { on_session_end: ({ turn }) => void origins.push([turn.platform, turn.profile]) },
      }),
    ],
  });
  await rig.harness.receive({ text: "hello", source: "someone", platform: "telegram", profile: "support" });
  expect(origins).toEqual([
    ["telegram", "support"],
    ["telegram", "support"],
  ]);
});

test("subagent_start and subagent_stop carry the same ids, the goal, the outcome, its usage and its blocked calls", async () => {
  const payloads: object[] = [];
  const rig = rigWith({
    scripts: [
      {
        when: asks("outer"),
        steps: [callTools([{ name: "shell", input: {} }], { usage: USED }), reply("found", { usage: USED })],
      },
    ],
    hooks: [
      policy(({ payload }) => (payload.tool_name === "shell" ? block("no") : undefined)),
      defineHook({
        name: "audit",
        on: {
          subagent_start: ({ payload }) => void payloads.push(payload),
          subagent_stop: ({ payload }) => void payloads.push(payload),
        },
      }),
    ],
  });
  const { turnId, sessionId } = await rig.run();
  const stop = payloads[1] as SubagentStopPayload;
  const ids = {
    child_role: "outer",
    child_session_id: stop.child_session_id,
    child_turn_id: stop.child_turn_id,
    parent_session_id: sessionId,
    parent_turn_id: turnId,
    call_id: "a1",
  };
  expect(payloads).toEqual([
    { ...ids, child_goal: "work as outer" },
    {
      ...ids,
      child_status: "completed",
      child_summary: "found",
      duration_ms: 0,
      usage: { ...NO_USAGE, input_tokens: 10, output_tokens: 2 },
      blocked_tool_calls: 1,
    },
  ]);
});

test("blocked calls, tool calls, rounds and flags of a subagent count in the turn above it too", async () => {
  const telemetry = recordSpans();
  const rig = rigWith({
    scripts: [{ when: asks("outer"), steps: [callTools([{ name: "shell", input: {} }]), reply("found")] }],
    hooks: [policy(({ payload }) => (payload.tool_name === "shell" ? block("no") : undefined))],
  });
  await rig.run();
  const sums = ["invoke_agent outer", "invoke_agent agent"].map((name) => {
    const { attributes } = spanNamed(telemetry, name);
    return ["blocked_tool_calls", "tool_calls", "rounds", "has_block"].map((key) => attributes[`agent_turn.${key}`]);
  });
  expect(sums).toEqual([
    [1, 1, 2, true],
    [1, 2, 4, true],
  ]);
});

test("a result's usage is the turn's own; the subagent's is told in subagent_stop", async () => {
  const rig = rigWith({
    steps: [
      callTools([{ name: "agent", input: { subagent_type: "outer", prompt: "help" } }], { usage: USED }),
      reply("done", { usage: USED }),
    ],
    scripts: [{ when: asks("outer"), steps: [reply("found", { usage: USED })] }],
  });
  expect((await rig.run()).usage).toEqual({ ...NO_USAGE, input_tokens: 10, output_tokens: 2 });
});

test("subagents start subagents down to a depth of two; the deepest is not given the tool", async () => {
  const rig = rigWith({
    scripts: [
      { when: asks("outer"), steps: [delegate("inner"), reply("outer done")] },
      { when: asks("inner"), steps: [reply("inner done")] },
    ],
  });
  await rig.run();
  const offered = rig.model.requests.map(({ system, tools }) => [system, tools.some(({ name }) => name === "agent")]);
  expect(offered).toEqual([
    [undefined, true],
    ["outer", true],
    ["inner", false],
    ["outer", true],
    [undefined, true],
  ]);
});

test("the depth can be set", async () => {
  const rig = rigWith({ maxSubagentDepth: 1, scripts: [{ when: asks("outer"), steps: [reply("outer done")] }] });
  await rig.run();
  expect(rig.model.requests.map(({ tools }) => tools.some(({ name }) => name === "agent"))).toEqual([
    true,
    false,
    true,
  ]);
});

test("a subagent has its own tools, prompt and round limit; what is left out is its parent's", async () => {
  const rig = rigWith({
    steps: [delegate("reader"), reply("done")],
    scripts: [{ when: asks("reader"), steps: [callTools([{ name: "read", input: {} }])] }],
  });
  const { state } = await rig.run();
  expect(rig.model.requests[1]).toMatchObject({
    system: "reader",
    messages: [{ content: [{ type: "text", text: "work as reader" }] }],
    tools: [{ name: "read" }],
  });
  expect(state.messages[2]?.content).toMatchObject([
    { content: [{ text: "The subagent did not finish (max_turns)." }], isError: true },
  ]);
});

test("an unknown kind of subagent is an input that does not fit: the model is told which there are", async () => {
  const rig = rigWith({ steps: [delegate("painter"), reply("done")] });
  const { state } = await rig.run();
  expect(state.messages[2]?.content).toMatchObject([
    {
      content: [
        {
          text: 'the input of agent does not fit its schema: /subagent_type must be equal to one of the allowed values: "outer", "inner", "reader"',
        },
      ],
    },
  ]);
});

test("a mod that fails in a subagent is told to whoever watches the parent", async () => {
  const rig = rigWith({
    scripts: [{ when: asks("outer"), steps: [reply("outer done")] }],
    mods: [
      {
        id: "broken",
        appendSystemPrompt: ({ state }) => {
          if (state.messages.length === 1 && JSON.stringify(state.messages).includes("work as outer"))
            throw new Error("no");
          return undefined;
        },
      },
    ],
  });
  await rig.run();
  expect(rig.log.only("→ mod_error")).toEqual(["→ mod_error broken appendSystemPrompt"]);
});

test("a model call of a subagent that is tried again is told to whoever watches the parent: they wait for it too", async () => {
  const overloaded = failWith({ statusCode: 529, retryable: true, type: "overloaded" });
  const rig = rigWith({
    scripts: [{ when: asks("outer"), steps: [overloaded, reply("outer done")] }],
    retry: { silentFirst: false },
  });
  const running = rig.run();
  await rig.clock.advance(60_000);
  expect((await running).stopReason).toBe("end_turn");
  expect(rig.log.only("→ api_retry", "→ subagent")).toEqual([
    "→ subagent_start outer",
    "→ api_retry 1",
    "→ subagent_stop outer",
  ]);
});
