import { chmodSync, chownSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { createJsonLinesSessionStore } from "@hookscope/harness";
import { afterEach, beforeEach, expect, test } from "vitest";

import { makeDirectory, removeDirectory } from "./places.ts";

/** Root may write everything, so the tests give root's rights away for the while; any number without rights will do. */
const NOBODY = 65_534;

let directory: string;
let path: string;
let before: string;
beforeEach(async () => {
  // Root's own temporary folder may be one that nobody else can enter.
  directory = process.geteuid?.() === 0 ? makeDirectory("/tmp") : makeDirectory();
  path = join(directory, "a.jsonl");
  const store = createJsonLinesSessionStore({ directory });
  await store.create({ id: "a" });
  await store.close();
  before = readFileSync(path, "utf8");
  if (process.geteuid?.() === 0) {
    chownSync(directory, NOBODY, NOBODY);
    chownSync(path, NOBODY, NOBODY);
    process.seteuid?.(NOBODY);
  }
});
afterEach(() => {
  if (process.getuid?.() === 0) process.seteuid?.(0);
  chmodSync(directory, 0o700);
  removeDirectory(directory);
});

test("a session whose file may not be written is SESSION_NOT_WRITABLE, and can still be read", async () => {
  chmodSync(path, 0o400);
  const store = createJsonLinesSessionStore({ directory });
  await expect(store.open("a")).rejects.toMatchObject({
    code: "SESSION_NOT_WRITABLE",
    message: `SESSION_NOT_WRITABLE: ${path} cannot be written: permission was denied (EACCES).`,
  });
  expect((await store.open("a", { readOnly: true })).entries()).toEqual([]);
  expect(readFileSync(path, "utf8")).toBe(before);
  expect(readdirSync(directory)).toEqual(["a.jsonl"]);
});

test("so is one in a directory that takes no lock, and a new one there", async () => {
  chmodSync(directory, 0o500);
  const store = createJsonLinesSessionStore({ directory });
  await expect(store.open("a")).rejects.toMatchObject({ code: "SESSION_NOT_WRITABLE" });
  await expect(store.create({ id: "b" })).rejects.toMatchObject({ code: "SESSION_NOT_WRITABLE" });
  await expect(store.delete("a")).rejects.toMatchObject({ code: "SESSION_NOT_WRITABLE" });
  expect(readdirSync(directory)).toEqual(["a.jsonl"]);
});

test("a session that may not be read is SESSION_FILE_INVALID, and listed with that", async () => {
  chmodSync(path, 0o000);
  const store = createJsonLinesSessionStore({ directory });
  await expect(store.open("a")).rejects.toMatchObject({ code: "SESSION_FILE_INVALID" });
  const [summary] = await store.list();
  expect(summary?.problem).toContain("EACCES");
});
