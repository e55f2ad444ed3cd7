import { askUser } from "@hookscope/hooks";
import { callTools, failWith, hang, reply } from "@hookscope/testing";
import { expect, test } from "vitest";

import { createRig, policy, tool, type RigOptions } from "../support/rig.ts";

const CALL = callTools([{ name: "shell", input: { command: "ls" } }]);

const COMMIT = ["◆ onTurnEnd watcher", "→ turn_end 1", "■ commit"];
const ENDING = [
  "→ interrupted",
  "● agent_loop_stopped",
  "● on_session_end",
  "◆ onRunEnd watcher",
  "→ run_end interrupted",
];

/** Interrupts a turn at an entry of its log, and gives what was written from there on. */
async function interrupt(at: string, options: RigOptions = {}): Promise<readonly string[]> {
  const rig = createRig({
    steps: [CALL, reply("done", { chunks: 1 })],
    tools: [tool("shell")],
    interruptAt: at,
    ...options,
  });
  const result = await rig.run();
  expect(result.stopReason).toBe("interrupted");
  return rig.log.from(at);
}

/** The same, where what is interrupted never settles. */
function interruptHung(at: string, options: RigOptions = {}): Promise<readonly string[]> {
  return interrupt(at, { ...options, hangAt: at });
}

test("before the first round: nothing is asked of a model", async () => {
  const rig = createRig({ steps: [reply("hi")] });
  const result = await rig.harness.run({ userInput: "hello", signal: AbortSignal.abort() });
  expect(rig.log.entries).toEqual(["→ run_start", ...ENDING]);
  expect(result).toMatchObject({ stopReason: "interrupted", finalText: "", turnCount: 0 });
});

test("in pre_llm_call", async () => {
  expect(await interruptHung("● pre_llm_call")).toEqual(["● pre_llm_call", ...ENDING]);
});

test("in a mod's onTurnStart: no round begins", async () => {
  expect(await interruptHung("◆ onTurnStart watcher")).toEqual(["◆ onTurnStart watcher", ...ENDING]);
});

test("in a mod's transformContext: the round has no end", async () => {
  expect(await interruptHung("◆ transformContext watcher")).toEqual(["◆ transformContext watcher", ...ENDING]);
});

test("in pre_api_request: the model is not called", async () => {
  expect(await interruptHung("● pre_api_request")).toEqual(["● pre_api_request", ...ENDING]);
});

test("in the model's stream", async () => {
  const rig = createRig({ steps: [hang({ afterText: "h", chunks: 1 })], interruptAt: "→ text_delta h" });
  const result = await rig.run();
  expect(rig.log.from("→ text_delta h")).toEqual(["→ text_delta h", ...ENDING]);
  expect(result.stopReason).toBe("interrupted");
});

test("in a model's stream that does not heed the signal", async () => {
  const deaf = {
    provider: "deaf",
    model: "deaf",
    async *stream() {
      yield { type: "text_delta", text: "h" } as const;
      await new Promise<never>(() => undefined);
    },
  };
  expect(await interrupt("→ text_delta h", { model: deaf })).toEqual(["→ text_delta h", ...ENDING]);
});

test("in post_api_request: the answer is not worked on", async () => {
  expect(await interruptHung("● post_api_request")).toEqual(["● post_api_request", ...ENDING]);
});

test("in a retry's wait", async () => {
  const rig = createRig({ steps: [failWith({ statusCode: 529, retryable: true, type: "overloaded" })] });
  const running = rig.run();
  await rig.clock.advance(0);
  rig.log.interruption.abort();
  await running;
  expect(rig.log.from("● api_request_error")).toEqual([
    "● api_request_error",
    "● transform_api_error_classification",
    ...ENDING,
  ]);
});

test("in api_request_error: it is not tried again", async () => {
  const steps = [failWith({ statusCode: 529, retryable: true, type: "overloaded" })];
  expect(await interruptHung("● api_request_error", { steps })).toEqual(["● api_request_error", ...ENDING]);
});

test("in a permission check: the call is cancelled, the ones after it are not checked, the round is committed", async () => {
  const steps = [callTools(["shell", "read"].map((name) => ({ name, input: {} })))];
  const permissions = { check: () => ({ decision: "allow" }) as const };
  expect(await interruptHung("▶ check shell", { steps, permissions, tools: [tool("shell"), tool("read")] })).toEqual([
    "▶ check shell",
    "● post_tool_call",
    "● post_tool_call",
    ...COMMIT,
    ...ENDING,
  ]);
});

test("in a tool's description", async () => {
  const permissions = {
    check: () => ({ decision: "allow" }) as const,
    generateDescription: async () => "a description",
  };
  expect(await interruptHung("▶ describe shell", { permissions })).toEqual([
    "▶ describe shell",
    "● post_tool_call",
    ...COMMIT,
    ...ENDING,
  ]);
});

