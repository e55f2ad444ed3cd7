import { callTools, reply } from "@hookscope/testing";
import { expect, test } from "vitest";

import { type PermissionMode, type Permissions, type RunResult } from "../../src/index.ts";
import { createRig, tool, type Rig, type RigOptions } from "../support/rig.ts";

const CALL = callTools([{ name: "shell", input: { command: "ls" } }]);

function rigWith(permissions: Permissions, options: RigOptions = {}): Rig {
  return createRig({
    steps: [CALL, reply("done")],
    tools: [tool("shell")],
    watchMods: false,
    ...options,
    permissions,
  });
}

function resultText({ state }: RunResult): string | undefined {
  const block = state.messages[2]?.content[0];
  return block?.type === "tool_result" ? block.content[0]?.text : undefined;
}

test("a permission check that throws denies", async () => {
  const rig = rigWith({
    check: () => {
      throw new Error("no rules");
    },
  });
  const result = await rig.run();
  expect([result.stopReason, resultText(result)]).toEqual([
    "permission_denied",
    "permission denied: the check failed: no rules",
  ]);
});

test("a permission check that rejects denies", async () => {
  const result = await rigWith({ check: () => Promise.reject(new Error("no rules")) }).run();
  expect([result.stopReason, resultText(result)]).toEqual([
    "permission_denied",
    "permission denied: the check failed: no rules",
  ]);
});

test.for([undefined, null, true, "allow", {}, { decision: "yes" }])(
  "a permission check that answers nonsense denies: %j",
  async (answer) => {
    const result = await rigWith({ check: () => answer as never }).run();
    expect([result.stopReason, resultText(result)]).toEqual(["permission_denied", "permission denied"]);
  },
);

test("a permission check that hangs holds the turn only until it is interrupted", async () => {
  const rig = rigWith({ check: () => new Promise<never>(() => undefined) }, { interruptAt: "▶ check shell" });
  const result = await rig.run();
  expect([result.stopReason, resultText(result)]).toEqual(["interrupted", "Cancelled"]);
});

test("the check is given the call's name, its input, its description and the round's permission mode", async () => {
  const asked: unknown[] = [];
  await rigWith(
    {
      check: (request) => {
        asked.push(request);
        return { decision: "allow" };
      },
      generateDescription: async () => "lists files",
    },
    { permissionMode: () => "accept-edits" },
  ).run();
  expect(asked).toEqual([
    {
      toolName: "shell",
      input: { command: "ls" },
      description: "lists files",
      permissionMode: "accept-edits",
    },
  ]);
});

test("the permission mode is read once per round, and pinned for it", async () => {
  const modes: PermissionMode[] = ["default", "plan", "yolo"];
  const seen: unknown[] = [];
  let read = 0;
  const rig = rigWith(
    {
      check: ({ permissionMode }) => {
        seen.push(permissionMode);
        return { decision: "allow" };
      },
    },
    {
      steps: [callTools(["shell", "shell"].map((name) => ({ name, input: {} }))), CALL, reply("done")],
      permissionMode: () => modes[read++] ?? "default",
      systemPrompt: ({ permissionMode }) => {
        seen.push(`prompt ${permissionMode}`);
        return "";
      },
    },
  );
  await rig.run();
  expect(seen).toEqual(["prompt default", "default", "default", "prompt plan", "plan", "prompt yolo"]);
  expect(read).toBe(3);
});

test("a description goes with tool_running; slower than 5 s, failing or no text, it is null", async () => {
  const descriptions: unknown[] = [];
  const generators: (() => Promise<string | null>)[] = [
    async () => "lists files",
    () => new Promise<never>(() => undefined),
    () => Promise.reject(new Error("no")),
    async () => 5 as never,
  ];
  const rig = rigWith(
    {
      check: () => ({ decision: "allow" }),
      generateDescription: () => (generators.shift() as () => Promise<string | null>)(),
    },
    { steps: [CALL, CALL, CALL, CALL, reply("done")] },
  );
  rig.harness.events.on("tool_running", ({ description }) => void descriptions.push(description));
  const running = rig.run();
  await rig.clock.advance(4_999);
  expect(descriptions).toEqual(["lists files"]);
  await rig.clock.advance(1);
  await running;
  expect(descriptions).toEqual(["lists files", null, null, null]);
});

test("a description that is too late has its signal aborted", async () => {
  let aborted: AbortSignal | undefined;
  const rig = rigWith({
    check: () => ({ decision: "allow" }),
    generateDescription: ({ signal }) => {
      aborted = signal;
      return new Promise<never>(() => undefined);
    },
  });
  const running = rig.run();
  await rig.clock.advance(5_000);
  await running;
  expect(aborted?.aborted).toBe(true);
});
