import { createScriptedModel } from "@hookscope/testing";
import { expect, test } from "vitest";

import { builtInTools, createHarness, type HarnessOptions } from "../src/index.ts";

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
  [{ tools: 5 }, "HARNESS_OPTION_INVALID: `tools` is no list."],
  [{ mods: {} }, "HARNESS_OPTION_INVALID: `mods` is no list."],
  [{ plugins: "usage" }, "HARNESS_OPTION_INVALID: `plugins` is no list."],
  [{ tags: 5 }, "HARNESS_OPTION_INVALID: `tags` is no list."],
  [
    { toolExecution: "both" },
    'HARNESS_OPTION_INVALID: `toolExecution` is "both"; it must be "sequential" or "parallel".',
  ],
] as const)("options that cannot be used are refused: %j", ([options, error]) => {
  const given = { model: createScriptedModel({}), ...options } as unknown as HarnessOptions;
  expect(() => createHarness(given)).toThrow(error);
});

test("a turn whose signal is none is refused", async () => {
  const harness = createHarness({ model: createScriptedModel({}) });
  await expect(harness.run({ signal: {} as AbortSignal })).rejects.toThrow(
    "HARNESS_OPTION_INVALID: `signal` must be an AbortSignal.",
  );
});

test("tools without the folder they work in are refused", () => {
  expect(() => builtInTools({ root: undefined as never })).toThrow(
    "HARNESS_OPTION_INVALID: `root` must be the path of a folder.",
  );
});
