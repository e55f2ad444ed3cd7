// An observer that prints each model call's token usage.

import { createHarness } from "@hookscope/harness";
import { createHookBus, defineHook } from "@hookscope/hooks";
import { createScriptedModel, reply } from "@hookscope/testing";

const usage = defineHook({
  name: "usage",
  on: {
    post_api_request: ({ payload }) => {
      console.log(`${payload.model}: ${payload.usage.input_tokens} in, ${payload.usage.output_tokens} out`);
    },
  },
});

const harness = createHarness({
  bus: createHookBus({ hooks: [usage] }),
  model: createScriptedModel({ steps: [reply("Good morning."), reply("It is Monday.")] }),
});

const first = await harness.run({ userInput: "Hello" });
const second = await harness.run({ state: first.state, userInput: "What day is it?" });
console.log(second.finalText);
await harness.close();
