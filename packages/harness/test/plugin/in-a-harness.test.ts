import { defineHook, createHookBus } from "@hookscope/hooks";
import { callTools, createScriptedModel, reply } from "@hookscope/testing";
import { expect, test } from "vitest";

import { createHarness, definePlugin, HarnessError } from "../../src/index.ts";

test("a plugin's hook, mod, listener and tool take part in a turn, under its name", async () => {
  const log: string[] = [];
  const plugin = definePlugin({
    name: "greeter",
    register(context) {
      context.hook(
        defineHook({
          name: "watch",
          on: { pre_tool_call: ({ payload }) => void log.push(`hook ${payload.tool_name}`) },
        }),
      );
      context.hooks({ onRunEnd: () => void log.push("mod onRunEnd") });
      context.on("tool_completed", ({ result }) => log.push(`event ${result}`));
      context.addTool({ name: "greet", description: "", inputSchema: { type: "object" }, execute: () => "hello" });
    },
  });
  const model = createScriptedModel({ steps: [callTools([{ id: "1", name: "greet", input: {} }]), reply("done")] });
  const harness = createHarness({ model, plugins: [plugin] });
  const invocations: unknown[] = [];
  harness.bus.subscribe(({ point, hook, source }) => invocations.push([point, hook, source]));
  await harness.run({ userInput: "go" });
  expect(log).toEqual(["hook greet", "event hello", "mod onRunEnd"]);
  expect(harness.bus.list().map(({ point, hook, source }) => [point, hook, source])).toEqual([
    ["pre_tool_call", "watch", "greeter"],
  ]);
  expect(invocations[0]).toEqual(["pre_tool_call", "watch", "greeter"]);
  await harness.close();
});

test("a plugin that fails leaves nothing on the bus, and no harness", () => {
  const bus = createHookBus();
  const broken = definePlugin({
    name: "broken",
    register(context) {
      context.hook(defineHook({ name: "half", on: { on_session_end: () => undefined } }));
      throw new Error("no key");
    },
  });
  expect(() => createHarness({ model: createScriptedModel({}), bus, plugins: [broken] })).toThrow(
    new HarnessError("PLUGIN_INVALID", 'plugin "broken" failed to register: no key.'),
  );
  expect(bus.list()).toEqual([]);
});
