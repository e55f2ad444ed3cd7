import { open, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { expect, test } from "vitest";

import { readFileTool } from "../../src/tools/index.ts";
import { callTool, failureOf, makeFolders } from "./call-tool.ts";

async function read(content: string | Buffer, input: Record<string, unknown> = {}, maxBytes?: number): Promise<string> {
  const { root } = await makeFolders();
  await writeFile(join(root, "a.txt"), content);
  const tool = readFileTool(maxBytes === undefined ? { root } : { root, maxBytes });
  return (await callTool(tool, { file_path: "a.txt", ...input })).content;
}

const FIVE = "one\ntwo\nthree\nfour\nfive\n";

test("a short file comes whole, to the byte", async () => {
  expect(await read("one\r\ntwo\n\n no newline at the end")).toBe("one\r\ntwo\n\n no newline at the end");
  expect(await read(FIVE)).toBe(FIVE);
});

test("offset and limit choose lines; where lines are left, the note says how to read on", async () => {
  expect(await read(FIVE, { offset: 2, limit: 2 })).toBe(
    "two\nthree\n[cut before line 4; the file has 24 bytes: read on with offset 4]",
  );
  expect(await read(FIVE, { offset: 4, limit: 2 })).toBe("four\nfive\n");
});

test("2,000 lines are given where no limit is", async () => {
  const content = "x\n".repeat(2_001);
  expect(await read(content)).toBe(
    `${"x\n".repeat(2_000)}[cut before line 2001; the file has 4002 bytes: read on with offset 2001]`,
  );
});

test("past the size limit whole lines are given, with the real size", async () => {
  expect(await read(FIVE, {}, 10)).toBe("one\ntwo\n[cut before line 3; the file has 24 bytes: read on with offset 3]");
});

test("a line longer than the limit is cut at a whole character", async () => {
  expect(await read("äöü and more\n", {}, 5)).toBe("äö\n[cut within line 1; the file has 16 bytes]");
});

test("a line that spans the pieces a file is read in stays one line", async () => {
  const long = "é".repeat(50_000);
  expect(await read(`${long}\nlast`, {}, 200_000)).toBe(`${long}\nlast`);
  expect(await read(`${long}\nlast`, { offset: 2 })).toBe("last");
});

test("an empty file and an offset past the end are said so", async () => {
  expect(await read("")).toBe("[the file is empty]");
  expect(await read("one\ntwo", { offset: 9 })).toBe("[the file has 2 lines; offset 9 is past its end]");
  expect(await read("one\ntwo\n", { offset: 9 })).toBe("[the file has 2 lines; offset 9 is past its end]");
});

test("a huge file is read without being loaded", async () => {
  const { root } = await makeFolders();
  const file = await open(join(root, "huge"), "w");
  await file.write("line\n".repeat(20_000));
  await file.write("x", 3 * 1024 ** 3);
  await file.close();
  expect(await callTool(readFileTool({ root }), { file_path: "huge", limit: 1 })).toEqual({
    content: "line\n[cut before line 2; the file has 3221225473 bytes: read on with offset 2]",
  });
});

test("a binary file is refused, with its size", async () => {
  const { root } = await makeFolders();
  await writeFile(join(root, "image.png"), Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0, 0, 1]));
  expect(await failureOf(callTool(readFileTool({ root }), { file_path: "image.png" }))).toBe(
    'TOOL_FILE_UNREADABLE: "image.png" is a binary file of 8 bytes; only text can be read.',
  );
});

test("what is not there, or is no file, is said in the model's own words", async () => {
  const { root } = await makeFolders();
  await writeFile(join(root, "a.txt"), "x");
  const tool = readFileTool({ root });
  expect(await failureOf(callTool(tool, { file_path: "none.txt" }))).toBe(
    'TOOL_FILE_UNREADABLE: "none.txt" does not exist.',
  );
  expect(await failureOf(callTool(tool, { file_path: "." }))).toBe('TOOL_FILE_UNREADABLE: "." is a folder.');
  expect(await failureOf(callTool(tool, { file_path: "a.txt/b" }))).toBe(
    'TOOL_FILE_UNREADABLE: "a.txt/b" has a file where its path needs a folder.',
  );
  expect(await failureOf(callTool(tool, { file_path: "a\0b" }))).toBe(
    String.raw`TOOL_FILE_UNREADABLE: "a\0b" has a zero byte in its name.`,
  );
});

test("reading is a low risk", async () => {
  const { root } = await makeFolders();
  expect(readFileTool({ root }).risk).toBe("low");
});
