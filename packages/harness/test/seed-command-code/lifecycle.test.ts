import { breakAfter, callTools, reply, type ScriptedStep } from "@hookscope/testing";
import { expect, test } from "vitest";

import { createAgentState, text, textOf, userMessage, type AgentMod } from "../../src/index.ts";
import { createRig, tool } from "../support/rig.ts";

const CALL: ScriptedStep = callTools([{ name: "shell", input: { command: "ls" }, id: "c1" }]);

test("One `run()` = one user turn → many model turns", async () => {
  const rig = createRig({ steps: [CALL, CALL, reply("done")], tools: [tool("shell")] });
  const { turnCount } = await rig.run();
  expect([turnCount, rig.log.only("→ run_start", "→ turn_start", "→ run_end")]).toEqual([
    3,
    ["→ run_start", "→ turn_start 1", "→ turn_start 2", "→ turn_start 3", "→ run_end end_turn"],
  ]);
});

test("fork AbortController: the run's signal is its own", async () => {
  const outer = new AbortController();
  let inner: AbortSignal | undefined;
  const mod: AgentMod = { id: "noting", onRunEnd: (_, ctx) => void (inner = ctx?.signal) };
  const rig = createRig({ steps: [reply("hi")], mods: [mod] });
  await rig.harness.run({ userInput: "hello", signal: outer.signal });
  outer.abort();
  expect([inner === outer.signal, inner?.aborted]).toEqual([false, false]);
});

test("working := state (+ user message when userInput given)", async () => {
  const state = createAgentState({ messages: [userMessage("before")] });
  const rig = createRig({ steps: [reply("one"), reply("two")] });
  const results = [await rig.harness.run({ state }), await rig.harness.run({ state, userInput: "now" })];
  expect(results.map((result) => result.state.messages.map(({ content }) => textOf(content)))).toEqual([
    ["before", "one"],
    ["before", "now", "two"],
  ]);
});

test("run_start {sessionId}", async () => {
  const rig = createRig({ steps: [reply("hi")] });
  await rig.run("hello", { state: createAgentState({ sessionId: "s1" }) });
  expect(rig.events[0]).toMatchObject({ type: "run_start", sessionId: "s1" });
});

test("poll getSteeringMessages once (catch pre-run queued input)", async () => {
  const rig = createRig({ steps: [reply("hi")], getSteeringMessages: () => ["wait"] });
  const { state } = await rig.run("hello");
  expect(state.messages.slice(0, 2)).toEqual([userMessage("hello"), userMessage("wait", "steering")]);
});

test("abort check → stop: interrupted (→ interrupted)", async () => {
  const rig = createRig({
    steps: [CALL, reply("done")],
    tools: [tool("shell")],
    interruptAt: "◆ prepareNextTurn watcher",
  });
  const { stopReason } = await rig.run();
  expect([stopReason, rig.log.only("→ turn_start", "→ interrupted")]).toEqual([
    "interrupted",
    ["→ turn_start 1", "→ interrupted"],
  ]);
});

test("read live permission mode ONCE - pinned for this round", async () => {
  let reads = 0;
  const seen: string[] = [];
  const rig = createRig({
    steps: [callTools(["shell", "shell"].map((name) => ({ name, input: {} }))), reply("done")],
    tools: [tool("shell")],
    permissionMode: () => (reads++ === 0 ? "plan" : "yolo"),
    permissions: {
      check: ({ permissionMode }) => {
        seen.push(permissionMode);
        return { decision: "allow" };
      },
    },
  });
  await rig.run();
  expect([reads, seen]).toEqual([2, ["plan", "plan"]]);
});

test("resolve systemPrompt (string | builder({sessionId, state, permissionMode}))", async () => {
  const built = createRig({
    steps: [reply("hi")],
    systemPrompt: ({ sessionId, state, permissionMode }) => `${sessionId} ${state.messages.length} ${permissionMode}`,
  });
  await built.run("hello", { state: createAgentState({ sessionId: "s1" }) });
  const plain = createRig({ steps: [reply("hi")], systemPrompt: "be brief" });
  await plain.run();
  expect([built, plain].map(({ model }) => model.requests[0]?.system)).toEqual(["s1 1 default", "be brief"]);
});

test("prepareForSend (core wire-validity pass: orphan heal, merge, strip meta)", async () => {
  const call = { type: "tool_use", id: "c9", name: "shell", input: {} } as const;
  const state = createAgentState({
    messages: [userMessage("one"), { role: "assistant", content: [call] }, userMessage("two"), userMessage("three")],
  });
  const rig = createRig({ steps: [reply("hi")] });
  const { state: after } = await rig.run("four", { state });
  expect(rig.model.requests[0]?.messages).toEqual([
    userMessage("one"),
    { role: "assistant", content: [call] },
    {
      role: "user",
      source: "user",
      content: [
        { type: "tool_result", toolCallId: "c9", toolName: "shell", content: [text("Cancelled")], isError: true },
        text("two"),
        text("three"),
        text("four"),
      ],
    },
  ]);
  expect(after.messages.length).toBe(6);
});

test("model_request_start {model}", async () => {
  const rig = createRig({ steps: [reply("hi")] });
  await rig.run();
  expect(rig.events.find(({ type }) => type === "model_request_start")).toMatchObject({ model: "scripted-model" });
});

test("modelClient.complete(...) (streams → …; retry → api_retry)", async () => {
  const broken = breakAfter("h", { chunks: 1 });
  const rig = createRig({
    steps: [broken, broken, broken, broken, reply("hi", { thinking: "hm", chunks: 1 })],
    watchMods: false,
    watch: [],
  });
  const running = rig.run();
  await rig.clock.advance(60_000);
  await running;
  expect(rig.log.between("→ model_request_start", "→ model_request_end")).toEqual([
    "→ model_request_start",
    ...[2, 3, 4].flatMap((attempt) => ["▶ model", "→ text_delta h", `→ message_update ${attempt}`]),
    "▶ model",
    "→ text_delta h",
    "→ api_retry 4",
    "→ message_update 5",
    "▶ model",
    "→ thinking_start",
    "→ thinking_delta",
    "→ thinking_end",
    "→ text_delta hi",
    "→ model_request_end",
  ]);
});

test("working += assistant message (provider-executed blocks filtered out)", async () => {
  const rig = createRig({
    model: {
      provider: "odd",
      model: "odd",
      async *stream() {
        yield { type: "provider_block", name: "web_search", value: { found: 3 } };
        yield { type: "text_delta", text: "found it" };
        const usage = {
          input_tokens: 1,
          output_tokens: 1,
          cache_read_tokens: 0,
          cache_write_tokens: 0,
          reasoning_tokens: 0,
        };
        yield { type: "finish", reason: "end_turn", stop: "end_turn", usage };
      },
    },
  });
  const { state } = await rig.run();
  expect(state.messages[1]).toEqual({ role: "assistant", content: [text("found it")] });
  expect(rig.events.find(({ type }) => type === "message_end")).toMatchObject({
    content: [{ type: "provider", name: "web_search", value: { found: 3 } }, text("found it")],
  });
});
