import { askUser, block, defineHook, modify, type Hook } from "@hookscope/hooks";
import { callTools, failWith, reply } from "@hookscope/testing";
import { expect, test } from "vitest";

import { createRig, policy, tool, type Rig } from "../support/rig.ts";
import { recordSpans, spanNamed } from "../support/telemetry.ts";

const OVERLOADED = failWith({ statusCode: 529, retryable: true, type: "overloaded" });
const AGENT = { name: "agent", input: { subagent_type: "explorer", prompt: "look" } };

/** A turn with everything: context, a retry, two tools, a rewrite, a question, a block, a subagent, mods. */
async function wholeTurn(): Promise<{ readonly telemetry: ReturnType<typeof recordSpans>; readonly rig: Rig }> {
  const telemetry = recordSpans();
  const hooks: readonly Hook[] = [
    defineHook({ name: "memory", on: { pre_llm_call: () => modify({ context: "known" }) } }),
    defineHook({
      name: "policy",
      reinvoke: "if_modified",
      on: {
        pre_tool_call: ({ payload }) => {
          if (payload.tool_name === "write") return block("read only");
          return payload.tool_name === "shell" ? askUser("Run it?") : undefined;
        },
      },
    }),
    policy(({ payload }) => (payload.tool_name === "shell" ? modify({ args: { safe: true } }) : undefined), "rewriter"),
    defineHook({ name: "usage", on: { pre_api_request: () => undefined, post_api_request: () => undefined } }),
    defineHook({ name: "audit", on: { post_tool_call: () => undefined, on_session_end: () => undefined } }),
  ];
  const rig: Rig = createRig({
    steps: [
      OVERLOADED,
      callTools(["shell", "write"].map((name) => ({ name, input: {} }))),
      callTools([AGENT]),
      reply("done", { delayMs: 3 }),
    ],
    scripts: [{ when: ({ system }) => system === "explore", steps: [reply("found", { delayMs: 5 })] }],
    agent: "reviewer",
    tools: [tool("shell"), tool("write")],
    subagents: { explorer: { description: "looks", systemPrompt: "explore" } },
    approver: {
      ask: () => new Promise((resolve) => void rig.clock.setTimer(() => resolve("once"), 40)),
    },
    watch: ["on_session_finalize"],
    watchMods: false,
    mods: [
      {
        id: "counter",
        onTurnStart: ({ state }) => state,
        afterToolCall: () => undefined,
        onRunEnd: () => undefined,
      },
    ],
    hooks,
  });
  const running = rig.run();
  await rig.clock.advance(60_000);
  await running;
  return { telemetry, rig };
}

test("the trace of a whole turn, by names", async () => {
  const { telemetry } = await wholeTurn();
  expect(telemetry.tree()).toEqual([
    "invoke_agent reviewer",
    "  pre_llm_call memory",
    "  onTurnStart counter",
    "  pre_api_request usage",
    "  chat scripted-model",
    "  pre_api_request usage",
    "  chat scripted-model",
    "  post_api_request usage",
    "  execute_tool shell",
    "    pre_tool_call policy",
    "    pre_tool_call rewriter",
    "    pre_tool_call policy",
    "    approval shell",
    "    afterToolCall counter",
    "    post_tool_call audit",
    "  execute_tool write",
    "    pre_tool_call policy",
    "    pre_tool_call rewriter",
    "    post_tool_call audit",
    "  onTurnStart counter",
    "  pre_api_request usage",
    "  chat scripted-model",
    "  post_api_request usage",
    "  execute_tool agent",
    "    pre_tool_call policy",
    "    pre_tool_call rewriter",
    "    invoke_agent explorer",
    "      pre_llm_call memory",
    "      onTurnStart counter",
    "      pre_api_request usage",
    "      chat scripted-model",
    "      post_api_request usage",
    "      on_session_end audit",
    "      onRunEnd counter",
    "    afterToolCall counter",
    "    post_tool_call audit",
    "  onTurnStart counter",
    "  pre_api_request usage",
    "  chat scripted-model",
    "  post_api_request usage",
    "  on_session_end audit",
    "  onRunEnd counter",
  ]);
  expect(telemetry.unended()).toEqual([]);
});

