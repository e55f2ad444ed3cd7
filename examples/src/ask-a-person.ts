// A hook that asks before anything is deleted, and an approver that answers. At a terminal, use createTerminalApprover.

import { createHarness, type Approver, type Tool } from "@hookscope/harness";
import { askUser, createHookBus, defineHook } from "@hookscope/hooks";
import { callTools, createScriptedModel, reply } from "@hookscope/testing";

const askBeforeDeleting = defineHook({
  name: "ask_before_deleting",
  on: {
    pre_tool_call: ({ payload }) =>
      payload.tool_name === "delete_record"
        ? askUser(`Delete record ${JSON.stringify(payload.args["id"])}?`)
        : undefined,
  },
});

const cautiousPerson: Approver = {
  async ask({ question, args }) {
    console.log(`asked: ${question}`);
    return args["id"] === 7 ? "once" : "deny";
  },
};

const deleteRecord: Tool = {
  name: "delete_record",
  description: "Deletes a record.",
  risk: "high",
  inputSchema: { type: "object", properties: { id: { type: "integer" } }, required: ["id"] },
  execute: ({ input }) => `record ${String(input["id"])} deleted`,
};

const harness = createHarness({
  bus: createHookBus({ hooks: [askBeforeDeleting] }),
  approver: cautiousPerson,
  tools: [deleteRecord],
  model: createScriptedModel({
    steps: [
      callTools([
        { name: "delete_record", input: { id: 7 } },
        { name: "delete_record", input: { id: 8 } },
      ]),
      reply("Record 7 is gone, record 8 stays."),
    ],
  }),
});

harness.events.on("tool_completed", ({ result }) => console.log(`completed: ${result}`));
harness.events.on("tool_hook_blocked", ({ hookOutput }) => console.log(`blocked: ${hookOutput}`));
const { finalText } = await harness.run({ userInput: "Clean up records 7 and 8." });
console.log(finalText);
await harness.close();
