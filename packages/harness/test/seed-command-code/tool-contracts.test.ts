import { callTools, reply, type ScriptedStep } from "@hookscope/testing";
import { expect, test } from "vitest";

import { text, type AgentMod, type Tool, type ToolResultBlock } from "../../src/index.ts";
import { payloads } from "../support/events.ts";
import { createRig, tool, type Rig, type RigOptions } from "../support/rig.ts";

const CALL: ScriptedStep = callTools([{ name: "shell", input: { command: "ls" }, id: "c1" }]);
const BOTH: ScriptedStep = callTools(["shell", "read"].map((name) => ({ name, input: {} })));
const BROKEN: Tool = tool("shell", () => {
  throw new Error("no such file");
});

function rigWith(mods: readonly AgentMod[], options: RigOptions = {}): Rig {
  return createRig({
    steps: [CALL, reply("done")],
    tools: [tool("shell", "ran"), tool("read", "read")],
    watchMods: false,
    watch: [],
    mods,
    ...options,
  });
}

async function resultOf(rig: Rig): Promise<Pick<ToolResultBlock, "content" | "isError">> {
  const block = (await rig.run()).state.messages[2]?.content[0] as ToolResultBlock;
  return { content: block.content, isError: block.isError };
}

test("`beforeToolCall` fires per tool call, after the permission check passed, before execution", async () => {
  const rig = rigWith([{ id: "a", beforeToolCall: () => undefined }], {
    steps: [BOTH, reply("done")],
    permissions: { check: () => ({ decision: "allow" }) },
  });
  await rig.run();
  expect(rig.log.only("▶ check", "◆", "▶ shell", "▶ read")).toEqual([
    "▶ check shell",
    "▶ check read",
    "◆ beforeToolCall a",
    "▶ shell",
    "◆ beforeToolCall a",
    "▶ read",
  ]);
});

test("`beforeToolCall` is given toolCallId, toolName, input and state", async () => {
  let given: object = {};
  const rig = rigWith([{ id: "a", beforeToolCall: (params) => void (given = params) }]);
  await rig.run();
  expect(given).toEqual({
    toolCallId: "c1",
    toolName: "shell",
    input: { command: "ls" },
    state: expect.objectContaining({ messages: expect.any(Array), modState: {} }),
  });
});

test("`block: true` - the tool does not run", async () => {
  const rig = rigWith([{ id: "a", beforeToolCall: () => ({ block: true }) }]);
  await rig.run();
  expect(rig.log.only("▶ shell")).toEqual([]);
});

test("The core emits `tool_hook_blocked` with `hookOutput` = your `additionalContext` (or `'Blocked by a pre-tool hook.'`)", async () => {
  const outputs: (readonly object[])[] = [];
  for (const additionalContext of ["not that", undefined]) {
    const blocks = additionalContext === undefined ? { block: true } : { block: true, additionalContext };
    const rig = rigWith([{ id: "a", beforeToolCall: () => blocks }]);
    const { content } = await resultOf(rig);
    outputs.push([...payloads(rig.events, "tool_hook_blocked"), content]);
  }
  const call = { toolCallId: "c1", toolName: "shell" };
  expect(outputs).toEqual([
    [{ ...call, hookOutput: "not that" }, [text("not that")]],
    [{ ...call, hookOutput: "Blocked by a pre-tool hook." }, [text("Blocked by a pre-tool hook.")]],
  ]);
});

test("Later mods' `beforeToolCall` for this call do not run", async () => {
  const rig = rigWith([
    { id: "a", beforeToolCall: () => ({ block: true }) },
    { id: "b", beforeToolCall: () => undefined },
  ]);
  await rig.run();
  expect(rig.log.only("◆")).toEqual(["◆ beforeToolCall a"]);
});

test("No `tool_running`/`tool_completed`/`tool_errored` is emitted for a blocked call", async () => {
  const rig = rigWith([{ id: "a", beforeToolCall: () => ({ block: true }), afterToolCall: () => undefined }]);
  await rig.run();
  expect(rig.log.only("→ tool_", "◆")).toEqual([
    "→ tool_queued shell",
    "◆ beforeToolCall a",
    "→ tool_hook_blocked shell",
  ]);
});

test("`additionalContext` (without `block`) - collected across mods and appended as extra text blocks", async () => {
  const rig = rigWith([
    {
      id: "a",
      beforeToolCall: () => ({ additionalContext: "one" }),
      afterToolCall: () => ({ content: "replaced" }),
    },
    { id: "b", beforeToolCall: () => ({ additionalContext: "two" }) },
  ]);
  expect((await resultOf(rig)).content).toEqual([text("replaced"), text("one"), text("two")]);
});

test("`input` - **Chained across mods**: the next mod's `input` param is YOUR rewrite, not the original", async () => {
  const seen: unknown[] = [];
  const rig = rigWith([
    { id: "a", beforeToolCall: () => ({ input: { command: "ls -a" } }) },
    { id: "b", beforeToolCall: ({ input }) => void seen.push(input) },
  ]);
  await rig.run();
  expect(seen).toEqual([{ command: "ls -a" }]);
});

