// Callbacks written for Hermes, with its names and its way of answering, as a hook of a plugin.

import { createHarness, definePlugin, fromHermes, type Tool } from "@hookscope/harness";
import { callTools, createScriptedModel, reply } from "@hookscope/testing";

const guard = fromHermes(
  "terminal_guard",
  {
    pre_llm_call: () => ({ context: "The disk is nearly full." }),
    pre_tool_call: ({ tool_name, args }) => {
      const { command } = args as { command?: string };
      if (tool_name !== "terminal" || command === undefined) return null;
      if (command.includes("rm -rf")) return { action: "block", message: "deleting folders is not allowed" };
      return { action: "modify", args: { command: `nice ${command}` } };
    },
  },
  { toolNames: { terminal: "shell" } },
);

const shell: Tool = {
  name: "shell",
  description: "Runs a command.",
  inputSchema: { type: "object", properties: { command: { type: "string" } }, required: ["command"] },
  execute: ({ input }) => `ran: ${String(input["command"])}`,
};

const harness = createHarness({
  plugins: [definePlugin({ name: "ops", register: (ctx) => ctx.hook(guard) })],
  tools: [shell],
  model: createScriptedModel({
    steps: [
      callTools([
        { name: "shell", input: { command: "rm -rf build" } },
        { name: "shell", input: { command: "make" } },
      ]),
      reply("Built."),
    ],
  }),
});

harness.events.on("tool_completed", ({ result }) => console.log(result));
harness.events.on("tool_hook_blocked", ({ hookOutput }) => console.log(hookOutput));
const { finalText } = await harness.run({ userInput: "Build it anew." });
console.log(finalText);
await harness.close();
