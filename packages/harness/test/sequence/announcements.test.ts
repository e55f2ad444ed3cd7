import { askUser } from "@hookscope/hooks";
import { callTools } from "@hookscope/testing";
import { expect, test } from "vitest";

import { createRig, policy, tool, type RigOptions } from "../support/rig.ts";

const SHELL = callTools([{ name: "shell", input: { command: "ls" } }]);
const COMMIT = ["◆ onTurnEnd watcher", "→ turn_end 1", "■ commit"];
const ENDING = [
  "→ interrupted",
  "● agent_loop_stopped",
  "● on_session_end",
  "◆ onRunEnd watcher",
  "→ run_end interrupted",
];

/** Interrupts a turn at an entry of its log that then never settles, and gives what was written from there on. */
async function interrupted(at: string, options: RigOptions): Promise<readonly string[]> {
  const rig = createRig({ tools: [tool("shell")], interruptAt: at, hangAt: at, ...options });
  await rig.run();
  return rig.log.from(at);
}

test("in pre_approval_request: nobody is asked, and the question that was announced is answered `cancelled`", async () => {
  const approver = { ask: async () => "once" as const };
  const hooks = [policy(() => askUser("Run it?"))];
  expect(await interrupted("● pre_approval_request", { steps: [SHELL], hooks, approver })).toEqual([
    "● pre_approval_request",
    "● post_approval_response",
    "● post_tool_call",
    ...COMMIT,
    ...ENDING,
  ]);
});

test("in subagent_start: what was announced has its end, and no model is asked", async () => {
  const options = {
    steps: [callTools([{ name: "agent", input: { subagent_type: "explorer", prompt: "look" } }])],
    subagents: { explorer: { description: "looks around" } },
  };
  expect(await interrupted("● subagent_start", options)).toEqual([
    "● subagent_start",
    "→ subagent_start explorer",
    "● agent_loop_stopped",
    "● on_session_end",
    "◆ onRunEnd watcher",
    "● subagent_stop",
    "→ subagent_stop explorer",
    "● post_tool_call",
    ...COMMIT,
    ...ENDING,
  ]);
});

test("what is interrupted before it is announced has neither a beginning nor an end", async () => {
  const rig = createRig({
    steps: [callTools([{ name: "agent", input: { subagent_type: "explorer", prompt: "look" } }])],
    subagents: { explorer: { description: "looks around" } },
    interruptAt: "→ tool_running agent",
  });
  await rig.run();
  expect(rig.log.only("● subagent")).toEqual([]);
});
