import { spawnSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { expect, test } from "vitest";

import { makeFolders } from "./call-tool.ts";
import { isGone } from "./processes.ts";

const PROGRAM = fileURLToPath(new URL("exit-while-running.ts", import.meta.url));

test("a process that exits takes the commands with it that it runs", async () => {
  const { root } = await makeFolders();
  const { status } = spawnSync(process.execPath, ["--conditions=@hookscope/source", PROGRAM, root], {
    stdio: "inherit",
  });
  expect(status).toBe(3);
  expect(await isGone(Number(await readFile(join(root, "child"), "utf8")))).toBe(true);
});