test("in a mod's beforeToolCall: the bus is not asked", async () => {
  expect(await interruptHung("◆ beforeToolCall watcher")).toEqual([
    "◆ beforeToolCall watcher",
    "● post_tool_call",
    ...COMMIT,
    ...ENDING,
  ]);
});

test("in pre_tool_call: neither run nor blocked, but cancelled", async () => {
  expect(await interruptHung("● pre_tool_call")).toEqual(["● pre_tool_call", "● post_tool_call", ...COMMIT, ...ENDING]);
});

test("in an approval: the question is answered `cancelled`", async () => {
  const approver = { ask: async () => "once" as const };
  const hooks = [policy(() => askUser("Run it?"))];
  expect(await interruptHung("▶ ask Run it?", { hooks, approver })).toEqual([
    "▶ ask Run it?",
    "● post_approval_response",
    "● post_tool_call",
    ...COMMIT,
    ...ENDING,
  ]);
});

test("in a running tool that ignores the signal: the turn does not wait for it", async () => {
  expect(await interruptHung("▶ shell")).toEqual(["▶ shell", "● post_tool_call", ...COMMIT, ...ENDING]);
});

test("in a running tool that throws because of the signal: cancelled, not failed", async () => {
  const heeding = tool("shell", async ({ signal }) => {
    signal.throwIfAborted();
    return "never";
  });
  expect(await interrupt("▶ shell", { tools: [heeding] })).toEqual([
    "▶ shell",
    "● post_tool_call",
    ...COMMIT,
    ...ENDING,
  ]);
});

test("in a tool of two: the second is cancelled without being asked about", async () => {
  const steps = [callTools(["shell", "read"].map((name) => ({ name, input: {} })))];
  expect(await interruptHung("▶ shell", { steps, tools: [tool("shell"), tool("read")] })).toEqual([
    "▶ shell",
    "● post_tool_call",
    "● post_tool_call",
    ...COMMIT,
    ...ENDING,
  ]);
});

test("in one of two calls at once: both are cancelled", async () => {
  const steps = [callTools(["shell", "read"].map((name) => ({ name, input: {} })))];
  const tools = [tool("shell", () => new Promise<never>(() => undefined)), tool("read")];
  expect(await interruptHung("▶ read", { steps, tools, toolExecution: "parallel" })).toEqual([
    "▶ read",
    "● post_tool_call",
    "● post_tool_call",
    ...COMMIT,
    ...ENDING,
  ]);
});

test("in a mod's afterToolCall: what ran is reported as what it did", async () => {
  expect(await interrupt("◆ afterToolCall watcher")).toEqual([
    "◆ afterToolCall watcher",
    "● post_tool_call",
    "● transform_tool_result",
    "→ tool_completed shell",
    ...COMMIT,
    ...ENDING,
  ]);
});

test("in post_tool_call: the result still reaches the log, and the turn stops then", async () => {
  expect(await interrupt("● post_tool_call")).toEqual([
    "● post_tool_call",
    "● transform_tool_result",
    "→ tool_completed shell",
    ...COMMIT,
    ...ENDING,
  ]);
});

test("in transform_tool_result", async () => {
  expect(await interrupt("● transform_tool_result")).toEqual([
    "● transform_tool_result",
    "→ tool_completed shell",
    ...COMMIT,
    ...ENDING,
  ]);
});

test("in a mod's onTurnEnd: the round is committed", async () => {
  expect(await interrupt("◆ onTurnEnd watcher")).toEqual([...COMMIT, ...ENDING]);
});

test("in a mod's shouldStopAfterTurn", async () => {
  expect(await interruptHung("◆ shouldStopAfterTurn watcher")).toEqual(["◆ shouldStopAfterTurn watcher", ...ENDING]);
});

test("in a mod's onStop", async () => {
  expect(await interruptHung("◆ onStop watcher", { steps: [reply("hi")] })).toEqual(["◆ onStop watcher", ...ENDING]);
});

test("in a mod's prepareNextTurn", async () => {
  expect(await interruptHung("◆ prepareNextTurn watcher")).toEqual(["◆ prepareNextTurn watcher", ...ENDING]);
});

test("in post_llm_call: the turn is complete already", async () => {
  const rig = createRig({ steps: [reply("hi")], interruptAt: "● post_llm_call" });
  const result = await rig.run();
  expect(rig.log.from("● post_llm_call")).toEqual([
    "● post_llm_call",
    "● on_session_end",
    "◆ onRunEnd watcher",
    "→ run_end end_turn",
  ]);
  expect(result.stopReason).toBe("end_turn");
});
