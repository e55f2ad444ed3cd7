import { createScriptedModel } from "@hookscope/testing";
import { expect, test } from "vitest";

import { createHarness, type HarnessOptions } from "../src/index.ts";

const INPUT = { type: "object" };

test.for([
  [{ tools: [undefined] }, "TOOL_INVALID: a tool must be an object, and one is undefined."],
  [{ tools: [null] }, "TOOL_INVALID: a tool must be an object, and one is null."],
  [{ tools: ["look"] }, "TOOL_INVALID: a tool must be an object, and one is string."],
  [{ tools: [{ inputSchema: INPUT }] }, "TOOL_INVALID: a tool needs a non-blank `name`; the model calls it by that."],
  [
    { tools: [{ name: " ", inputSchema: INPUT }] },
    "TOOL_INVALID: a tool needs a non-blank `name`; the model calls it by that.",
  ],
  [{ tools: [{ name: "look", inputSchema: INPUT }] }, 'TOOL_INVALID: tool "look": execute is no function.'],
  [{ tools: 5 }, "HARNESS_OPTION_INVALID: `tools` is 5; it must be a list."],
  [{ mods: {} }, "HARNESS_OPTION_INVALID: `mods` is an object; it must be a list."],
  [{ plugins: "usage" }, 'HARNESS_OPTION_INVALID: `plugins` is "usage"; it must be a list.'],
  [{ tags: 5 }, "HARNESS_OPTION_INVALID: `tags` is 5; it must be a list of { key, value }, both texts."],
  [
    { tags: [{ key: "tier" }] },
    "HARNESS_OPTION_INVALID: `tags` is a list; it must be a list of { key, value }, both texts.",
  ],
  [
    { toolExecution: "both" },
    'HARNESS_OPTION_INVALID: `toolExecution` is "both"; it must be "sequential" or "parallel".',
  ],
  [{ approver: {} }, "HARNESS_OPTION_INVALID: `approver` is an object; it must be an object with a function `ask`."],
  [
    { permissions: () => true },
    "HARNESS_OPTION_INVALID: `permissions` is a function; it must be an object with a function `check`.",
  ],
  [{ permissionMode: "plan" }, 'HARNESS_OPTION_INVALID: `permissionMode` is "plan"; it must be a function.'],
  [
    { session: "s1" },
    'HARNESS_OPTION_INVALID: `session` is "s1"; it must be a session that a session store created or opened.',
  ],
  [{ recordContent: "no" }, 'HARNESS_OPTION_INVALID: `recordContent` is "no"; it must be true or false.'],
  [{ onCommit: 5 }, "HARNESS_OPTION_INVALID: `onCommit` is 5; it must be a function."],
  [
    { systemPrompt: 5 },
    "HARNESS_OPTION_INVALID: `systemPrompt` is 5; it must be a text, or a function that gives one.",
  ],
  [
    { effort: "maximum" },
    'HARNESS_OPTION_INVALID: `effort` is "maximum"; it must be one of none, minimal, low, medium, high, xhigh, max.',
  ],
  [{ agent: " " }, 'HARNESS_OPTION_INVALID: `agent` is " "; it must be a text that is not blank.'],
  [{ cwd: 5 }, "HARNESS_OPTION_INVALID: `cwd` is 5; it must be a text that is not blank."],
  [{ subagents: [] }, "HARNESS_OPTION_INVALID: `subagents` is a list; it must be an object of definitions, by type."],
  [
    { subagents: { scout: "looks" } },
    'HARNESS_OPTION_INVALID: `subagents.scout` is "looks"; it must be an object with a text `description`.',
  ],
  [{ maxTurns: 1.5 }, "HARNESS_OPTION_INVALID: `maxTurns` is 1.5; it must be a whole number from 1."],
  [{ maxSubagentDepth: "2" }, 'HARNESS_OPTION_INVALID: `maxSubagentDepth` is "2"; it must be a whole number from 0.'],
  [
    { approvalTimeoutMs: 2 ** 31 },
    "HARNESS_OPTION_INVALID: `approvalTimeoutMs` is 2147483648; it must be a number of milliseconds above 0, up to 2147483647.",
  ],
  [{ retry: 5 }, "HARNESS_OPTION_INVALID: `retry` is 5; it must be an object."],
  [
    { retry: { maxAttempts: 0 } },
    "HARNESS_OPTION_INVALID: `retry.maxAttempts` is 0; it must be a whole number from 1.",
  ],
  [{ retry: { random: 1 } }, "HARNESS_OPTION_INVALID: `retry.random` is 1; it must be a function."],
  [{ permision: {} }, "HARNESS_OPTION_INVALID: `permision` is unknown; did you mean `permissions`?"],
  [
    { retry: { maxAttemps: 1 } },
    "HARNESS_OPTION_INVALID: `retry.maxAttemps` is unknown; did you mean `retry.maxAttempts`?",
  ],
] as const)("options that cannot be used are refused: %j", ([options, error]) => {
  const given = { model: createScriptedModel({}), ...options } as unknown as HarnessOptions;
  expect(() => createHarness(given)).toThrow(error);
});
