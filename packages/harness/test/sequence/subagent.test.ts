import { block } from "@hookscope/hooks";
import { callTools, failWith, reply, type RecordedRequest, type Script } from "@hookscope/testing";
import { expect, test } from "vitest";

import { createRig, policy, tool, type Rig, type RigOptions } from "../support/rig.ts";

const AGENT = callTools([{ name: "agent", input: { subagent_type: "explorer", prompt: "look" }, id: "a1" }]);
const isChild = ({ system }: RecordedRequest): boolean => system === "explore";

function delegating(childSteps: Script, options: RigOptions = {}): Rig {
  return createRig({
    steps: [AGENT, reply("done", { chunks: 1 })],
    scripts: [{ when: isChild, steps: childSteps }],
    tools: [tool("shell")],
    subagents: { explorer: { description: "looks around", systemPrompt: "explore" } },
    watchMods: false,
    ...options,
  });
}

test("a subagent: a whole turn of its own within the tool call, its events its own", async () => {
  const rig = delegating([callTools([{ name: "shell", input: {} }]), reply("found", { chunks: 1 })]);
  await rig.run();
  expect(rig.log.between("→ tool_queued agent", "→ turn_end 1")).toEqual([
    "→ tool_queued agent",
    "● pre_tool_call",
    "→ tool_running agent",
    "● subagent_start",
    "→ subagent_start explorer",
    "● on_session_start",
    "● pre_llm_call",
    "● pre_api_request",
    "▶ model",
    "● post_api_request",
    "→ subagent_progress explorer shell",
    "● pre_tool_call",
    "▶ shell",
    "● post_tool_call",
    "● transform_tool_result",
    "● pre_api_request",
    "▶ model",
    "● post_api_request",
    "● post_llm_call",
    "● on_session_end",
    "● subagent_stop",
    "→ subagent_stop explorer",
    "● post_tool_call",
    "● transform_tool_result",
    "→ tool_completed agent",
    "→ turn_end 1",
  ]);
});

test("the model is given the subagent's reply as the tool's result", async () => {
  const rig = delegating([reply("found")]);
  const { state } = await rig.run();
  expect(state.messages[2]?.content).toEqual([
    {
      type: "tool_result",
      toolCallId: "a1",
      toolName: "agent",
      content: [{ type: "text", text: "found" }],
      isError: false,
    },
  ]);
});

test("a subagent that fails is a failed call, and the parent goes on", async () => {
  const rig = delegating([failWith({ statusCode: 400, retryable: false, type: "bad_request", message: "no" })]);
  const result = await rig.run();
  expect(result.stopReason).toBe("end_turn");
  expect(result.state.messages[2]?.content).toEqual([
    {
      type: "tool_result",
      toolCallId: "a1",
      toolName: "agent",
      content: [
        {
          type: "text",
          text: "The subagent did not finish (error: MODEL_CALL_FAILED: the call of model scripted-model failed: no).",
        },
      ],
      isError: true,
    },
  ]);
});

test("an interrupt reaches the subagent, which ends before its parent does", async () => {
  const rig = delegating([callTools([{ name: "shell", input: {} }])], {
    tools: [tool("shell", () => new Promise<never>(() => undefined))],
    interruptAt: "▶ shell",
  });
  await rig.run();
  expect(rig.log.from("▶ shell")).toEqual([
    "▶ shell",
    "● post_tool_call",
    "● agent_loop_stopped",
    "● on_session_end",
    "● subagent_stop",
    "→ subagent_stop explorer",
    "● post_tool_call",
    "→ turn_end 1",
    "■ commit",
    "→ interrupted",
    "● agent_loop_stopped",
    "● on_session_end",
    "→ run_end interrupted",
  ]);
});

test("a blocked call of a subagent reaches the parent as a result of the subagent's own", async () => {
  const rig = delegating([callTools([{ name: "shell", input: {} }]), reply("found")], {
    hooks: [policy(({ payload }) => (payload.tool_name === "shell" ? block("no") : undefined))],
  });
  await rig.run();
  expect(rig.log.between("→ subagent_start explorer", "→ subagent_stop explorer")).toEqual([
    "→ subagent_start explorer",
    "● on_session_start",
    "● pre_llm_call",
    "● pre_api_request",
    "▶ model",
    "● post_api_request",
    "→ subagent_progress explorer shell",
    "● pre_tool_call",
    "● pre_tool_call policy",
    "● post_tool_call",
    "● pre_api_request",
    "▶ model",
    "● post_api_request",
    "● post_llm_call",
    "● on_session_end",
    "● subagent_stop",
    "→ subagent_stop explorer",
  ]);
});
