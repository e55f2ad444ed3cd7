// A transform that takes mail addresses out of what a tool found, before the model sees it.

import { createHarness, type Tool } from "@hookscope/harness";
import { createHookBus, defineHook, modify } from "@hookscope/hooks";
import { callTools, createScriptedModel, reply } from "@hookscope/testing";

const hideAddresses = defineHook({
  name: "hide_addresses",
  on: {
    transform_tool_result: ({ payload }) => {
      const hidden = payload.result.replaceAll(/[^\s,;<>@]+@[^\s,;<>@]+/g, "(address hidden)");
      return hidden === payload.result ? undefined : modify(hidden);
    },
  },
});

const findContact: Tool = {
  name: "find_contact",
  description: "Finds a contact.",
  inputSchema: { type: "object", properties: { name: { type: "string" } }, required: ["name"] },
  execute: ({ input }) => `${String(input["name"])}, support@example.org, room 12`,
};

const model = createScriptedModel({
  steps: [callTools([{ name: "find_contact", input: { name: "Support" } }]), reply("Support sits in room 12.")],
});
const bus = createHookBus({ hooks: [hideAddresses] });
const harness = createHarness({ bus, model, tools: [findContact] });

harness.events.on("tool_completed", ({ result }) => console.log(`the model sees: ${result}`));
bus.subscribe(({ hook, decision, applied }) => console.log(`${hook}: ${decision}, applied: ${applied}`));
const { finalText } = await harness.run({ userInput: "Where is support?" });
console.log(finalText);
await harness.close();
