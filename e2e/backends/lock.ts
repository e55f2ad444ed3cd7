import { mkdir, rm, stat, utimes, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { BackendError } from "./error.ts";
import { poll } from "./poll.ts";

const WAIT_MS = 30 * 60_000;
const BEAT_MS = 5_000;
const STALE_MS = 30_000;

/**
 * Runs `work` while holding the lock file. Waits up to 30 minutes for another holder; a lock whose holder has
 * not touched it for 30 seconds is taken over. Two may then hold it for a moment: it saves work and protects
 * nothing, so `work` must be safe to do twice.
 */
export async function withLock<T>(file: string, work: () => Promise<T>): Promise<T> {
  await mkdir(dirname(file), { recursive: true });
  await poll(() => acquire(file), {
    timeoutMs: WAIT_MS,
    intervalMs: 250,
    onTimeout: () =>
      new BackendError("BACKEND_BUILD_LOCKED", `another build holds ${file} for 30 minutes; end it or delete the file`),
  });
  const beat = setInterval(() => void touch(file), BEAT_MS);
  try {
    return await work();
  } finally {
    clearInterval(beat);
    await rm(file, { force: true });
  }
}

async function acquire(file: string): Promise<true | undefined> {
  try {
    await writeFile(file, `${process.pid}\n`, { flag: "wx" });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
  const touched = (await stat(file).catch(() => undefined))?.mtimeMs ?? Date.now();
  if (Date.now() - touched > STALE_MS) await rm(file, { force: true });
  return undefined;
}

/** A lock that somebody deleted stays deleted. */
async function touch(file: string): Promise<void> {
  const now = new Date();
  await utimes(file, now, now).catch(() => undefined);
}
