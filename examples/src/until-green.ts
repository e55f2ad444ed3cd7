// A mod that keeps a turn going until the model says that the tests pass.
import { createHarness, type AgentMod } from "@hookscope/harness";
import { createScriptedModel, reply } from "@hookscope/testing";

const untilGreen: AgentMod = {
  id: "until-green",
  onStop({ lastAssistantText }) {
    if (/all tests pass/iu.test(lastAssistantText)) return undefined;
    return { continue: true, reason: "The tests are not green yet." };
  },
};

const model = createScriptedModel({
  steps: [reply("I changed the parser."), reply("I changed it again."), reply("All tests pass.")],
});
const harness = createHarness({ model, mods: [untilGreen] });
harness.bus.subscribe(({ point, hook, decision, applied }) =>
  console.log(`${point} ${hook}: ${decision}, applied: ${applied}`),
);

const { finalText, turnCount } = await harness.run({ userInput: "Make the tests pass." });
await harness.close();

console.log(`${turnCount} rounds: ${finalText}`);
