import { tmpdir } from "node:os";

import { expect, test } from "vitest";

import {
  builtInTools,
  editFileTool,
  listFilesTool,
  readFileTool,
  searchFilesTool,
  shellTool,
  writeFileTool,
} from "../../src/index.ts";

const TOOLS = { editFileTool, listFilesTool, readFileTool, searchFilesTool, shellTool, writeFileTool, builtInTools };
type Make = (options: unknown) => unknown;
const root = tmpdir();
const COUNT = "a whole number from 1";
const DURATION = "a number of milliseconds above 0, up to 2147483647";

test.for(Object.keys(TOOLS) as (keyof typeof TOOLS)[])("%s needs options, with the folder it works in", (name) => {
  const make = TOOLS[name] as Make;
  for (const given of [undefined, null, root]) {
    expect(() => make(given)).toThrow(
      /^HARNESS_OPTION_INVALID: the options of a tool are .*; they must be an object with `root`\.$/,
    );
  }
  expect(() => make({})).toThrow("HARNESS_OPTION_INVALID: `root` must be the path of a folder.");
  expect(() => make({ root, rooot: root })).toThrow("HARNESS_OPTION_INVALID: `rooot` is unknown; did you mean `root`?");
});

test.for([
  ["readFileTool", { maxBytes: 0 }, `\`maxBytes\` is 0; it must be ${COUNT}.`],
  ["editFileTool", { maxFileBytes: 1.5 }, `\`maxFileBytes\` is 1.5; it must be ${COUNT}.`],
  ["listFilesTool", { maxEntries: -1 }, `\`maxEntries\` is -1; it must be ${COUNT}.`],
  ["searchFilesTool", { maxFileBytes: "2M" }, `\`maxFileBytes\` is "2M"; it must be ${COUNT}.`],
  ["searchFilesTool", { patternLimitMs: 0 }, `\`patternLimitMs\` is 0; it must be ${DURATION}.`],
  ["shellTool", { timeoutMs: Number.NaN }, `\`timeoutMs\` is NaN; it must be ${DURATION}.`],
  ["shellTool", { maxTimeoutMs: 2 ** 31 }, `\`maxTimeoutMs\` is 2147483648; it must be ${DURATION}.`],
  ["shellTool", { maxOutputBytes: -1 }, `\`maxOutputBytes\` is -1; it must be ${COUNT}.`],
  ["shellTool", { killAfterMs: 0 }, `\`killAfterMs\` is 0; it must be ${DURATION}.`],
  ["shellTool", { drainMs: -1 }, `\`drainMs\` is -1; it must be ${DURATION}.`],
  ["shellTool", { updateEveryMs: "fast" }, `\`updateEveryMs\` is "fast"; it must be ${DURATION}.`],
  ["shellTool", { env: { A: 1 } }, "`env` is an object; it must be an object of texts."],
  ["shellTool", { clock: Date }, "`clock` is a function; it must be an object with a function `now`."],
  ["builtInTools", { env: ["A=1"] }, "`env` is a list; it must be an object of texts."],
] as const)("%s refuses what it cannot use: %j", ([name, given, problem]) => {
  expect(() => (TOOLS[name] as Make)({ root, ...given })).toThrow(`HARNESS_OPTION_INVALID: ${problem}`);
});
