import { chmod, link, mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { expect, test } from "vitest";

import { writeFileTool } from "../../src/tools/index.ts";
import { replaceFile } from "../../src/tools/replace-file.ts";
import { Workspace } from "../../src/tools/workspace.ts";
import { callTool, failureOf, makeFolders } from "./call-tool.ts";

test("a new file is made with its parents", async () => {
  const { root } = await makeFolders();
  const output = await callTool(writeFileTool({ root }), { file_path: "a/b/c.txt", content: "häl" });
  expect(output).toEqual({ content: "Created a/b/c.txt: 4 bytes." });
  expect(await readFile(join(root, "a/b/c.txt"), "utf8")).toBe("häl");
});

test("a file that exists is replaced and keeps its mode", async () => {
  const { root } = await makeFolders();
  await writeFile(join(root, "run.sh"), "old and longer");
  await chmod(join(root, "run.sh"), 0o777);
  const output = await callTool(writeFileTool({ root }), { file_path: "run.sh", content: "new" });
  expect(output).toEqual({ content: "Replaced run.sh: 3 bytes." });
  expect(await readFile(join(root, "run.sh"), "utf8")).toBe("new");
  expect((await stat(join(root, "run.sh"))).mode & 0o777).toBe(0o777);
});

test("it is a new file that takes the old one's place: whoever has the old one open reads it to its end", async () => {
  const { root, outside } = await makeFolders();
  await writeFile(join(root, "a.txt"), "old");
  await link(join(root, "a.txt"), join(outside, "same-file.txt"));
  await callTool(writeFileTool({ root }), { file_path: "a.txt", content: "new" });
  expect(await readFile(join(outside, "same-file.txt"), "utf8")).toBe("old");
});

test("nothing half-written is left by a call that fails or is interrupted", async () => {
  const { root } = await makeFolders();
  await writeFile(join(root, "a.txt"), "old");
  await mkdir(join(root, "folder"));
  const tool = writeFileTool({ root });
  expect(await failureOf(callTool(tool, { file_path: "folder", content: "x" }))).toBe(
    'TOOL_FILE_UNREADABLE: "folder" is a folder.',
  );
  expect(await failureOf(callTool(tool, { file_path: ".", content: "x" }))).toBe(
    'TOOL_FILE_UNREADABLE: "." is a folder.',
  );
  expect(await failureOf(callTool(tool, { file_path: "a.txt/b/c", content: "x" }))).toBe(
    'TOOL_FILE_UNREADABLE: "a.txt/b/c" has a file where its path needs a folder.',
  );
  const signal = AbortSignal.abort(new Error("interrupted"));
  expect(await failureOf(callTool(tool, { file_path: "a.txt", content: "x" }, { signal }))).toBe("interrupted");
  expect((await readdir(root, { recursive: true })).toSorted()).toEqual(["a.txt", "folder"]);
  expect(await readFile(join(root, "a.txt"), "utf8")).toBe("old");
});

test("an interrupt while it writes leaves the old file and no other", async () => {
  const { root } = await makeFolders();
  await writeFile(join(root, "a.txt"), "old");
  const controller = new AbortController();
  const workspace = new Workspace(root);
  // Asked when the new content's file is open, and not in its place yet.
  workspace.verify = async () => {
    expect((await readdir(root)).length).toBe(2);
    controller.abort(new Error("interrupted"));
  };
  expect(await failureOf(replaceFile(workspace, "a.txt", "new", controller.signal))).toBe("interrupted");
  expect(await readdir(root)).toEqual(["a.txt"]);
  expect(await readFile(join(root, "a.txt"), "utf8")).toBe("old");
});

test("parallel writes to one file leave one of the contents whole", async () => {
  const { root } = await makeFolders();
  const tool = writeFileTool({ root });
  const contents = ["a", "b", "c", "d"].map((letter) => letter.repeat(100_000));
  await Promise.all(contents.map((content) => callTool(tool, { file_path: "a.txt", content })));
  expect(contents.includes(await readFile(join(root, "a.txt"), "utf8"))).toBe(true);
  expect(await readdir(root)).toEqual(["a.txt"]);
});

test("writing is a medium risk", async () => {
  const { root } = await makeFolders();
  expect(writeFileTool({ root }).risk).toBe("medium");
});
