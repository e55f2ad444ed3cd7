import { askUser, block, createHookBus, defineHook, modify, type Hook } from "@hookscope/hooks";
import { callTools, createScriptedModel, reply } from "@hookscope/testing";
import { describe, expect, test } from "vitest";

import { createHarness, definePlugin, text, textOf } from "../src/index.ts";
import { createRig, policy, tool, type Rig, type RigOptions } from "./support/rig.ts";

const CALL = callTools([{ name: "shell", input: { command: "ls" }, id: "c1" }]);

function rigWith(options: RigOptions): Rig {
  return createRig({
    steps: [CALL, reply("done")],
    tools: [tool("shell", "ran")],
    watchMods: false,
    watch: [],
    ...options,
  });
}

describe("What each directive can do", () => {
  test("pre_tool_call: Block stops the tool", async () => {
    const rig = rigWith({ hooks: [policy(() => block("no"))] });
    await rig.run();
    expect(rig.log.only("▶ shell")).toEqual([]);
  });

  test("pre_tool_call: AskUser asks for approval", async () => {
    const rig = rigWith({ hooks: [policy(() => askUser("Run it?"))], approver: { ask: async () => "once" } });
    await rig.run();
    expect(rig.log.only("▶ ask", "▶ shell")).toEqual(["▶ ask Run it?", "▶ shell"]);
  });

  test("pre_tool_call: Modify changes the arguments", async () => {
    const ran: unknown[] = [];
    const rig = rigWith({
      tools: [tool("shell", ({ input }) => String(ran.push(input)))],
      hooks: [policy(() => modify({ args: { command: "ls -l" } }))],
    });
    await rig.run();
    expect(ran).toEqual([{ command: "ls -l" }]);
  });

  test("pre_tool_call: It fails closed", async () => {
    const rig = rigWith({ hooks: [policy(() => new Promise<never>(() => undefined))] });
    const running = rig.run();
    await rig.clock.advance(59_999);
    expect(rig.log.only("→ tool_hook_blocked")).toEqual([]);
    await rig.clock.advance(1);
    await running;
    expect(rig.log.only("→ tool_hook_blocked", "▶ shell")).toEqual(["→ tool_hook_blocked shell"]);
  });

  test("The model gets `Blocked: client agents work alone` as the tool's result and carries on without it", async () => {
    const hook = defineHook({
      name: "no_delegation_for_clients",
      on: {
        pre_tool_call: ({ payload, turn }) => {
          const forClient = turn.tags.some(({ key }) => key === "client");
          return forClient && payload.tool_name === "agent" ? block("client agents work alone") : undefined;
        },
      },
    });
    const rig = rigWith({
      steps: [
        callTools([{ name: "agent", input: { subagent_type: "helper", prompt: "help" } }]),
        reply("I did it myself"),
      ],
      subagents: { helper: { description: "helps" } },
      tags: [{ key: "client", value: "one" }],
      hooks: [hook],
    });
    const { state, finalText } = await rig.run();
    expect([state.messages[2]?.content, finalText]).toMatchObject([
      [{ content: [text("Blocked: client agents work alone")], isError: true }],
      "I did it myself",
    ]);
  });
});

test("Register hooks on a HookBus when you embed, or with ctx.hook(...) from a plugin", async () => {
  const seen: string[] = [];
  const noting = (name: string): Hook => defineHook({ name, on: { post_llm_call: () => void seen.push(name) } });
  const harness = createHarness({
    model: createScriptedModel({ steps: [reply("hi")] }),
    bus: createHookBus({ hooks: [noting("embedded")] }),
    plugins: [definePlugin({ name: "plug", register: (ctx) => void ctx.hook(noting("plugged")) })],
  });
  const { state } = await harness.run({ userInput: "hello" });
  expect([seen, state.messages.map(({ content }) => textOf(content))]).toEqual([
    ["embedded", "plugged"],
    ["hello", "hi"],
  ]);
});
