import { linkSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";

import { HarnessError } from "../../errors.ts";
import { createHolder, decodeHolder, describeHolder, mayBeAlive, type Holder } from "../process-identity.ts";
import { codeOf, notWritable } from "./file-errors.ts";

/**
 * The lock of one session's file: a file beside it that says who holds it. It appears whole or not at all, since it is
 * written under another name and linked. A lock whose process is gone is moved away and taken.
 */
export class SessionLock {
  readonly #path: string;
  /** An inode is used again once it is free: its time tells them apart. */
  readonly #identity: string;

  /** @throws HarnessError SESSION_LOCKED, SESSION_NOT_WRITABLE */
  constructor(sessionPath: string) {
    this.#path = `${sessionPath}.lock`;
    const holder = createHolder();
    const own = `${this.#path}.${holder.token}`;
    try {
      writeFileSync(own, JSON.stringify(holder), { flag: "wx", mode: 0o600 });
      this.#identity = identityOf(own) as string;
      while (!tryLink(own, this.#path)) clearStale(this.#path, sessionPath);
    } catch (error) {
      throw error instanceof HarnessError ? error : notWritable(this.#path, error);
    } finally {
      discard(own);
    }
  }

  /** Whether nobody has taken or removed the lock meanwhile. */
  isHeld(): boolean {
    return identityOf(this.#path) === this.#identity;
  }

  release(): void {
    if (this.isHeld()) rmSync(this.#path, { force: true });
  }
}

/** What it was needed for failed or is done: where it cannot be removed, that is not what is to be said. */
function discard(own: string): void {
  try {
    rmSync(own, { force: true });
  } catch {
    // It is under a name that nobody looks for.
  }
}

function identityOf(path: string): string | undefined {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stats === undefined ? undefined : `${stats.ino} ${stats.mtimeNs}`;
}

function tryLink(own: string, path: string): boolean {
  try {
    linkSync(own, path);
    return true;
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false;
    throw error;
  }
}

/** @throws HarnessError SESSION_LOCKED where the holder may be alive */
function clearStale(path: string, sessionPath: string): void {
  const holder = readHolder(path, sessionPath);
  if (holder === undefined) return;
  if (mayBeAlive(holder)) throw locked(sessionPath, `${describeHolder(holder)}.`);
  const aside = `${path}.${crypto.randomUUID()}`;
  try {
    renameSync(path, aside);
  } catch (error) {
    if (codeOf(error) === "ENOENT") return;
    throw error;
  }
  // Between the look and the move another process may have taken the lock: then it is the other's that was moved.
  const wasStale = readHolder(aside, sessionPath)?.token === holder.token;
  if (!wasStale) tryLink(aside, path);
  rmSync(aside, { force: true });
}

/** Undefined: nobody holds it any more. */
function readHolder(path: string, sessionPath: string): Holder | undefined {
  let json: string;
  try {
    json = readFileSync(path, "utf8");
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw locked(
      sessionPath,
      `${path} cannot be read (${codeOf(error)}). Remove it if no process has the session open.`,
    );
  }
  const holder = decodeHolder(json);
  if (holder !== undefined) return holder;
  throw locked(sessionPath, `${path} says nothing readable. Remove it if no process has the session open.`);
}

export function locked(sessionPath: string, why: string): HarnessError {
  return new HarnessError("SESSION_LOCKED", `${sessionPath}: ${why}`);
}
