import { callTools, reply, type ScriptedStep } from "@hookscope/testing";
import { expect, test } from "vitest";

import { text, type AgentMod, type ToolExecution } from "../../src/index.ts";
import { payloads } from "../support/events.ts";
import { createRig, tool, type Rig, type RigOptions } from "../support/rig.ts";

const CALL: ScriptedStep = callTools([{ name: "shell", input: { command: "ls" }, id: "c1" }]);
const BOTH: ScriptedStep = callTools(["shell", "read"].map((name) => ({ name, input: {} })));

function rigWith(options: RigOptions = {}): Rig {
  return createRig({
    steps: [CALL, reply("done")],
    tools: [tool("shell"), tool("read")],
    watchMods: false,
    watch: [],
    ...options,
  });
}

const rewriting = (id: string, command: string): AgentMod => ({ id, beforeToolCall: () => ({ input: { command } }) });

test("tool_queued {toolCallId, toolName, input} ← ALWAYS the original input", async () => {
  const rig = rigWith({ mods: [rewriting("a", "rm")] });
  await rig.run();
  expect(payloads(rig.events, "tool_queued")).toEqual([
    { toolCallId: "c1", toolName: "shell", input: { command: "ls" } },
  ]);
});

test("phase 1 - permissions (always sequential)", async () => {
  const order: string[] = [];
  const rig = rigWith({
    steps: [BOTH, reply("done")],
    toolExecution: "parallel",
    permissions: {
      check: async ({ toolName }) => {
        order.push(`${toolName} begins`);
        await Promise.resolve();
        order.push(`${toolName} ends`);
        return { decision: "allow" };
      },
    },
  });
  await rig.run();
  expect(order).toEqual(["shell begins", "shell ends", "read begins", "read ends"]);
});

test("permissions.generateDescription (5s timeout → null)", async () => {
  const rig = rigWith({
    permissions: {
      check: () => ({ decision: "allow" }),
      generateDescription: () => new Promise<never>(() => undefined),
    },
  });
  const running = rig.run();
  await rig.clock.advance(4_999);
  expect(rig.log.only("▶ check")).toEqual([]);
  await rig.clock.advance(1);
  await running;
  expect(payloads(rig.events, "tool_running")).toEqual([{ toolCallId: "c1", toolName: "shell", description: null }]);
});

test("permissions.check({toolName, input, description, permissionMode})", async () => {
  const asked: unknown[] = [];
  const rig = rigWith({
    permissionMode: () => "plan",
    permissions: {
      check: (request) => {
        asked.push(request);
        return { decision: "allow" };
      },
      generateDescription: async () => "lists files",
    },
  });
  await rig.run();
  expect(asked).toEqual([
    { toolName: "shell", input: { command: "ls" }, description: "lists files", permissionMode: "plan" },
  ]);
});

test("throw ⇒ deny (fail closed)", async () => {
  const rig = rigWith({
    permissions: {
      check: () => {
        throw new Error("no rules");
      },
    },
  });
  expect([(await rig.run()).stopReason, rig.log.only("→ tool_denied", "▶ shell")]).toEqual([
    "permission_denied",
    ["→ tool_denied shell"],
  ]);
});

test("deny → tool_denied; batch aborted: every call gets a tool_result", async () => {
  const rig = rigWith({
    steps: [BOTH],
    permissions: { check: ({ toolName }) => ({ decision: toolName === "read" ? "deny" : "allow" }) },
  });
  const { state } = await rig.run();
  expect(rig.log.only("→ tool_", "▶ shell", "▶ read")).toEqual([
    "→ tool_queued shell",
    "→ tool_queued read",
    "→ tool_denied read",
  ]);
  expect(state.messages[2]?.content).toMatchObject([
    { toolName: "shell", content: [text("Cancelled: another call of this batch was denied.")], isError: true },
    { toolName: "read", content: [text("permission denied")], isError: true },
  ]);
});

test("run stops with permission_denied AFTER the turn commits", async () => {
  const rig = rigWith({ permissions: { check: () => ({ decision: "deny" }) } });
  await rig.run();
  expect(rig.log.from("→ turn_end 1")).toEqual(["→ turn_end 1", "■ commit", "→ run_end permission_denied"]);
});