test("one trace per turn, subagents included", async () => {
  const { telemetry } = await wholeTurn();
  expect(new Set(telemetry.spans().map(({ traceId }) => traceId)).size).toBe(1);
});

test("every span lies within its parent's time, and the root ends last", async () => {
  const { telemetry } = await wholeTurn();
  const spans = telemetry.spans();
  const byId = new Map(spans.map((span) => [span.spanId, span]));
  const outside = spans.filter(({ parentSpanId, startTime, endTime }) => {
    const parent = byId.get(parentSpanId ?? "");
    return parent !== undefined && (startTime < parent.startTime || endTime > parent.endTime || endTime < startTime);
  });
  expect(outside.map(({ name }) => name)).toEqual([]);
  expect(Math.max(...spans.map(({ endTime }) => endTime))).toBe(spanNamed(telemetry, "invoke_agent reviewer").endTime);
});

test("session.id and gen_ai.conversation.id stand on every span, the subagent's on its own", async () => {
  const { telemetry } = await wholeTurn();
  const child = spanNamed(telemetry, "invoke_agent explorer").attributes["session.id"];
  const parent = spanNamed(telemetry, "invoke_agent reviewer").attributes["session.id"];
  expect(child).not.toBe(parent);
  const sessions = telemetry
    .spans()
    .map(({ attributes }) => [
      attributes["session.id"] === attributes["gen_ai.conversation.id"],
      attributes["session.id"] === child || attributes["session.id"] === parent,
    ]);
  expect(new Set(sessions.map((pair) => pair.join()))).toEqual(new Set(["true,true"]));
});

test("the kinds: a model call is a CLIENT, everything else of a turn is INTERNAL", async () => {
  const { telemetry } = await wholeTurn();
  const clients = telemetry.spans().filter(({ kind }) => kind === "CLIENT");
  const others = telemetry.spans().filter(({ kind }) => kind !== "CLIENT" && kind !== "INTERNAL");
  expect(clients.map(({ name }) => name)).toEqual(clients.map(() => "chat scripted-model"));
  expect([clients.length, others.length]).toEqual([5, 0]);
});

test("an inbound message's span stands above its turn", async () => {
  const telemetry = recordSpans();
  const rig = createRig({
    steps: [reply("hi")],
    watch: ["pre_gateway_dispatch", "post_gateway_admission"],
    watchMods: false,
  });
  await rig.harness.receive({ text: "hello", source: "someone", platform: "telegram" });
  expect(telemetry.tree()).toEqual([
    "message telegram",
    "  pre_gateway_dispatch watch",
    "  post_gateway_admission watch",
    "  invoke_agent agent",
    "    chat scripted-model",
  ]);
  expect(spanNamed(telemetry, "message telegram")).toMatchObject({
    kind: "CONSUMER",
    attributes: { "agent_message.outcome": "turn" },
  });
});

test("a message whose session cannot be resolved ends its span as an error", async () => {
  const telemetry = recordSpans();
  const rig = createRig({ watch: [], watchMods: false });
  const resolve = (): never => {
    throw new RangeError("no such session");
  };
  await rig.harness.receive({ text: "hello", source: "someone", resolve }).catch(() => undefined);
  expect(spanNamed(telemetry, "message embedded")).toMatchObject({
    status: { code: "ERROR", message: "no such session" },
    attributes: { "agent_message.outcome": "failed", "error.type": "RangeError" },
  });
});

test("an interrupted subagent's spans end before its parent's", async () => {
  const telemetry = recordSpans();
  const rig = createRig({
    steps: [callTools([AGENT])],
    scripts: [{ when: ({ system }) => system === "explore", steps: [callTools([{ name: "shell", input: {} }])] }],
    tools: [tool("shell", () => new Promise<never>(() => undefined))],
    subagents: { explorer: { description: "looks", systemPrompt: "explore" } },
    watchMods: false,
    watch: ["on_session_end"],
    interruptAt: "▶ shell",
  });
  await rig.run();
  expect(telemetry.unended()).toEqual([]);
  expect(telemetry.tree()).toEqual([
    "invoke_agent agent",
    "  chat scripted-model",
    "  execute_tool agent",
    "    invoke_agent explorer",
    "      chat scripted-model",
    "      execute_tool shell",
    "      on_session_end watch",
    "  on_session_end watch",
  ]);
});
