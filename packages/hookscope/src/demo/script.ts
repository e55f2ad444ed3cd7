import type { ModelClient } from "@hookscope/harness";
import type { Clock } from "@hookscope/hooks";
import type { PriceTable } from "@hookscope/metrics";
import { callTools, createScriptedModel, failWith, reply, type ScriptedStep } from "@hookscope/testing";

import type { Variation } from "./variation.ts";

/** What the person asks for. */
export const MESSAGE = "The nightly report is off by a few coins. Please find out why, fix it, and note it down.";

const MODEL = "scripted-model";
/** US dollars for a million tokens, made up: nobody is charged. */
export const DEMO_PRICES: PriceTable = { [MODEL]: { input_mtok: 3, output_mtok: 15 } };
/** Milliseconds before each piece that is streamed. */
const DELAY_MS = 25;

/** The words and tool calls of the model, so that the demo needs no key: the tools and the hooks are real. */
export function createMaintainerModel(clock: Clock, variation: Variation): ModelClient {
  return createScriptedModel({ model: MODEL, clock, delayMs: DELAY_MS * variation.pace, steps: stepsOf(variation) });
}

function stepsOf({ busyModel, deletes, writes, checks, modelDown }: Variation): readonly ScriptedStep[] {
  return [
    ...(busyModel ? [BUSY] : []),
    callTools(
      [
        { name: "read_file", input: { file_path: "src/report.js" } },
        { name: "read_file", input: { file_path: "logs/nightly.log" } },
      ],
      { text: "I will look at the report and at last night's log." },
    ),
    ...(deletes
      ? [
          callTools([{ name: "shell", input: { command: "rm -rf build ../archive" } }], {
            text: "First I clear away the old builds.",
          }),
        ]
      : []),
    callTools([FIX, ...(writes ? [NOTE] : [])], { text: "Amounts are cut to whole numbers. I fix that and note it." }),
    ...(checks ? [callTools([CHECK], { text: "Someone else should look at this." })] : []),
    modelDown ? DOWN : SUMMARY,
  ];
}

const BUSY = failWith({
  statusCode: 503,
  retryable: true,
  type: "overloaded",
  message: "the model is busy, try again",
});
const DOWN = failWith({ statusCode: 400, retryable: false, type: "invalid_request", message: "the model is gone" });
const FIX = {
  name: "edit_file",
  input: { file_path: "src/report.js", old_text: "parseInt(amount, 10)", new_text: "Number(amount)" },
};
const NOTE = {
  name: "write_file",
  input: {
    file_path: "CHANGELOG.md",
    content: "# Changes\n\n- The report no longer drops the cents.\n- The nightly job writes a log.\n",
  },
};
const CHECK = {
  name: "agent",
  input: { subagent_type: "checker", prompt: "Check that src/report.js keeps the cents." },
};
const SUMMARY = reply(
  "Fixed: `parseInt` dropped the cents of every amount. The checker agrees, and the changelog says so.",
  { chunks: 8 },
);

/** The subagent's. */
export function createCheckerModel(clock: Clock, { pace }: Variation): ModelClient {
  return createScriptedModel({
    model: MODEL,
    clock,
    delayMs: DELAY_MS * pace,
    steps: [
      callTools([{ name: "shell", input: { command: "grep -n Number src/report.js" } }]),
      reply("src/report.js reads amounts with Number, so the cents stay."),
    ],
  });
}
