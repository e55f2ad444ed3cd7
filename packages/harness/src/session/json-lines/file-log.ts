import type { FileHandle } from "node:fs/promises";

import { HarnessError } from "../../errors.ts";
import type { SessionCommit, SessionLog } from "../backend.ts";
import { notWritable } from "./file-errors.ts";
import { locked, type SessionLock } from "./lock.ts";

/** `commit`: a commit is on the disk when it resolves (fdatasync). `never`: it is with the operating system. */
export type SyncPolicy = "commit" | "never";

/** Appends commits to an open file. */
export class FileLog implements SessionLog {
  readonly #path: string;
  readonly #handle: FileHandle;
  readonly #lock: SessionLock;
  readonly #sync: SyncPolicy;
  #size: number;
  /** Something of a failed commit may be past the end. */
  #isDirty = false;

  constructor(
    path: string,
    handle: FileHandle,
    lock: SessionLock,
    given: { readonly size: number; readonly sync: SyncPolicy },
  ) {
    this.#path = path;
    this.#handle = handle;
    this.#lock = lock;
    this.#sync = given.sync;
    this.#size = given.size;
  }

  async append(commit: SessionCommit): Promise<void> {
    if (!this.#lock.isHeld()) {
      throw locked(this.#path, "its lock was taken away. Nothing was written; open the session again.");
    }
    const bytes = Buffer.from(linesOf(commit));
    try {
      if (this.#isDirty) await this.#cutBack();
      this.#isDirty = true;
      await writeAll(this.#handle, bytes, this.#size);
      if (this.#sync === "commit") await this.#handle.datasync();
      this.#size += bytes.length;
      this.#isDirty = false;
    } catch (error) {
      // Where this fails too, the next commit tries again, and the next open cuts what has no marker.
      await this.#cutBack().catch(() => undefined);
      throw error instanceof HarnessError ? error : notWritable(this.#path, error);
    }
  }

  async close(): Promise<void> {
    try {
      await this.#handle.close();
    } finally {
      this.#lock.release();
    }
  }

  async #cutBack(): Promise<void> {
    await this.#handle.truncate(this.#size);
    this.#isDirty = false;
  }
}

export function linesOf({ lines, marker }: SessionCommit): string {
  return [...lines, JSON.stringify(marker), ""].join("\n");
}

/** In one write, where the system takes it as one. */
async function writeAll(handle: FileHandle, bytes: Uint8Array, position: number): Promise<void> {
  for (let written = 0; written < bytes.length;) {
    const { bytesWritten } = await handle.write(bytes, written, bytes.length - written, position + written);
    written += bytesWritten;
  }
}
