import { execFileSync } from "node:child_process";
import { mkdir, readdir, readFile, rename, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { expect, test } from "vitest";

import { builtInTools, readFileTool, writeFileTool } from "../../src/tools/index.ts";
import { replaceFile } from "../../src/tools/replace-file.ts";
import { Workspace } from "../../src/tools/workspace.ts";
import type { Tool } from "../../src/tool.ts";
import { callTool, failureOf, makeFolders } from "./call-tool.ts";

const REFUSED = (path: string): string =>
  `PATH_OUTSIDE_WORKSPACE: "${path}" leads outside the working directory. Use a path inside it, relative to it.`;

function tool(root: string, name: string): Tool {
  return builtInTools({ root }).find((candidate) => candidate.name === name) as Tool;
}

const WAYS: readonly {
  readonly name: string;
  readonly input: (path: string) => Record<string, unknown>;
}[] = [
  { name: "read_file", input: (path) => ({ file_path: path }) },
  { name: "write_file", input: (path) => ({ file_path: path, content: "changed" }) },
  { name: "edit_file", input: (path) => ({ file_path: path, old_text: "secret", new_text: "changed" }) },
];

const PATHS = [
  "../outside/secret.txt",
  "inner/../../outside/secret.txt",
  "link.txt",
  "folder-link/secret.txt",
  "inner/deep-link/secret.txt",
  "loop",
];

test.for(WAYS.flatMap((way) => PATHS.map((path) => ({ ...way, path }))))(
  "$name refuses $path, and what is outside stays as it is",
  async ({ name, input, path }) => {
    const { root, outside } = await makeFolders();
    await writeFile(join(outside, "secret.txt"), "secret");
    await mkdir(join(root, "inner"));
    await symlink(join(outside, "secret.txt"), join(root, "link.txt"));
    await symlink(outside, join(root, "folder-link"));
    await symlink("../../outside", join(root, "inner", "deep-link"));
    await symlink("loop", join(root, "loop"));
    expect(await failureOf(callTool(tool(root, name), input(path)))).toBe(REFUSED(path));
    expect(await readFile(join(outside, "secret.txt"), "utf8")).toBe("secret");
    expect(await readdir(outside)).toEqual(["secret.txt"]);
  },
);

test.for(["list_files", "search_files"])("%s refuses a folder that a link leads out to", async (name) => {
  const { root, outside } = await makeFolders();
  await symlink(outside, join(root, "folder-link"));
  const input = { path: "folder-link", ...(name === "search_files" ? { pattern: "x" } : {}) };
  expect(await failureOf(callTool(tool(root, name), input))).toBe(REFUSED("folder-link"));
});

test("a file that does not exist yet is refused below a link that leads out, and no folder is made there", async () => {
  const { root, outside } = await makeFolders();
  await symlink(outside, join(root, "folder-link"));
  const write = callTool(writeFileTool({ root }), { file_path: "folder-link/a/b.txt", content: "x" });
  expect(await failureOf(write)).toBe(REFUSED("folder-link/a/b.txt"));
  expect(await readdir(outside)).toEqual([]);
});

test("a link to nothing is refused: what is written through it would appear outside", async () => {
  const { root, outside } = await makeFolders();
  await symlink(join(outside, "new.txt"), join(root, "dangling"));
  await symlink(join(outside, "new-folder"), join(root, "dangling-folder"));
  const write = writeFileTool({ root });
  expect(await failureOf(callTool(write, { file_path: "dangling", content: "x" }))).toBe(REFUSED("dangling"));
  expect(await failureOf(callTool(write, { file_path: "dangling-folder/a", content: "x" }))).toBe(
    REFUSED("dangling-folder/a"),
  );
  expect(await readdir(outside)).toEqual([]);
});

test("an absolute path is taken where it lies inside, also by a link to the root", async () => {
  const { root, outside } = await makeFolders();
  await writeFile(join(root, "a.txt"), "inside");
  await symlink(root, join(outside, "root-link"));
  const absolute = join(root, "a.txt");
  expect(await callTool(readFileTool({ root }), { file_path: absolute })).toEqual({ content: "inside" });
  const linked = join(outside, "root-link");
  const byLink = readFileTool({ root: linked });
  expect(await callTool(byLink, { file_path: join(linked, "a.txt") })).toEqual({ content: "inside" });
  expect(await callTool(byLink, { file_path: absolute })).toEqual({ content: "inside" });
  expect(await failureOf(callTool(byLink, { file_path: "/etc/hostname" }))).toBe(REFUSED("/etc/hostname"));
});

test("a folder whose name begins like the root's is outside", async () => {
  const { root } = await makeFolders();
  await mkdir(`${root}-other`);
  await writeFile(`${root}-other/a.txt`, "x");
  expect(await failureOf(callTool(readFileTool({ root }), { file_path: "../workspace-other/a.txt" }))).toBe(
    REFUSED("../workspace-other/a.txt"),
  );
});

test("links that stay inside are followed", async () => {
  const { root } = await makeFolders();
  await mkdir(join(root, "real"));
  await writeFile(join(root, "real", "a.txt"), "old");
  await symlink("real", join(root, "alias"));
  await symlink("real/a.txt", join(root, "alias.txt"));
  await callTool(writeFileTool({ root }), { file_path: "alias.txt", content: "new" });
  expect(await callTool(readFileTool({ root }), { file_path: "alias/a.txt" })).toEqual({ content: "new" });
  expect((await readdir(root)).toSorted()).toEqual(["alias", "alias.txt", "real"]);
});

test("a parent that becomes a link between check and use is caught after opening", async () => {
  const { root, outside } = await makeFolders();
  await mkdir(join(root, "folder"));
  await writeFile(join(root, "folder", "a.txt"), "inside");
  await writeFile(join(outside, "a.txt"), "secret");
  const workspace = new Workspace(root);
  const locate = workspace.locate.bind(workspace);
  workspace.locate = async (given) => {
    const path = await locate(given);
    await rename(join(root, "folder"), join(root, "moved"));
    await symlink(outside, join(root, "folder"));
    return path;
  };
  expect(await failureOf(workspace.openForReading("folder/a.txt"))).toBe(REFUSED("folder/a.txt"));
});

test("a parent that becomes a link before a file is written leaves what is outside as it is", async () => {
  const { root, outside } = await makeFolders();
  await mkdir(join(root, "folder"));
  await writeFile(join(outside, "a.txt"), "secret");
  const workspace = new Workspace(root);
  const verify = workspace.verify.bind(workspace);
  const swap = async (): Promise<void> => {
    await rename(join(root, "folder"), join(root, "moved"));
    await symlink(outside, join(root, "folder"));
  };
  workspace.verify = async (...given) => {
    await verify(...given);
    await swap();
  };
  const write = replaceFile(workspace, "folder/a.txt", "changed", new AbortController().signal);
  expect(await failureOf(write)).toBe(REFUSED("folder/a.txt"));
  expect(await readFile(join(outside, "a.txt"), "utf8")).toBe("secret");
  expect(await readdir(outside)).toEqual(["a.txt"]);
});

test("a file that becomes a link between check and use is not followed", async () => {
  const { root, outside } = await makeFolders();
  await writeFile(join(outside, "a.txt"), "secret");
  const workspace = new Workspace(root);
  const locate = workspace.locate.bind(workspace);
  workspace.locate = async (given) => {
    const path = await locate(given);
    await symlink(join(outside, "a.txt"), path);
    return path;
  };
  expect(await failureOf(workspace.openForReading("a.txt"))).toBe(REFUSED("a.txt"));
});

test("a pipe is refused instead of waited for", async () => {
  const { root } = await makeFolders();
  execFileSync("mkfifo", [join(root, "pipe")]);
  const problem = 'TOOL_FILE_UNREADABLE: "pipe" is no regular file.';
  expect(await failureOf(callTool(tool(root, "read_file"), { file_path: "pipe" }))).toBe(problem);
  expect(await failureOf(callTool(tool(root, "write_file"), { file_path: "pipe", content: "x" }))).toBe(problem);
});

test("a root that is no folder is refused where the tool is made", async () => {
  const { root } = await makeFolders();
  await writeFile(join(root, "a.txt"), "x");
  expect(() => readFileTool({ root: join(root, "a.txt") })).toThrow(
    `HARNESS_OPTION_INVALID: \`root\` is "${join(root, "a.txt")}", which is no folder.`,
  );
  expect(() => readFileTool({ root: join(root, "none") })).toThrow(
    `HARNESS_OPTION_INVALID: \`root\` is "${join(root, "none")}", which cannot be used (ENOENT).`,
  );
});
