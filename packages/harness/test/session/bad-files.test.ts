import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

import { createJsonLinesSessionStore, createSqliteSessionStore, userMessage } from "@hookscope/harness";
import { afterEach, beforeEach, describe, expect, test } from "vitest";

import { makeDirectory, removeDirectory } from "./places.ts";

let directory: string;
beforeEach(() => {
  directory = makeDirectory();
});
afterEach(() => removeDirectory(directory));

const HEADER = { type: "session", program: "hookscope", version: 1, id: "a", cwd: "", createdAt: 1 };
const FIRST = { type: "message", id: "1", parentId: null, timestamp: 1, message: userMessage("one") };
const MARKER = { type: "commit", timestamp: 1, entries: 1, leaf: "1", messages: 1 };
const EMPTY_MARKER = { ...MARKER, entries: 0 };

describe("a file that is no session", () => {
  const { id: _, ...WITHOUT_ID } = FIRST;
  test.for<readonly [name: string, content: string, code: string, says: string]>([
    ["is empty", "", "SESSION_FILE_INVALID", "it is empty"],
    ["is no JSON", "hello\nyou\n", "SESSION_FILE_INVALID", "another program's file"],
    ["is binary", "\u0000\u0001\ufffd\n", "SESSION_FILE_INVALID", "another program's file"],
    ["has a header cut short", JSON.stringify(HEADER), "SESSION_FILE_INVALID", "header is cut short"],
    ["has half a header", JSON.stringify(HEADER).slice(0, 20), "SESSION_FILE_INVALID", "another program's file"],
    [
      "is another program's session",
      lines({ ...HEADER, program: "other" }),
      "SESSION_FILE_INVALID",
      "another program's",
    ],
    [
      "is another program's session without a name",
      lines({ type: "session", version: 3, id: "a" }),
      "SESSION_FILE_INVALID",
      "another program's",
    ],
    ["is of a newer version", lines({ ...HEADER, version: 2 }), "SESSION_VERSION_NEWER", "version 2"],
    ["is of no version", lines({ ...HEADER, version: "1" }), "SESSION_FILE_INVALID", "its version"],
    ["was renamed", lines({ ...HEADER, id: "b" }, EMPTY_MARKER), "SESSION_FILE_INVALID", 'holds session "b"'],
    ["has a header without a directory", lines({ ...HEADER, cwd: 1 }), "SESSION_FILE_INVALID", "`cwd`"],
    [
      "has a time that no date can say",
      lines({ ...HEADER, createdAt: 1e300 }, EMPTY_MARKER),
      "SESSION_FILE_INVALID",
      "`createdAt`",
    ],
    ["has a line that is no entry", lines(HEADER, 1, MARKER, FIRST, MARKER), "SESSION_FILE_INVALID", "line 2"],
    ["has an entry without an id", lines(HEADER, WITHOUT_ID, MARKER, FIRST, MARKER), "SESSION_FILE_INVALID", "line 2"],
    ["has an id twice", lines(HEADER, FIRST, MARKER, FIRST, MARKER, EMPTY_MARKER), "SESSION_FILE_INVALID", "line 4"],
    [
      "has an entry behind none",
      lines(HEADER, { ...FIRST, parentId: "9" }, MARKER, FIRST, MARKER),
      "SESSION_FILE_INVALID",
      '"9"',
    ],
    ["has a commit without all its entries", lines(HEADER, MARKER, FIRST, MARKER), "SESSION_FILE_INVALID", "0 of 1"],
    [
      "has half a character in the middle",
      `${JSON.stringify(HEADER)}\n"\u0000"\n${lines(MARKER, FIRST, MARKER)}`,
      "SESSION_FILE_INVALID",
      "line 2",
    ],
  ])("that %s is refused, and stays as it is", async ([, content, code, says]) => {
    const path = join(directory, "a.jsonl");
    writeFileSync(path, content);
    const store = createJsonLinesSessionStore({ directory });
    for (const readOnly of [false, true]) {
      await expect(store.open("a", { readOnly })).rejects.toMatchObject({
        code,
        message: expect.stringContaining(says),
      });
    }
    await expect(store.create({ id: "a" })).rejects.toMatchObject({ code: "SESSION_EXISTS" });
    expect(readFileSync(path, "utf8")).toBe(content);
    expect(readdirSync(directory)).toEqual(["a.jsonl"]);
  });

  test("is listed with what is wrong with it, beside those that can be opened", async () => {
    const store = createJsonLinesSessionStore({ directory });
    await store.create({ id: "good" });
    writeFileSync(join(directory, "bad.jsonl"), "");
    writeFileSync(join(directory, "notes.txt"), "no session at all");
    const list = await store.list();
    expect(list.map(({ id, problem }) => [id, problem])).toEqual([
      ["good", undefined],
      ["bad", `SESSION_FILE_INVALID: ${join(directory, "bad.jsonl")}: it is empty.`],
    ]);
    await store.close();
  });

  test.for([
    ["a pipe", (path: string) => execFileSync("mkfifo", [path])],
    ["a device", (path: string) => symlinkSync("/dev/zero", path)],
  ] as const)("%s in the place of a file is refused, and listed, without a wait for ever", async ([, make]) => {
    const path = join(directory, "a.jsonl");
    make(path);
    const store = createJsonLinesSessionStore({ directory });
    const problem = `SESSION_FILE_INVALID: ${path}: it is no regular file.`;
    for (const readOnly of [false, true]) await expect(store.open("a", { readOnly })).rejects.toThrow(problem);
    expect((await store.list()).map((summary) => summary.problem)).toEqual([problem]);
    expect(readdirSync(directory)).toEqual(["a.jsonl"]);
  });

  test("a directory in the place of a file is refused", async () => {
    mkdirSync(join(directory, "a.jsonl"));
    const store = createJsonLinesSessionStore({ directory });
    await expect(store.open("a")).rejects.toMatchObject({ code: "SESSION_FILE_INVALID" });
  });

  test("a file in the place of the directory is SESSION_NOT_WRITABLE", async () => {
    const path = join(directory, "file");
    writeFileSync(path, "mine");
    await expect(createJsonLinesSessionStore({ directory: path }).create()).rejects.toMatchObject({
      code: "SESSION_NOT_WRITABLE",
    });
    expect(readFileSync(path, "utf8")).toBe("mine");
  });
});