test("`terminate: true` - stops the run after this tool batch finishes. ANY-semantics", async () => {
  const rig = rigWith([{ id: "a", beforeToolCall: ({ toolName }) => ({ terminate: toolName === "shell" }) }], {
    steps: [BOTH],
  });
  const { stopReason } = await rig.run();
  expect([stopReason, rig.log.only("▶ shell", "▶ read")]).toEqual(["terminate", ["▶ shell", "▶ read"]]);
});

test("Combines with `block` on the same return value", async () => {
  const rig = rigWith([{ id: "a", beforeToolCall: () => ({ block: true, terminate: true }) }]);
  const { stopReason } = await rig.run();
  expect([stopReason, rig.log.only("▶ shell")]).toEqual(["terminate", []]);
});

test("`undefined` - no opinion", async () => {
  const rig = rigWith([{ id: "a", beforeToolCall: () => undefined, afterToolCall: () => undefined }]);
  expect(await resultOf(rig)).toEqual({ content: [text("ran")], isError: false });
});

test("`afterToolCall` fires per tool call after execution (also after an execution error - `result` is then the error text content)", async () => {
  const seen: unknown[] = [];
  const rig = rigWith([{ id: "a", afterToolCall: ({ result, isError }) => void seen.push([result, isError]) }], {
    steps: [BOTH, reply("done")],
    tools: [BROKEN, tool("read", "read")],
  });
  await rig.run();
  expect(seen).toEqual([
    ["no such file", true],
    ["read", false],
  ]);
});

test("`input` is the FINAL input the tool actually ran with (after any `beforeToolCall` rewrites)", async () => {
  const seen: unknown[] = [];
  const rig = rigWith([
    {
      id: "a",
      beforeToolCall: () => ({ input: { command: "ls -a" } }),
      afterToolCall: ({ input }) => void seen.push(input),
    },
  ]);
  await rig.run();
  expect(seen).toEqual([{ command: "ls -a" }]);
});

test("`isError` (param) - whether the tool's OWN execution failed, threaded across mods like `result`", async () => {
  const seen: unknown[] = [];
  const rig = rigWith(
    [
      {
        id: "a",
        afterToolCall: ({ isError }) => {
          seen.push(isError);
          return { isError: false };
        },
      },
      { id: "b", afterToolCall: ({ isError }) => void seen.push(isError) },
    ],
    { tools: [BROKEN] },
  );
  await rig.run();
  expect(seen).toEqual([true, false]);
});

test("`content` **replaces** the tool result the model will see (threaded mod→mod)", async () => {
  const adding = (id: string): AgentMod => ({ id, afterToolCall: ({ result }) => ({ content: `${result} ${id}` }) });
  expect((await resultOf(rigWith([adding("a"), adding("b")]))).content).toEqual([text("ran a b")]);
});

test("`terminate: true` ends the run with `stopReason: 'terminate'` **after the whole batch finishes**", async () => {
  const rig = rigWith([{ id: "a", afterToolCall: ({ toolName }) => ({ terminate: toolName === "shell" }) }], {
    steps: [BOTH],
  });
  const { stopReason } = await rig.run();
  expect([stopReason, rig.log.only("→ tool_completed")]).toEqual([
    "terminate",
    ["→ tool_completed shell", "→ tool_completed read"],
  ]);
});

test("`additionalContext` - appended as a SEPARATE text block after `content` (and after any `beforeToolCall` additionalContext)", async () => {
  const rig = rigWith([
    {
      id: "a",
      beforeToolCall: () => ({ additionalContext: "before" }),
      afterToolCall: () => ({ additionalContext: "after" }),
    },
  ]);
  expect((await resultOf(rig)).content).toEqual([text("ran"), text("before"), text("after")]);
});

test("`isError` - overrides whether the terminal event is `tool_completed` or `tool_errored`", async () => {
  const events: (readonly string[])[] = [];
  for (const [tools, isError] of [
    [[tool("shell", "ran")], true],
    [[BROKEN], false],
  ] as const) {
    const rig = rigWith([{ id: "a", afterToolCall: () => ({ isError }) }], { tools });
    await rig.run();
    events.push(rig.log.only("→ tool_completed", "→ tool_errored"));
  }
  expect(events).toEqual([["→ tool_errored shell"], ["→ tool_completed shell"]]);
});

test("`modState` - a full replace of that mod's slot, exactly like `setModState`", async () => {
  const values = [{ a: 1 }, { b: 2 }];
  const rig = rigWith([{ id: "a", afterToolCall: () => ({ modState: values.shift() ?? {} }) }], {
    steps: [BOTH, reply("done")],
  });
  expect((await rig.run()).state.modState).toEqual({ a: { b: 2 } });
});
