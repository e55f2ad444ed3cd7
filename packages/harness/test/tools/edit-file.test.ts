import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { expect, test } from "vitest";

import { editFileTool } from "../../src/tools/index.ts";
import { callTool, failureOf, makeFolders } from "./call-tool.ts";

async function edit(content: string | Buffer, input: Record<string, unknown>): Promise<readonly [string, string]> {
  const { root } = await makeFolders();
  await writeFile(join(root, "a.txt"), content);
  const said = await callTool(editFileTool({ root, maxFileBytes: 1_000 }), { file_path: "a.txt", ...input }).then(
    (output) => output.content,
    (error: unknown) => (error as Error).message,
  );
  return [said, await readFile(join(root, "a.txt"), "utf8")];
}

test("an exact text that occurs once is replaced, and nothing else", async () => {
  const given = "\uFEFFconst price = 1;\r\n// $& stays\r\n";
  expect(await edit(given, { old_text: "price = 1", new_text: "price = $&2" })).toEqual([
    "Edited a.txt: 1 occurrence replaced.",
    "\uFEFFconst price = $&2;\r\n// $& stays\r\n",
  ]);
});

test("a text that occurs more than once is refused, unless all are to be replaced", async () => {
  expect(await edit("a b a", { old_text: "a", new_text: "c" })).toEqual([
    'TOOL_INPUT_INVALID: old_text occurs 2 times in "a.txt". Give more of the text around it, or set replace_all.',
    "a b a",
  ]);
  expect(await edit("a b a", { old_text: "a", new_text: "c", replace_all: true })).toEqual([
    "Edited a.txt: 2 occurrences replaced.",
    "c b c",
  ]);
});

test.for([
  {
    what: "a text that does not occur",
    input: { old_text: "x", new_text: "y" },
    said: 'old_text does not occur in "a.txt". Read the file and give the text exactly, white space included.',
  },
  {
    what: "an empty text",
    input: { old_text: "", new_text: "y" },
    said: "old_text is empty; use write_file for a whole file.",
  },
  {
    what: "a change that is none",
    input: { old_text: "a", new_text: "a" },
    said: "old_text and new_text are the same; there is nothing to change.",
  },
])("$what is refused, saying what to do", async ({ input, said }) => {
  expect(await edit("a b", input)).toEqual([`TOOL_INPUT_INVALID: ${said}`, "a b"]);
});

test("what cannot come back unchanged is not edited: binary, not UTF-8, too large", async () => {
  const input = { old_text: "a", new_text: "b" };
  expect((await edit(Buffer.from("a\0"), input))[0]).toBe(
    'TOOL_FILE_UNREADABLE: "a.txt" is a binary file of 2 bytes; only text can be edited.',
  );
  expect((await edit(Buffer.from([0x61, 0xff]), input))[0]).toBe(
    'TOOL_FILE_UNREADABLE: "a.txt" is not UTF-8; it cannot be edited without changing it.',
  );
  expect((await edit("a".repeat(1_001), input))[0]).toBe(
    'TOOL_FILE_UNREADABLE: "a.txt" has 1001 bytes; files of more than 1000 cannot be edited.',
  );
});

test("parallel edits of one file are all kept, also by different tools", async () => {
  const { root } = await makeFolders();
  await writeFile(join(root, "a.txt"), "0 1 2 3 4 5 6 7 8 9");
  await Promise.all(
    Array.from({ length: 10 }, (_, index) =>
      callTool(editFileTool({ root }), {
        file_path: "a.txt",
        old_text: `${index}`,
        new_text: `<${"abcdefghij"[index]}>`,
      }),
    ),
  );
  expect(await readFile(join(root, "a.txt"), "utf8")).toBe("<a> <b> <c> <d> <e> <f> <g> <h> <i> <j>");
});

test("a failed edit does not hold up the next", async () => {
  const { root } = await makeFolders();
  await writeFile(join(root, "a.txt"), "a");
  const tool = editFileTool({ root });
  const failed = callTool(tool, { file_path: "a.txt", old_text: "x", new_text: "y" });
  const next = callTool(tool, { file_path: "a.txt", old_text: "a", new_text: "b" });
  expect(await failureOf(failed)).toMatch(/^TOOL_INPUT_INVALID/);
  expect(await next).toEqual({ content: "Edited a.txt: 1 occurrence replaced." });
});