describe("a database that is none of ours", () => {
  test.for<readonly [name: string, make: (path: string) => void, code: string]>([
    ["is no database", (path) => writeFileSync(path, "x".repeat(4096)), "SESSION_FILE_INVALID"],
    ["is another program's", (path) => run(path, "CREATE TABLE mine (a)"), "SESSION_FILE_INVALID"],
    [
      "is of a newer version",
      (path) => run(path, `PRAGMA application_id = ${0x486b536e}; PRAGMA user_version = 2`),
      "SESSION_VERSION_NEWER",
    ],
    ["is a directory", (path) => mkdirSync(path), "SESSION_NOT_WRITABLE"],
  ])("because it %s is refused, and stays as it is", ([, make, code]) => {
    const path = join(directory, "sessions.db");
    make(path);
    const before = contentOf(path);
    expect(() => createSqliteSessionStore({ path })).toThrow(expect.objectContaining({ code }));
    expect(contentOf(path)).toEqual(before);
  });

  test.for([
    [
      "behind itself",
      "UPDATE entries SET entry = json_set(entry, '$.parentId', json_extract(entry, '$.id'))",
      "entry 1 follows",
    ],
    ["that is none", "UPDATE entries SET entry = '1'", "entry 1 is none."],
    ["twice", "INSERT INTO entries SELECT session_id, position + 1, entry FROM entries", "entry 2 has the id"],
    ["too few", "DELETE FROM entries", "its last commit names no entry that is there"],
  ] as const)("an entry %s is refused, for reading as well", async ([, sql, says]) => {
    const path = join(directory, "sessions.db");
    const store = createSqliteSessionStore({ path });
    const session = await store.create({ id: "a" });
    await session.commit({ ...session.state(), messages: [userMessage("one")] });
    await session.close();
    run(path, sql);
    for (const readOnly of [false, true]) {
      await expect(store.open("a", { readOnly })).rejects.toMatchObject({
        code: "SESSION_FILE_INVALID",
        message: expect.stringContaining(`session "a" in ${path}: ${says}`),
      });
    }
    await store.close();
  });

  test("a row that cannot be read is refused, and listed with what is wrong", async () => {
    const path = join(directory, "sessions.db");
    const store = createSqliteSessionStore({ path });
    await (await store.create({ id: "a" })).close();
    run(path, "UPDATE sessions SET marker = 'nonsense'");
    await expect(store.open("a")).rejects.toMatchObject({ code: "SESSION_FILE_INVALID" });
    expect((await store.list()).map(({ problem }) => problem)).toEqual([
      `SESSION_FILE_INVALID: session "a" in ${path}: its last commit has no marker.`,
    ]);
    await store.close();
  });
});

function contentOf(path: string): Buffer | "directory" {
  return statSync(path).isDirectory() ? "directory" : readFileSync(path);
}

function lines(...values: readonly unknown[]): string {
  return values.map((value) => `${JSON.stringify(value)}\n`).join("");
}

function run(path: string, sql: string): void {
  const database = new DatabaseSync(path);
  database.exec(sql);
  database.close();
}
