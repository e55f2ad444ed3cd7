import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

import { callTools, createFakeClock, createScriptedModel, reply } from "@hookscope/testing";
import { createHookBus } from "@hookscope/hooks";
import { expect, test } from "vitest";

import { builtInTools, createApprovalPolicy, createHarness, DEFAULT_APPROVAL_RULES } from "../../src/index.ts";
import { searchFilesTool } from "../../src/tools/index.ts";
import { makeFolders } from "./call-tool.ts";

test("the tools take the loop's one path, under the default policy: what the model is told of each call", async () => {
  const { root } = await makeFolders();
  const calls = [
    { id: "1", name: "write_file", input: { file_path: "src/a.txt", content: "one\ntwo\n" } },
    { id: "2", name: "edit_file", input: { file_path: "src/a.txt", old_text: "two", new_text: "zwei" } },
    { id: "3", name: "read_file", input: { file_path: "../secret" } },
    { id: "4", name: "read_file", input: { offset: 0 } },
    { id: "5", name: "search_files", input: { pattern: "zw" } },
    { id: "6", name: "list_files", input: {} },
    { id: "7", name: "shell", input: { command: "cat src/a.txt; exit 4" } },
    { id: "8", name: "shell", input: { command: "rm -rf / --no-preserve-root" } },
    { id: "9", name: "shell", input: { command: "rm -rf src" } },
  ];
  const model = createScriptedModel({ steps: [callTools(calls), reply("done")] });
  const bus = createHookBus({ hooks: [createApprovalPolicy({ rules: DEFAULT_APPROVAL_RULES })] });
  // Its limit is one of speed, which is not the subject here.
  const search = searchFilesTool({ root, clock: createFakeClock() });
  const tools = builtInTools({ root }).map((tool) => (tool.name === search.name ? search : tool));
  const harness = createHarness({ model, bus, tools });
  const { finalText } = await harness.run({ userInput: "go" });
  await harness.close();
  const results = model.requests[1]?.messages.at(-1)?.content ?? [];
  expect(
    results.map((block) => (block.type === "tool_result" ? [block.isError, block.content[0]?.text] : block)),
  ).toEqual([
    [false, "Created src/a.txt: 8 bytes."],
    [false, "Edited src/a.txt: 1 occurrence replaced."],
    [
      true,
      'PATH_OUTSIDE_WORKSPACE: "../secret" leads outside the working directory. Use a path inside it, relative to it.',
    ],
    [
      true,
      `the input of read_file does not fit its schema: the input must have required property 'file_path'; /offset must be >= 1`,
    ],
    [false, "src/a.txt:2: zwei"],
    [false, "src/\nsrc/a.txt"],
    [true, "one\nzwei\n[exit code 4]"],
    [true, 'Blocked: a command of this kind is never run (approval policy, rule 1 "remove everything", tool shell)'],
    [true, "Blocked: nobody is there to ask"],
  ]);
  expect(finalText).toBe("done");
  expect(await readFile(join(root, "src", "a.txt"), "utf8")).toBe("one\nzwei\n");
  expect(await readdir(root)).toEqual(["src"]);
});
