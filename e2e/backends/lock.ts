import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { BackendError } from "./error.ts";
import { poll } from "./poll.ts";

const WAIT_MS = 30 * 60_000;

/**
 * Runs `work` while holding the lock file. Waits for another living holder, up to 30 minutes; the lock of a
 * process that is gone is taken over.
 */
export async function withLock<T>(file: string, work: () => Promise<T>): Promise<T> {
  await mkdir(dirname(file), { recursive: true });
  await poll(() => acquire(file), {
    timeoutMs: WAIT_MS,
    intervalMs: 250,
    onTimeout: () =>
      new BackendError("BACKEND_BUILD_LOCKED", `another build holds ${file} for 30 minutes; end it or delete the file`),
  });
  try {
    return await work();
  } finally {
    await rm(file, { force: true });
  }
}

async function acquire(file: string): Promise<true | undefined> {
  try {
    await writeFile(file, String(process.pid), { flag: "wx" });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
  const holder = Number(await readFile(file, "utf8").catch(() => ""));
  // An empty file is a lock whose holder is about to write its id.
  if (holder > 0 && !isAlive(holder)) await rm(file, { force: true });
  return undefined;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