test("phase 2 - execution (sequential, or parallel when config.toolExecution='parallel')", async () => {
  for (const [toolExecution, log] of [
    ["sequential", ["▶ shell", "→ tool_completed shell", "▶ read", "→ tool_completed read"]],
    ["parallel", ["▶ shell", "▶ read", "→ tool_completed shell", "→ tool_completed read"]],
  ] as const) {
    const rig = rigWith({ steps: [BOTH, reply("done")], toolExecution });
    await rig.run();
    expect(rig.log.only("▶ shell", "▶ read", "→ tool_completed")).toEqual(log);
  }
});

test("beforeToolCall: `input` rewrites CHAIN mod→mod; execution uses the LAST mod's input", async () => {
  const seen: unknown[] = [];
  const noting = (id: string, command: string): AgentMod => ({
    id,
    beforeToolCall: ({ input }) => {
      seen.push(input["command"]);
      return { input: { command } };
    },
  });
  const rig = rigWith({
    tools: [
      tool("shell", ({ input }) => {
        seen.push(input["command"]);
        return "ran";
      }),
    ],
    mods: [noting("a", "ls -a"), noting("b", "ls -b")],
  });
  await rig.run();
  expect(seen).toEqual(["ls", "ls -a", "ls -b"]);
});

test("block ⇒ tool_hook_blocked {hookOutput}; NO tool_running / tool_completed / tool_errored fires", async () => {
  const rig = rigWith({ mods: [{ id: "guard", beforeToolCall: () => ({ block: true, additionalContext: "no" }) }] });
  const { state } = await rig.run();
  expect(payloads(rig.events, "tool_hook_blocked")).toEqual([
    { toolCallId: "c1", toolName: "shell", hookOutput: "no" },
  ]);
  expect(rig.log.only("→ tool_")).toEqual(["→ tool_queued shell", "→ tool_hook_blocked shell"]);
  expect(state.messages[2]?.content).toMatchObject([{ content: [text("no")] }]);
});

test("tool_running {toolCallId, toolName, description}", async () => {
  const rig = rigWith({
    permissions: { check: () => ({ decision: "allow" }), generateDescription: async () => "lists files" },
  });
  await rig.run();
  expect(payloads(rig.events, "tool_running")).toEqual([
    { toolCallId: "c1", toolName: "shell", description: "lists files" },
  ]);
});

test("toolRunner.execute({toolName, input: <possibly rewritten>, signal, onUpdate})", async () => {
  let given: ToolExecution | undefined;
  const rig = rigWith({
    tools: [
      tool("shell", (execution) => {
        given = execution;
        execution.onUpdate("half");
        return "ran";
      }),
    ],
    mods: [rewriting("a", "ls -a")],
  });
  await rig.run();
  expect([given?.toolName, given?.input, given?.signal instanceof AbortSignal]).toEqual([
    "shell",
    { command: "ls -a" },
    true,
  ]);
  expect(payloads(rig.events, "tool_update")).toEqual([{ toolCallId: "c1", toolName: "shell", partial: "half" }]);
});

test("afterToolCall (each mod, in order; sees current content, may replace it, …)", async () => {
  const seen: string[] = [];
  const adding = (id: string): AgentMod => ({
    id,
    afterToolCall: ({ result }) => {
      seen.push(result);
      return { content: `${result} ${id}` };
    },
  });
  const rig = rigWith({ tools: [tool("shell", "ran")], mods: [adding("a"), adding("b")] });
  const { state } = await rig.run();
  expect([...seen, state.messages[2]?.content]).toMatchObject(["ran", "ran a", [{ content: [text("ran a b")] }]]);
});

test("beforeToolCall additionalContext strings appended to the final content", async () => {
  const rig = rigWith({
    tools: [tool("shell", "ran")],
    mods: [
      {
        id: "a",
        beforeToolCall: () => ({ additionalContext: "noted before" }),
        afterToolCall: () => ({ content: "replaced" }),
      },
    ],
  });
  const { state } = await rig.run();
  expect(state.messages[2]?.content).toMatchObject([{ content: [text("replaced"), text("noted before")] }]);
});

test("tool_completed {result} (or → tool_errored {error})", async () => {
  const rig = rigWith({
    steps: [BOTH, reply("done")],
    tools: [
      tool("shell", "ran"),
      tool("read", () => {
        throw new Error("no such file");
      }),
    ],
  });
  await rig.run();
  expect([payloads(rig.events, "tool_completed"), payloads(rig.events, "tool_errored")]).toEqual([
    [{ toolCallId: "call_1_1", toolName: "shell", result: "ran" }],
    [{ toolCallId: "call_1_2", toolName: "read", error: "no such file" }],
  ]);
});
