// A mod that keeps a count in the session: it survives the process, and the model never sees it.
import { createHarness, createMemorySessionStore, type AgentMod } from "@hookscope/harness";
import { createScriptedModel, reply } from "@hookscope/testing";

const COUNT = "turn-counter/count";

const turnCounter: AgentMod = {
  id: "turn-counter",
  onTurnStart({ state }, ctx) {
    if (ctx?.session === undefined) return state;
    const before = ctx.session.getCustomEntries({ customType: COUNT }).length;
    ctx.session.appendCustomEntry({ customType: COUNT, data: { count: before + 1 } });
    return state;
  },
};

const store = createMemorySessionStore();
const session = await store.create();

for (const answer of ["One.", "Two."]) {
  // A harness of its own each time, as in two processes that resume one session.
  const harness = createHarness({
    model: createScriptedModel({ steps: [reply(answer)] }),
    mods: [turnCounter],
    session,
  });
  await harness.run({ userInput: "Count." });
  await harness.close();
}

for (const entry of session.branchEntries()) {
  console.log(entry.type === "custom" ? `${entry.customType}: ${JSON.stringify(entry.data)}` : entry.type);
}
await store.close();
