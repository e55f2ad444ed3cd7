import { askUser, block, modify } from "@hookscope/hooks";
import { callTools, reply } from "@hookscope/testing";
import { expect, test } from "vitest";

import { createRig, policy, tool, type RigOptions } from "../support/rig.ts";

async function toolPart(options: RigOptions): Promise<readonly string[]> {
  const rig = createRig({
    steps: [callTools([{ name: "shell", input: { command: "ls" } }]), reply("done")],
    tools: [tool("shell")],
    ...options,
  });
  await rig.run();
  return rig.log.between("→ tool_queued shell", "→ turn_end 1");
}

test("a call a mod blocks: later mods, the bus and the tool are not reached", async () => {
  const guard = { id: "guard", beforeToolCall: () => ({ block: true, additionalContext: "not that" }) };
  const after = { id: "after", beforeToolCall: () => undefined };
  expect(await toolPart({ mods: [guard, after] })).toEqual([
    "→ tool_queued shell",
    "◆ beforeToolCall watcher",
    "◆ beforeToolCall guard",
    "● post_tool_call",
    "→ tool_hook_blocked shell",
    "◆ onTurnEnd watcher",
    "→ turn_end 1",
  ]);
});

test("a call a bus hook blocks: every hook of the point still runs, the tool does not", async () => {
  const hooks = [policy(() => block("no")), policy(() => undefined, "later")];
  expect(await toolPart({ hooks })).toEqual([
    "→ tool_queued shell",
    "◆ beforeToolCall watcher",
    "● pre_tool_call",
    "● pre_tool_call policy",
    "● pre_tool_call later",
    "● post_tool_call",
    "→ tool_hook_blocked shell",
    "◆ onTurnEnd watcher",
    "→ turn_end 1",
  ]);
});

test("a call whose bus hook fails is blocked in the same places", async () => {
  const broken = policy(() => {
    throw new Error("broken");
  });
  expect(await toolPart({ hooks: [broken] })).toEqual([
    "→ tool_queued shell",
    "◆ beforeToolCall watcher",
    "● pre_tool_call",
    "● pre_tool_call policy",
    "● post_tool_call",
    "→ tool_hook_blocked shell",
    "◆ onTurnEnd watcher",
    "→ turn_end 1",
  ]);
});

test("a call a person denies: asked between the two approval points, then blocked", async () => {
  const options = { hooks: [policy(() => askUser("Run it?"))], approver: { ask: async () => "deny" as const } };
  expect(await toolPart(options)).toEqual([
    "→ tool_queued shell",
    "◆ beforeToolCall watcher",
    "● pre_tool_call",
    "● pre_tool_call policy",
    "● pre_approval_request",
    "▶ ask Run it?",
    "● post_approval_response",
    "● post_tool_call",
    "→ tool_hook_blocked shell",
    "◆ onTurnEnd watcher",
    "→ turn_end 1",
  ]);
});

test("a call a person approves runs after the answer", async () => {
  const options = { hooks: [policy(() => askUser("Run it?"))], approver: { ask: async () => "once" as const } };
  expect(await toolPart(options)).toEqual([
    "→ tool_queued shell",
    "◆ beforeToolCall watcher",
    "● pre_tool_call",
    "● pre_tool_call policy",
    "● pre_approval_request",
    "▶ ask Run it?",
    "● post_approval_response",
    "→ tool_running shell",
    "▶ shell",
    "◆ afterToolCall watcher",
    "● post_tool_call",
    "● transform_tool_result",
    "→ tool_completed shell",
    "◆ onTurnEnd watcher",
    "→ turn_end 1",
  ]);
});

test("a call refused after a rewrite: denied before a person is asked, and the run goes on", async () => {
  const hooks = [policy(() => modify({ args: { command: "rm" } }), "rewriter"), policy(() => askUser("Run it?"))];
  const permissions = {
    check: ({ input }: { input: { command?: unknown } }) =>
      input.command === "rm" ? ({ decision: "deny", reason: "no rm" } as const) : ({ decision: "allow" } as const),
  };
  expect(await toolPart({ hooks, permissions, approver: { ask: async () => "once" } })).toEqual([
    "→ tool_queued shell",
    "▶ check shell",
    "◆ beforeToolCall watcher",
    "● pre_tool_call",
    "● pre_tool_call rewriter",
    "● pre_tool_call policy",
    "▶ check shell",
    "● post_tool_call",
    "→ tool_denied shell",
    "◆ onTurnEnd watcher",
    "→ turn_end 1",
  ]);
});

test("a denied batch: the denied call and its siblings end in order, and the run stops after the commit", async () => {
  const names = ["read", "shell", "write"];
  const rig = createRig({
    steps: [callTools(names.map((name) => ({ name, input: {} })))],
    tools: names.map((name) => tool(name)),
    permissions: { check: ({ toolName }) => ({ decision: toolName === "shell" ? "deny" : "allow" }) },
  });
  await rig.run();
  expect(rig.log.from("→ tool_queued read")).toEqual([
    "→ tool_queued read",
    "→ tool_queued shell",
    "→ tool_queued write",
    "▶ check read",
    "▶ check shell",
    "● post_tool_call",
    "● post_tool_call",
    "→ tool_denied shell",
    "● post_tool_call",
    "◆ onTurnEnd watcher",
    "→ turn_end 1",
    "■ commit",
    "● on_session_end",
    "◆ onRunEnd watcher",
    "→ run_end permission_denied",
  ]);
});

test("a terminated batch: every call of it still runs, then the run stops as a completed turn", async () => {
  const rig = createRig({
    steps: [callTools(["read", "shell"].map((name) => ({ name, input: {} })))],
    tools: [tool("read"), tool("shell")],
    mods: [{ id: "ender", beforeToolCall: ({ toolName }) => ({ terminate: toolName === "read" }) }],
  });
  await rig.run();
  expect(rig.log.from("→ tool_queued read")).toEqual([
    "→ tool_queued read",
    "→ tool_queued shell",
    "◆ beforeToolCall watcher",
    "◆ beforeToolCall ender",
    "● pre_tool_call",
    "→ tool_running read",
    "▶ read",
    "◆ afterToolCall watcher",
    "● post_tool_call",
    "● transform_tool_result",
    "→ tool_completed read",
    "◆ beforeToolCall watcher",
    "◆ beforeToolCall ender",
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
    "● post_llm_call",
    "● on_session_end",
    "◆ onRunEnd watcher",
    "→ run_end terminate",
  ]);
});
