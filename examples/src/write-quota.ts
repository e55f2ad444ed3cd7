// A mod that lets so many files be written, and only in one folder. The count is kept with the session.
import { normalize } from "node:path/posix";

import { createHarness, getModState, setModState, type AgentMod, type Tool } from "@hookscope/harness";
import { callTools, createScriptedModel, reply } from "@hookscope/testing";

const MOD_ID = "write-quota";

function createWriteQuota(allowedRoot: string, maxWrites: number): AgentMod {
  // Of this round: beforeToolCall cannot return a state, so the count joins it where the round ends.
  let writes = 0;
  const written = (state: Parameters<typeof getModState>[0]["state"]): number =>
    getModState<{ readonly writes: number }>({ state, modId: MOD_ID })?.writes ?? 0;
  return {
    id: MOD_ID,
    beforeToolCall({ toolName, input, state }) {
      if (toolName !== "write_file") return undefined;
      const path = input["file_path"];
      if (typeof path !== "string" || !normalize(path).startsWith(allowedRoot)) {
        return { block: true, additionalContext: `Only files in ${allowedRoot} may be written.` };
      }
      if (written(state) + writes >= maxWrites) return { block: true, additionalContext: "No writes are left." };
      writes += 1;
      return undefined;
    },
    onTurnEnd({ state }) {
      if (writes === 0) return state;
      const value = { writes: written(state) + writes };
      writes = 0;
      return setModState({ state, modId: MOD_ID, value });
    },
    onRunEnd: ({ state, result }) => console.log(`${result.stopReason}: ${written(state)} written`),
  };
}

const writeFile: Tool = {
  name: "write_file",
  description: "Writes a file.",
  inputSchema: { type: "object", properties: { file_path: { type: "string" } }, required: ["file_path"] },
  execute: ({ input: { file_path: path } }) => `wrote ${path as string}`,
};

const paths = ["notes/a.md", "notes/../src/main.ts", "notes/b.md"];
const calls = paths.map((path) => callTools([{ name: "write_file", input: { file_path: path } }]));
const harness = createHarness({
  model: createScriptedModel({ steps: [...calls, reply("Done.")] }),
  tools: [writeFile],
  mods: [createWriteQuota("notes/", 1)],
});
harness.events.on("tool_completed", ({ result }) => console.log(result));
harness.events.on("tool_hook_blocked", ({ hookOutput }) => console.log(`blocked: ${hookOutput}`));
await harness.run({ userInput: "Write my notes." });
await harness.close();
