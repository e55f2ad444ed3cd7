import { mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { expect, test } from "vitest";

import { listFilesTool } from "../../src/tools/index.ts";
import { callTool, failureOf, makeFolders } from "./call-tool.ts";

async function makeTree(): Promise<string> {
  const { root, outside } = await makeFolders();
  await writeFile(join(outside, "secret.txt"), "");
  for (const folder of ["src/deep/er", "node_modules/x", ".git/objects"]) {
    await mkdir(join(root, folder), { recursive: true });
  }
  for (const file of [
    "b.md",
    "a.ts",
    "src/c.ts",
    "src/deep/d.ts",
    "src/deep/er/e.tsx",
    "node_modules/x/f.ts",
    ".git/g.ts",
  ]) {
    await writeFile(join(root, file), "");
  }
  await symlink(outside, join(root, "out"));
  return root;
}

async function list(root: string, input: Record<string, unknown> = {}, maxEntries = 1_000): Promise<readonly string[]> {
  return (await callTool(listFilesTool({ root, maxEntries }), input)).content.split("\n");
}

test("two levels by name; links are named and not followed, .git and node_modules not entered", async () => {
  expect(await list(await makeTree())).toEqual([
    ".git/",
    "a.ts",
    "b.md",
    "node_modules/",
    "out@",
    "src/",
    "src/c.ts",
    "src/deep/",
  ]);
});

test("depth says how deep, path where", async () => {
  const root = await makeTree();
  expect(await list(root, { depth: 1 })).toEqual([".git/", "a.ts", "b.md", "node_modules/", "out@", "src/"]);
  expect(await list(root, { path: "src/deep", depth: 1 })).toEqual(["src/deep/d.ts", "src/deep/er/"]);
});

test("a pattern goes to any depth; without a slash it is matched against names", async () => {
  const root = await makeTree();
  expect(await list(root, { pattern: "*.ts" })).toEqual(["a.ts", "src/c.ts", "src/deep/d.ts"]);
  expect(await list(root, { pattern: "src/**/*.{ts,tsx}" })).toEqual([
    "src/c.ts",
    "src/deep/d.ts",
    "src/deep/er/e.tsx",
  ]);
  expect(await list(root, { pattern: "./src/*.ts" })).toEqual(["src/c.ts"]);
  expect(await list(root, { pattern: "*.rs" })).toEqual(["[nothing found]"]);
});

test("past the limit the list is cut, and says so", async () => {
  expect(await list(await makeTree(), {}, 2)).toEqual([".git/", "a.ts", "[cut after 2 entries]"]);
});

test("a pattern or a path that cannot be used is refused", async () => {
  const tool = listFilesTool({ root: await makeTree() });
  expect(await failureOf(callTool(tool, { pattern: "{a,b" }))).toBe(
    'TOOL_INPUT_INVALID: "pattern" is no usable glob: "{a,b".',
  );
  expect(await failureOf(callTool(tool, { path: "a.ts" }))).toBe('TOOL_FILE_UNREADABLE: "a.ts" is no folder.');
  expect(await failureOf(callTool(tool, { path: "none" }))).toBe('TOOL_FILE_UNREADABLE: "none" does not exist.');
});
