import { mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { createFakeClock } from "@hookscope/testing";
import { expect, test } from "vitest";

import { searchFilesTool } from "../../src/tools/index.ts";
import { RegexSearch } from "../../src/tools/regex-search.ts";
import { callTool, failureOf, makeFolders } from "./call-tool.ts";

async function makeTree(): Promise<string> {
  const { root, outside } = await makeFolders();
  await mkdir(join(root, "src"));
  await writeFile(join(outside, "secret.txt"), "needle outside");
  await symlink(join(outside, "secret.txt"), join(root, "link.txt"));
  await writeFile(join(root, "a.txt"), "one\r\nneedle two\r\nthree needle\r\n");
  await writeFile(join(root, "src/b.ts"), `needle(${"x".repeat(400)})`);
  await writeFile(join(root, "image.png"), Buffer.from("needle\0"));
  await writeFile(join(root, "large.txt"), "needle".repeat(1_000));
  return root;
}

async function search(root: string, input: Record<string, unknown>): Promise<readonly string[]> {
  const tool = searchFilesTool({ root, maxFileBytes: 2_000, clock: createFakeClock() });
  return (await callTool(tool, input)).content.split("\n");
}

test("matching lines with path and number; what was left out is counted, links are not followed", async () => {
  expect(await search(await makeTree(), { pattern: "needle" })).toEqual([
    "a.txt:2: needle two",
    "a.txt:3: three needle",
    `src/b.ts:1: needle(${"x".repeat(293)}… [408 characters]`,
    "[2 binary, unreadable or too large files left out]",
  ]);
});

test("a glob and a folder narrow it", async () => {
  const root = await makeTree();
  expect(await search(root, { pattern: "^needle", glob: "*.txt" })).toEqual([
    "a.txt:2: needle two",
    "[1 binary, unreadable or too large files left out]",
  ]);
  expect(await search(root, { pattern: "needle\\(x", path: "src" })).toEqual([
    `src/b.ts:1: needle(${"x".repeat(293)}… [408 characters]`,
  ]);
  expect(await search(root, { pattern: "none", path: "src" })).toEqual(["[nothing found]"]);
});

test("it is cut at the most lines, and only where there are more", async () => {
  const root = await makeTree();
  expect(await search(root, { pattern: "needle", glob: "a.txt", max: 1 })).toEqual([
    "a.txt:2: needle two",
    "[cut after 1 lines]",
  ]);
  expect(await search(root, { pattern: "needle", glob: "a.txt", max: 2 })).toEqual([
    "a.txt:2: needle two",
    "a.txt:3: three needle",
  ]);
});

test("a pattern that takes time without end is stopped, and the process with it is free", async () => {
  const { root } = await makeFolders();
  await writeFile(join(root, "a.txt"), `${"a".repeat(60)}b`);
  const tool = searchFilesTool({ root, patternLimitMs: 100 });
  expect(await failureOf(callTool(tool, { pattern: "^(a+)+$" }))).toBe(
    'TOOL_INPUT_INVALID: the pattern "^(a+)+$" took longer than 100 ms on "a.txt". Make it simpler: no repetition inside a repetition.',
  );
});

test("what the thread takes to start is not in the time limit", async () => {
  const limits: number[] = [];
  const clock = {
    now: () => 0,
    setTimer: (_: () => void, delayMs: number) => {
      limits.push(delayMs);
      return { cancel: () => undefined };
    },
  };
  const search = new RegexSearch({ pattern: "b", limitMs: 100, clock, signal: new AbortController().signal });
  const lines = search.linesOf("a\nb", 10, "a.txt");
  expect(limits).toEqual([]);
  expect(await lines).toEqual([{ line: 2, text: "b" }]);
  await search.linesOf("a", 10, "b.txt");
  expect(limits).toEqual([100, 100]);
  await search.close();
});

test("an interrupt stops a search that would not end", async () => {
  const { root } = await makeFolders();
  await writeFile(join(root, "a.txt"), `${"a".repeat(60)}b`);
  const controller = new AbortController();
  // The time limit starts where the search of a file does; it never ends here.
  const clock = {
    now: () => 0,
    setTimer: () => {
      setImmediate(() => controller.abort(new Error("interrupted")));
      return { cancel: () => undefined };
    },
  };
  const call = callTool(searchFilesTool({ root, clock }), { pattern: "^(a+)+$" }, { signal: controller.signal });
  expect(await failureOf(call)).toBe("interrupted");
});

test("what is no regular expression is refused", async () => {
  const { root } = await makeFolders();
  expect(await failureOf(callTool(searchFilesTool({ root }), { pattern: "(" }))).toBe(
    'TOOL_INPUT_INVALID: "pattern" is no regular expression: Invalid regular expression: /(/: Unterminated group.',
  );
});
