import { randomUUID } from "node:crypto";
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { codeOf } from "./error.mjs";

const RETRY_MS = 100;

/**
 * Runs `work` while holding the lock directory at `path`; waits while another process holds it, and tells that once. A
 * lock whose process is gone is taken over.
 *
 * Every step is one rename: a lock appears with its owner's name in it, and goes away as a whole. An abandoned lock is
 * moved to a place named after that one lock and left there, so that a second process which also found it abandoned
 * cannot move away the lock of the first.
 * @template T
 * @param {string} path
 * @param {(text: string) => void} tell
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function withLock(path, tell, work) {
  const id = randomUUID();
  let told = false;
  while (!acquire(path, id)) {
    const owner = readOwner(path);
    if (owner !== undefined && !isAlive(owner.pid)) {
      move(path, `${path}-abandoned-${owner.id}`);
      continue;
    }
    if (owner !== undefined && !told) {
      tell(
        `Waiting for process ${owner.pid}, which holds ${path}. If that process is something else, delete the lock ...`,
      );
      told = true;
    }
    await wait(RETRY_MS);
  }
  try {
    return await work();
  } finally {
    move(path, `${path}-${id}`);
    rmSync(`${path}-${id}`, { recursive: true, force: true });
  }
}

/**
 * @param {string} path
 * @param {string} id
 */
function acquire(path, id) {
  const prepared = `${path}-${id}`;
  mkdirSync(prepared, { recursive: true });
  writeFileSync(join(prepared, "owner"), `${process.pid} ${id}`);
  const acquired = move(prepared, path);
  if (!acquired) rmSync(prepared, { recursive: true, force: true });
  return acquired;
}

/** @param {string} path */
function readOwner(path) {
  try {
    const [pid = "", id = ""] = readFileSync(join(path, "owner"), "utf8").split(" ");
    return { pid: Number(pid), id };
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw error;
  }
}

/** @param {number} pid */
function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) !== "ESRCH";
  }
}

/**
 * True where the directory was moved; false where `from` is gone or `to` is taken.
 * @param {string} from
 * @param {string} to
 */
function move(from, to) {
  try {
    renameSync(from, to);
    return true;
  } catch (error) {
    if (["ENOENT", "ENOTEMPTY", "EEXIST"].includes(codeOf(error) ?? "")) return false;
    throw error;
  }
}
