import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { withLock } from "../lock.mjs";
import { temporaryFolder } from "./temporary-folder.ts";

test("two that want the lock work one after the other", async () => {
  const path = newLock();
  const steps: string[] = [];
  const work = (name: string) => async () => {
    steps.push(`${name} begins`);
    await new Promise(setImmediate);
    steps.push(`${name} ends`);
  };
  const told: string[] = [];
  const tell = (text: string) => void told.push(text);
  await Promise.all([withLock(path, tell, work("first")), withLock(path, tell, work("second"))]);
  expect(steps).toEqual(["first begins", "first ends", "second begins", "second ends"]);
  expect(told).toEqual([
    `Waiting for process ${process.pid}, which holds ${path}. If that process is something else, delete the lock ...`,
  ]);
});

test("the lock is gone afterwards, also when the work fails", async () => {
  const path = newLock();
  await expect(withLock(path, nobody, () => Promise.reject(new Error("no")))).rejects.toThrow("no");
  expect(readdirSync(join(path, ".."))).toEqual([]);
});

test("a lock whose process is gone is taken over", async () => {
  const path = newLock();
  const { pid } = spawnSync(process.execPath, ["-e", ""]);
  mkdirSync(path);
  writeFileSync(join(path, "owner"), `${pid} some-lock`);
  expect(await withLock(path, nobody, async () => "worked")).toBe("worked");
});

const nobody = (): void => undefined;

function newLock(): string {
  return join(temporaryFolder(), "lock");
}
