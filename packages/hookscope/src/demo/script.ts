import type { ModelClient } from "@hookscope/harness";
import type { Clock } from "@hookscope/hooks";
import { callTools, createScriptedModel, failWith, reply } from "@hookscope/testing";

/** What the person asks for. */
export const MESSAGE = "The nightly report is off by a few coins. Please find out why, fix it, and note it down.";

const MODEL = "scripted-model";
/** Milliseconds before each piece that is streamed. */
const DELAY_MS = 25;

/** The words and tool calls of the model, so that the demo needs no key: the tools and the hooks are real. */
export function createMaintainerModel(clock: Clock): ModelClient {
  return createScriptedModel({
    model: MODEL,
    clock,
    delayMs: DELAY_MS,
    steps: [
      failWith({ statusCode: 503, retryable: true, type: "overloaded", message: "the model is busy, try again" }),
      callTools(
        [
          { name: "read_file", input: { file_path: "src/report.js" } },
          { name: "read_file", input: { file_path: "logs/nightly.log" } },
        ],
        { text: "I will look at the report and at last night's log." },
      ),
      callTools([{ name: "shell", input: { command: "rm -rf build ../archive" } }], {
        text: "First I clear away the old builds.",
      }),
      callTools(
        [
          {
            name: "edit_file",
            input: { file_path: "src/report.js", old_text: "parseInt(amount, 10)", new_text: "Number(amount)" },
          },
          {
            name: "write_file",
            input: {
              file_path: "CHANGELOG.md",
              content: "# Changes\n\n- The report no longer drops the cents.\n- The nightly job writes a log.\n",
            },
          },
        ],
        { text: "Amounts are cut to whole numbers. I fix that and note it." },
      ),
      callTools(
        [{ name: "agent", input: { subagent_type: "checker", prompt: "Check that src/report.js keeps the cents." } }],
        { text: "Someone else should look at this." },
      ),
      reply("Fixed: `parseInt` dropped the cents of every amount. The checker agrees, and the changelog says so.", {
        chunks: 8,
      }),
    ],
  });
}

/** The subagent's. */
export function createCheckerModel(clock: Clock): ModelClient {
  return createScriptedModel({
    model: MODEL,
    clock,
    delayMs: DELAY_MS,
    steps: [
      callTools([{ name: "shell", input: { command: "grep -n Number src/report.js" } }]),
      reply("src/report.js reads amounts with Number, so the cents stay."),
    ],
  });
}
