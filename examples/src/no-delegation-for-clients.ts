// A directive that stops agents of clients from delegating. The model is told why, and carries on without it.

import { createHarness } from "@hookscope/harness";
import { block, createHookBus, defineHook } from "@hookscope/hooks";
import { callTools, createScriptedModel, reply } from "@hookscope/testing";

const noDelegationForClients = defineHook({
  name: "no_delegation_for_clients",
  on: {
    pre_tool_call: ({ payload, turn }) => {
      const forClient = turn.tags.some(({ key }) => key === "client");
      return forClient && payload.tool_name === "agent" ? block("client agents work alone") : undefined;
    },
  },
});

const harness = createHarness({
  bus: createHookBus({ hooks: [noDelegationForClients] }),
  tags: [{ key: "client", value: "north" }],
  subagents: { researcher: { description: "Looks things up." } },
  model: createScriptedModel({
    steps: [
      callTools([{ name: "agent", input: { subagent_type: "researcher", prompt: "Find the release date." } }]),
      reply("I will look it up myself."),
    ],
  }),
});

harness.events.on("tool_hook_blocked", ({ toolName, hookOutput }) => console.log(`${toolName}: ${hookOutput}`));
const { finalText } = await harness.run({ userInput: "When was it released?" });
console.log(finalText);
await harness.close();
