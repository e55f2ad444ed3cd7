import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";

const RETRY_MS = 200;
const NAMELESS_MS = 5_000;

/**
 * Runs `work` while holding the lock directory at `path`; waits for another holder. A lock whose process is gone is
 * taken over.
 */
export async function withLock(path, work) {
  while (!acquire(path)) {
    if (isAbandoned(path)) remove(path);
    else await wait(RETRY_MS);
  }
  try {
    return await work();
  } finally {
    remove(path);
  }
}

function acquire(path) {
  try {
    mkdirSync(path);
  } catch (error) {
    if (error.code === "EEXIST") return false;
    throw error;
  }
  writeFileSync(join(path, "pid"), String(process.pid));
  return true;
}

function isAbandoned(path) {
  try {
    const pid = Number(readFileSync(join(path, "pid"), "utf8"));
    // Between the directory and the name in it, a holder is nameless for a moment.
    if (!pid) return Date.now() - statSync(path).mtimeMs > NAMELESS_MS;
    process.kill(pid, 0);
    return false;
  } catch (error) {
    if (error.code === "ESRCH") return true;
    if (error.code === "ENOENT") return isNamelessTooLong(path);
    return false;
  }
}

function isNamelessTooLong(path) {
  const age = statSync(path, { throwIfNoEntry: false })?.mtimeMs;
  return age !== undefined && Date.now() - age > NAMELESS_MS;
}

// Renamed first: of several processes that find the same abandoned lock, only one can take it away.
function remove(path) {
  const aside = `${path}-${process.pid}`;
  try {
    renameSync(path, aside);
  } catch (error) {
    if (error.code === "ENOENT") return;
    throw error;
  }
  rmSync(aside, { recursive: true, force: true });
}
