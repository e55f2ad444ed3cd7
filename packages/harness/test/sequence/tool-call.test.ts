import { callTools, reply } from "@hookscope/testing";
import { expect, test } from "vitest";

import { createRig, tool } from "../support/rig.ts";

const SHELL = { name: "shell", input: { command: "ls" }, id: "c1" };

test("a tool call: the whole sequence of a turn with two rounds", async () => {
  const rig = createRig({
    steps: [callTools([SHELL]), reply("done", { chunks: 1 })],
    tools: [tool("shell")],
    permissions: { check: () => ({ decision: "allow" }), generateDescription: async () => "lists files" },
  });
  await rig.run();
  expect(rig.log.entries).toEqual([
    "● on_session_start",
    "→ run_start",
    "● pre_llm_call",
    "◆ onTurnStart watcher",
    "→ turn_start 1",
    "◆ appendSystemPrompt watcher",
    "◆ transformContext watcher",
    "→ message_start",
    "→ model_request_start",
    "● pre_api_request",
    "▶ model",
    "● post_api_request",
    "→ model_request_end",
    "→ message_end",
    "→ tool_queued shell",
    "▶ describe shell",
    "▶ check shell",
    "◆ beforeToolCall watcher",
    "● pre_tool_call",
    "→ tool_running shell",
    "▶ shell",
    "◆ afterToolCall watcher",
    "● post_tool_call",
    "● transform_tool_result",
    "→ tool_completed shell",
    "◆ onTurnEnd watcher",
    "→ turn_end 1",
    "■ commit",
    "◆ shouldStopAfterTurn watcher",
    "◆ prepareNextTurn watcher",
    "◆ onTurnStart watcher",
    "→ turn_start 2",
    "◆ appendSystemPrompt watcher",
    "◆ transformContext watcher",
    "→ message_start",
    "→ model_request_start",
    "● pre_api_request",
    "▶ model",
    "→ text_delta done",
    "● post_api_request",
    "→ model_request_end",
    "→ message_end",
    "◆ onTurnEnd watcher",
    "→ turn_end 2",
    "■ commit",
    "◆ shouldStopAfterTurn watcher",
    "◆ onStop watcher",
    "● post_llm_call",
    "● on_session_end",
    "◆ onRunEnd watcher",
    "→ run_end end_turn",
  ]);
});

test("a tool that reports progress: tool_update comes between tool_running and the end", async () => {
  const rig = createRig({
    steps: [callTools([SHELL]), reply("done")],
    tools: [
      tool("shell", (call) => {
        call.onUpdate("half");
        return "whole";
      }),
    ],
  });
  await rig.run();
  expect(rig.log.between("→ tool_queued shell", "→ tool_completed shell")).toEqual([
    "→ tool_queued shell",
    "◆ beforeToolCall watcher",
    "● pre_tool_call",
    "→ tool_running shell",
    "▶ shell",
    "→ tool_update shell",
    "◆ afterToolCall watcher",
    "● post_tool_call",
    "● transform_tool_result",
    "→ tool_completed shell",
  ]);
});

test("two calls, one after another: phase 1 for both, then phase 2 of each", async () => {
  const rig = createRig({
    steps: [callTools([SHELL, { name: "read", input: {}, id: "c2" }]), reply("done")],
    tools: [tool("shell"), tool("read")],
    permissions: { check: () => ({ decision: "allow" }) },
  });
  await rig.run();
  expect(rig.log.between("→ tool_queued shell", "→ turn_end 1")).toEqual([
    "→ tool_queued shell",
    "→ tool_queued read",
    "▶ check shell",
    "▶ check read",
    "◆ beforeToolCall watcher",
    "● pre_tool_call",
    "→ tool_running shell",
    "▶ shell",
    "◆ afterToolCall watcher",
    "● post_tool_call",
    "● transform_tool_result",
    "→ tool_completed shell",
    "◆ beforeToolCall watcher",
    "● pre_tool_call",
    "→ tool_running read",
    "▶ read",
    "◆ afterToolCall watcher",
    "● post_tool_call",
    "● transform_tool_result",
    "→ tool_completed read",
    "◆ onTurnEnd watcher",
    "→ turn_end 1",
  ]);
});

test("two calls at once: phase 1 in order, then both run; their results keep the order of the calls", async () => {
  const slow = Promise.withResolvers<string>();
  const rig = createRig({
    toolExecution: "parallel",
    steps: [callTools([SHELL, { name: "read", input: {}, id: "c2" }]), reply("done")],
    tools: [
      tool("shell", () => slow.promise),
      tool("read", () => {
        slow.resolve("late");
        return "early";
      }),
    ],
    permissions: { check: () => ({ decision: "allow" }) },
  });
  const { state } = await rig.run();
  expect(rig.log.between("→ tool_queued shell", "→ turn_end 1")).toEqual([
    "→ tool_queued shell",
    "→ tool_queued read",
    "▶ check shell",
    "▶ check read",
    "◆ beforeToolCall watcher",
    "◆ beforeToolCall watcher",
    "● pre_tool_call",
    "● pre_tool_call",
    "→ tool_running shell",
    "▶ shell",
    "→ tool_running read",
    "▶ read",
    "◆ afterToolCall watcher",
    "◆ afterToolCall watcher",
    "● post_tool_call",
    "● post_tool_call",
    "● transform_tool_result",
    "● transform_tool_result",
    "→ tool_completed read",
    "→ tool_completed shell",
    "◆ onTurnEnd watcher",
    "→ turn_end 1",
  ]);
  expect(state.messages[2]?.content).toEqual([
    {
      type: "tool_result",
      toolCallId: "c1",
      toolName: "shell",
      content: [{ type: "text", text: "late" }],
      isError: false,
    },
    {
      type: "tool_result",
      toolCallId: "c2",
      toolName: "read",
      content: [{ type: "text", text: "early" }],
      isError: false,
    },
  ]);
});
