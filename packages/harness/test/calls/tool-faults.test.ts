import { block, defineHook, type PostToolCallPayload } from "@hookscope/hooks";
import { callTools, reply } from "@hookscope/testing";
import { expect, test } from "vitest";

import type { Tool, ToolExecution } from "../../src/index.ts";
import { createRig, policy, tool, type Rig } from "../support/rig.ts";

interface Ran {
  readonly rig: Rig;
  readonly result: string | undefined;
  readonly isError: boolean | undefined;
  readonly report: PostToolCallPayload | undefined;
}

async function runTool(execute: Tool["execute"], options: Parameters<typeof createRig>[0] = {}): Promise<Ran> {
  let report: PostToolCallPayload | undefined;
  const rig = createRig({
    steps: [callTools([{ name: "shell", input: { list: [1] } }]), reply("done")],
    tools: [tool("shell", execute)],
    watchMods: false,
    ...options,
    hooks: [
      ...(options.hooks ?? []),
      defineHook({ name: "audit", on: { post_tool_call: ({ payload }) => void (report = payload) } }),
    ],
  });
  const { state } = await rig.run();
  const first = state.messages[2]?.content[0];
  const found = first?.type === "tool_result" ? first : undefined;
  return { rig, result: found?.content[0]?.text, isError: found?.isError, report };
}

test.for([
  ["an Error", new RangeError("too far"), "too far", "RangeError"],
  ["a text", "just no", "just no", "unknown"],
  ["undefined", undefined, "undefined", "unknown"],
  ["what no text can be made of", Object.create(null), "something that cannot be read was thrown", "unknown"],
  ["what cannot be read", unreadable(), "something that cannot be read was thrown", "unknown"],
] as const)("a tool that throws %s is a failed call with its message", async ([, thrown, message, type]) => {
  const { rig, result, isError, report } = await runTool(() => {
    throw thrown;
  });
  expect([result, isError, report?.status, report?.error_type]).toEqual([message, true, "error", type]);
  expect(rig.log.only("→ tool_")).toEqual(["→ tool_queued shell", "→ tool_running shell", "→ tool_errored shell"]);
});

test.for([undefined, null, 5, {}, { content: 5 }, ["text"]])(
  "a tool that gives back garbage is a failed call, and the model is told: %j",
  async (garbage) => {
    const { result, isError } = await runTool(() => garbage as never);
    expect([result, isError]).toEqual(["the tool gave back nothing that can be read", true]);
  },
);

test("a tool that says it failed is a failed call with its own content", async () => {
  const { result, isError, report } = await runTool(() => ({ content: "exit code 1", isError: true }));
  expect([result, isError, report?.error_type]).toEqual(["exit code 1", true, "tool_error"]);
});

test("a tool has its own mutable copy of the input: hooks and log keep what it was", async () => {
  const { report, rig } = await runTool(({ input }) => {
    (input["list"] as number[]).push(2);
    return "changed";
  });
  expect(report?.args).toEqual({ list: [1] });
  expect(rig.model.requests[1]?.messages[1]?.content).toEqual([
    { type: "tool_use", id: "call_1_1", name: "shell", input: { list: [1] } },
  ]);
});

test("a tool is given its call, the turn and the folder it works in", async () => {
  let given: ToolExecution | undefined;
  await runTool(
    (execution) => {
      given = execution;
      return "ok";
    },
    { cwd: "/somewhere", agent: "reviewer" },
  );
  expect([given?.toolCallId, given?.toolName, given?.cwd, given?.turn.agent, given?.signal.aborted]).toEqual([
    "call_1_1",
    "shell",
    "/somewhere",
    "reviewer",
    false,
  ]);
});

