import { callTools, reply } from "@hookscope/testing";
import { expect, test } from "vitest";

import {
  getModState,
  setModState,
  textOf,
  type AgentMod,
  type AgentState,
  type ToolResultBlock,
} from "../../src/index.ts";
import { createRig, tool } from "../support/rig.ts";

interface WriteQuotaState {
  readonly writesThisSession: number;
}

/** Blocks writes outside a folder and past a number, counts them durably, and reports when the run ends. */
function createWriteQuotaMod(options: {
  readonly allowedRoot: string;
  readonly maxWrites: number;
  readonly report: (summary: string) => void;
}): AgentMod {
  const id = "write-quota";
  const written = (state: AgentState): number =>
    getModState<WriteQuotaState>({ state, modId: id })?.writesThisSession ?? 0;
  let writesThisTurn = 0;
  return {
    id,
    beforeToolCall: async ({ toolName, input, state }) => {
      if (toolName !== "write_file") return undefined;
      const path = typeof input["file_path"] === "string" ? input["file_path"] : "";
      if (!path.startsWith(options.allowedRoot)) {
        return { block: true, additionalContext: `Writes outside ${options.allowedRoot} are not allowed.` };
      }
      if (written(state) + writesThisTurn >= options.maxWrites) {
        return { block: true, additionalContext: "Write quota exhausted for this session." };
      }
      writesThisTurn += 1;
      return undefined;
    },
    onTurnEnd: async ({ state }) => {
      if (writesThisTurn === 0) return state;
      const next = setModState({ state, modId: id, value: { writesThisSession: written(state) + writesThisTurn } });
      writesThisTurn = 0;
      return next;
    },
    onRunEnd: async ({ state, result }) => {
      options.report(
        `run stopped (${result.stopReason}) after ${result.turnCount} turns; ${written(state)} writes used`,
      );
    },
  };
}

const write = (file_path: string): ReturnType<typeof callTools> =>
  callTools([{ name: "write_file", input: { file_path } }]);

test("the page's worked example, a write-quota mod, does what it says", async () => {
  const reports: string[] = [];
  const mod = createWriteQuotaMod({
    allowedRoot: "/project",
    maxWrites: 2,
    report: (summary) => void reports.push(summary),
  });
  const rig = createRig({
    steps: [write("/etc/passwd"), write("/project/a"), write("/project/b"), write("/project/c"), reply("done")],
    tools: [tool("write_file", "written")],
    mods: [mod],
  });
  const { state } = await rig.run();
  const results = state.messages.flatMap(({ content }) =>
    content.filter((block): block is ToolResultBlock => block.type === "tool_result"),
  );
  expect(results.map(({ content }) => textOf(content))).toEqual([
    "Writes outside /project are not allowed.",
    "written",
    "written",
    "Write quota exhausted for this session.",
  ]);
  expect(reports).toEqual(["run stopped (end_turn) after 5 turns; 2 writes used"]);
  expect(state.modState).toEqual({ "write-quota": { writesThisSession: 2 } });
});
