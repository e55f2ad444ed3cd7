import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { install, installError } from "../install.mjs";

test("nothing is done where node_modules fits the lockfile", async () => {
  const root = newRoot();
  mkdirSync(join(root, "node_modules"));
  const stamp = createHash("sha256").update("lockfile").digest("hex");
  writeFileSync(join(root, "node_modules/.hookscope-stamp"), stamp);
  await install(root);
  expect(readdirSync(join(root, "node_modules"))).toEqual([".hookscope-stamp"]);
});

test("a node_modules that cannot be written is refused", async () => {
  const root = newRoot();
  writeFileSync(join(root, "node_modules"), "a file, not a directory");
  await expect(install(root)).rejects.toMatchObject({
    code: "RUN_DIRECTORY_UNWRITABLE",
    message: `${join(root, "node_modules")} cannot be written (EEXIST). Make it writable and run this again.`,
  });
});

test("a missing lockfile is refused", async () => {
  const root = mkdtempSync(join(tmpdir(), "hookscope-install-"));
  await expect(install(root)).rejects.toMatchObject({ code: "RUN_LOCKFILE_MISSING" });
});

test.for([
  ["npm error code ENOTFOUND", "RUN_NO_NETWORK"],
  ["ENOSPC: no space left on device", "RUN_DISK_FULL"],
  ["EROFS: read-only file system", "RUN_DIRECTORY_UNWRITABLE"],
  ["ERR_PNPM_OUTDATED_LOCKFILE", "RUN_LOCKFILE_OUTDATED"],
  ["something else", "RUN_INSTALL_FAILED"],
] as const)('an install that prints "%s" fails with %s and names its full output', ([output, code]) => {
  expect(installError(1, output, "install.log")).toMatchObject({
    code,
    message: expect.stringMatching(/\. The full output is in install\.log$/),
  });
});

function newRoot(): string {
  const root = mkdtempSync(join(tmpdir(), "hookscope-install-"));
  writeFileSync(join(root, "pnpm-lock.yaml"), "lockfile");
  return root;
}
