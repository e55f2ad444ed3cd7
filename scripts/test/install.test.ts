import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { install, installError } from "../install.mjs";
import { temporaryFolder } from "./temporary-folder.ts";

const HERE = `${process.platform}-${process.arch}`;

test("nothing is done where node_modules fits the lockfile", async () => {
  const root = newRoot();
  mkdirSync(join(root, "node_modules"));
  writeFileSync(join(root, "node_modules/.hookscope-stamp"), stampOf(HERE));
  await install(root);
  expect(readdirSync(join(root, "node_modules"))).toEqual([".hookscope-stamp"]);
});

test("a package whose dependencies were cleaned away is installed again", async () => {
  const root = newRoot();
  mkdirSync(join(root, "node_modules"));
  writeFileSync(join(root, "node_modules/.hookscope-stamp"), stampOf(HERE));
  mkdirSync(join(root, "packages/hooks/node_modules"), { recursive: true });
  writeFileSync(join(root, "packages/hooks/package.json"), "{}");
  await install(root);
  rmSync(join(root, "packages/hooks/node_modules"), { recursive: true });
  await withoutPrograms(() => expect(install(root)).rejects.toMatchObject({ code: "RUN_NPX_MISSING" }));
});

test("a node_modules that cannot be written is refused", async () => {
  const root = newRoot();
  writeFileSync(join(root, "node_modules"), "a file, not a directory");
  await expect(install(root)).rejects.toMatchObject({
    code: "RUN_DIRECTORY_UNWRITABLE",
    message: `${join(root, "node_modules")} cannot be written (EEXIST). Make it writable and run this again.`,
  });
});

test("a node_modules in which nothing can be made is refused with the same words", async () => {
  const root = newRoot();
  mkdirSync(join(root, "node_modules"));
  // Root may write anywhere: a file where the lock is to be made does the same for everybody.
  writeFileSync(join(root, "node_modules/.hookscope-lock"), "");
  await expect(install(root)).rejects.toMatchObject({
    code: "RUN_DIRECTORY_UNWRITABLE",
    message: `${join(root, "node_modules")} cannot be written (ENOTDIR). Make it writable and run this again.`,
  });
});

test.for([
  { installed: "another lockfile", platform: HERE },
  { installed: "the same for another platform", platform: "another-platform" },
])("where $installed is installed, an install that fails leaves nothing that says so", async ({ platform }) => {
  const root = newRoot();
  mkdirSync(join(root, "node_modules"));
  writeFileSync(join(root, "node_modules/.hookscope-stamp"), stampOf(platform));
  if (platform === HERE) writeFileSync(join(root, "pnpm-lock.yaml"), "another lockfile");
  await withoutPrograms(() => expect(install(root)).rejects.toMatchObject({ code: "RUN_NPX_MISSING" }));
  expect(readdirSync(join(root, "node_modules"))).toEqual([".hookscope-install.log"]);
});

test("a missing lockfile is refused", async () => {
  const root = temporaryFolder();
  await expect(install(root)).rejects.toMatchObject({ code: "RUN_LOCKFILE_MISSING" });
});

test.for([
  ["npm error code ENOTFOUND", "RUN_NO_NETWORK"],
  ["npm error code SELF_SIGNED_CERT_IN_CHAIN", "RUN_CERTIFICATE_UNKNOWN"],
  ["GET … error (ECONNRESET). Will retry\nENOSPC: no space left on device", "RUN_DISK_FULL"],
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

test.for([129, 130, 143])("an install that ends with exit code %i was interrupted", (exitCode) => {
  expect(installError(exitCode, "ECONNRESET", "install.log")).toMatchObject({
    code: "RUN_INTERRUPTED",
    message: "the install was interrupted. Run this again",
  });
});

function stampOf(platform: string): string {
  return `${createHash("sha256").update("lockfile").digest("hex")} ${platform}`;
}

/** Where there is no npx. */
async function withoutPrograms(work: () => Promise<unknown>): Promise<void> {
  vi.stubEnv("PATH", temporaryFolder());
  try {
    await work();
  } finally {
    vi.unstubAllEnvs();
  }
}

function newRoot(): string {
  const root = temporaryFolder();
  writeFileSync(join(root, "pnpm-lock.yaml"), "lockfile");
  return root;
}