test("progress that comes after the call was cut short is dropped", async () => {
  let late: ((partial: string) => void) | undefined;
  const { rig } = await runTool(
    (execution) => {
      execution.onUpdate("early");
      late = (partial) => execution.onUpdate(partial);
      return new Promise<never>(() => undefined);
    },
    { interruptAt: "→ tool_update shell" },
  );
  late?.("late");
  expect(rig.log.only("→ tool_")).toEqual(["→ tool_queued shell", "→ tool_running shell", "→ tool_update shell"]);
});

test("a tool that promises to end on an interrupt is waited for, so that what it did is told within the turn", async () => {
  const log: string[] = [];
  const { promise: ended, resolve: end } = Promise.withResolvers<string>();
  const rig = createRig({
    steps: [callTools([{ name: "shell", input: {} }])],
    tools: [tool("shell", () => ended.finally(() => log.push("ended")), { endsOnInterrupt: true })],
    interruptAt: "▶ shell",
    hooks: [defineHook({ name: "audit", on: { post_tool_call: ({ payload }) => void log.push(payload.status) } })],
  });
  const running = rig.run();
  await rig.clock.advance(59_999);
  expect(log).toEqual([]);
  end("late");
  expect((await running).stopReason).toBe("interrupted");
  expect(log).toEqual(["ended", "cancelled"]);
});

test("a tool that breaks that promise is left behind after a minute, its progress dropped", async () => {
  let late: ((partial: string) => void) | undefined;
  const rig = createRig({
    steps: [callTools([{ name: "shell", input: {} }])],
    tools: [
      tool(
        "shell",
        (execution) => {
          late = (partial) => execution.onUpdate(partial);
          execution.onUpdate("early");
          return new Promise<never>(() => undefined);
        },
        { endsOnInterrupt: true },
      ),
    ],
    interruptAt: "→ tool_update shell",
  });
  const running = rig.run();
  await rig.clock.advance(60_000);
  expect((await running).stopReason).toBe("interrupted");
  late?.("late");
  expect(rig.log.only("→ tool_")).toEqual(["→ tool_queued shell", "→ tool_running shell", "→ tool_update shell"]);
});

test("what is interrupted before it begins is not begun, whatever it promises", async () => {
  const rig = createRig({
    steps: [callTools([{ name: "shell", input: {} }])],
    tools: [tool("shell", "done", { endsOnInterrupt: true })],
    interruptAt: "→ tool_running shell",
  });
  expect((await rig.run()).stopReason).toBe("interrupted");
  expect(rig.log.only("▶ shell")).toEqual([]);
});

test("the time of a tool that an interrupt cut short is told", async () => {
  const controller = new AbortController();
  let report: PostToolCallPayload | undefined;
  const rig = createRig({
    steps: [callTools([{ name: "shell", input: {} }])],
    tools: [tool("shell", () => new Promise<never>(() => undefined))],
    hooks: [defineHook({ name: "audit", on: { post_tool_call: ({ payload }) => void (report = payload) } })],
  });
  const running = rig.harness.run({ userInput: "hello", signal: controller.signal });
  await rig.clock.advance(250);
  controller.abort();
  await running;
  expect([report?.status, report?.duration_ms]).toEqual(["cancelled", 250]);
});

test("post_tool_call is told how long the call waited for hooks", async () => {
  let report: PostToolCallPayload | undefined;
  const rig = createRig({
    steps: [callTools([{ name: "shell", input: {} }]), reply("done")],
    tools: [tool("shell")],
    hooks: [
      policy(
        () =>
          new Promise((resolve) => {
            rig.clock.setTimer(() => resolve(block("slow")), 40);
          }),
      ),
      defineHook({ name: "audit", on: { post_tool_call: ({ payload }) => void (report = payload) } }),
    ],
  });
  const running = rig.run();
  await rig.clock.advance(40);
  await running;
  expect([report?.hook_wait_ms, report?.duration_ms]).toEqual([40, 0]);
});

function unreadable(): unknown {
  const refuse = (): never => {
    throw new Error("not readable");
  };
  return new Proxy({}, { get: refuse, getPrototypeOf: refuse });
}
