import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { createJsonLinesSessionStore } from "@hookscope/harness";
import { afterEach, beforeEach, expect, test } from "vitest";

import { makeDirectory, removeDirectory } from "./places.ts";

let directory: string;
beforeEach(async () => {
  directory = makeDirectory();
  const store = createJsonLinesSessionStore({ directory });
  await store.create({ id: "a" });
  await store.close();
});
afterEach(() => removeDirectory(directory));

/** Where a write past it fails in the middle, as on a full disk: the system's limit on the size of a file, in blocks of 512 bytes. */
const LIMIT_BLOCKS = 40;

test("a commit that the disk has no room for ends the turn as an error, and none of it is in the file", async () => {
  const child = startLimited("fill-disk.ts", directory);
  const [[report], [exitCode]] = await Promise.all([once(child, "message"), once(child, "exit")]);
  const { turns } = report as { readonly turns: number };
  expect(turns).toBeGreaterThan(2);
  expect(report).toEqual({
    type: "failed",
    stopReason: "error",
    code: "SESSION_NOT_WRITABLE",
    says: expect.stringContaining("larger than a file may be (EFBIG)"),
    isUnchanged: true,
    recordedTurns: turns - 1,
    turns,
  });
  expect(exitCode).toBe(0);
  const session = await createJsonLinesSessionStore({ directory, logger: { warn: failOnWarning } }).open("a");
  expect(session.state().messages.length).toBe(2 * (turns - 1));
  await session.close();
});

test("what was never committed stays where it is, where there is no room to put it aside", async () => {
  const path = join(directory, "a.jsonl");
  appendFileSync(path, "x".repeat(2 * LIMIT_BLOCKS * 512));
  const before = readFileSync(path);
  const child = startLimited("open-session.ts", "json-lines", directory, "a");
  await once(child, "message");
  child.send("go");
  const [[report]] = await Promise.all([once(child, "message"), once(child, "exit")]);
  expect(report).toEqual({ type: "refused", code: "SESSION_NOT_WRITABLE" });
  expect(readdirSync(directory)).toEqual(["a.jsonl"]);
  expect(readFileSync(path).equals(before)).toBe(true);
});

function startLimited(fixture: string, ...given: readonly string[]): ChildProcess {
  const path = fileURLToPath(new URL(`./fixtures/${fixture}`, import.meta.url));
  // Without the trap the system kills the process instead of failing the write.
  const command = `trap "" XFSZ; ulimit -f ${LIMIT_BLOCKS}; exec "$0" --conditions=@hookscope/source "$@"`;
  return spawn("sh", ["-c", command, process.execPath, path, ...given], {
    stdio: ["ignore", "ignore", "inherit", "ipc"],
    env: { ...process.env, NODE_COMPILE_CACHE: "" },
  });
}

function failOnWarning(message: string): void {
  throw new Error(message);
}
