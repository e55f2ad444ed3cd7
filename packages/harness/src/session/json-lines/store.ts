import { createSystemClock, type Clock, type Logger } from "@hookscope/hooks";
import { constants } from "node:fs";
import { link, open, readdir, readFile, realpath, rm, unlink, writeFile, type FileHandle } from "node:fs/promises";
import { dirname, join } from "node:path";

import { HarnessError } from "../../errors.ts";
import { makeFolder } from "../../make-folder.ts";
import type { RecordedSession, SessionBackend, SessionCommit, SessionLog } from "../backend.ts";
import type { SessionHeader } from "../entries.ts";
import type { SessionStore, SessionSummary } from "../session.ts";
import { createSessionStore } from "../store.ts";
import { codeOf, notWritable, unreadable } from "./file-errors.ts";
import { FileLog, linesOf, type SyncPolicy } from "./file-log.ts";
import { fileNameOf, idOf } from "./file-name.ts";
import { SessionLock } from "./lock.ts";
import { openRegularFile } from "./open-file.ts";
import { parseSessionFile } from "./parse.ts";
import { readSummary } from "./summary.ts";

export interface JsonLinesStoreOptions {
  /** Where the files are: `<id>.jsonl`, one a session. Made where it is missing. */
  readonly directory: string;
  /** When a commit counts as written; `commit`. */
  readonly sync?: SyncPolicy;
  readonly clock?: Pick<Clock, "now">;
  /** Told when what was never committed is cut; default: a warning of the process. */
  readonly logger?: Logger;
}

/** Sessions as files of JSON lines, each with one writer at a time, whatever the process. */
export function createJsonLinesSessionStore(options: JsonLinesStoreOptions): SessionStore {
  const clock = options.clock ?? createSystemClock();
  return createSessionStore(new JsonLinesBackend({ ...options, clock }), { clock });
}

class JsonLinesBackend implements SessionBackend {
  readonly #directory: string;
  readonly #sync: SyncPolicy;
  readonly #clock: Pick<Clock, "now">;
  readonly #logger: Logger;

  constructor(options: JsonLinesStoreOptions & { readonly clock: Pick<Clock, "now"> }) {
    this.#directory = options.directory;
    this.#sync = options.sync ?? "commit";
    this.#clock = options.clock;
    this.#logger = options.logger ?? WARNING_LOGGER;
  }

  async create(header: SessionHeader, first: SessionCommit): Promise<SessionLog> {
    const path = this.#path(header.id);
    try {
      makeFolder(this.#directory);
    } catch (error) {
      throw notWritable(this.#directory, error);
    }
    const lock = new SessionLock(path);
    try {
      const bytes = Buffer.from(`${JSON.stringify(header)}\n${linesOf(first)}`);
      await this.#publish(path, bytes);
      return new FileLog(path, await open(path, "r+"), lock, { size: bytes.length, sync: this.#sync });
    } catch (error) {
      lock.release();
      throw error instanceof HarnessError ? error : notWritable(path, error);
    }
  }

  async open(id: string): Promise<{ session: RecordedSession; log: SessionLog }> {
    const path = await this.#realPath(id);
    const lock = new SessionLock(path);
    let handle: FileHandle | undefined;
    try {
      handle = await this.#openFile(path, id, constants.O_RDWR);
      const bytes = await readAll(handle, path);
      const { session, committedBytes } = parseSessionFile(bytes, id, path);
      if (committedBytes < bytes.length) await this.#cut(handle, path, bytes, committedBytes);
      return { session, log: new FileLog(path, handle, lock, { size: committedBytes, sync: this.#sync }) };
    } catch (error) {
      await handle?.close();
      lock.release();
      throw error;
    }
  }

  async read(id: string): Promise<RecordedSession> {
    const path = this.#path(id);
    const handle = await this.#openFile(path, id, constants.O_RDONLY);
    try {
      return parseSessionFile(await readAll(handle, path), id, path).session;
    } finally {
      await handle.close();
    }
  }

  async list(): Promise<readonly SessionSummary[]> {
    const names = await readdir(this.#directory).catch((error: unknown) => {
      if (codeOf(error) === "ENOENT") return [];
      throw unreadable(this.#directory, error);
    });
    const summaries: SessionSummary[] = [];
    for (const name of names) {
      const id = idOf(name);
      if (id !== undefined) summaries.push(await readSummary(join(this.#directory, name), id));
    }
    return summaries;
  }

  async delete(id: string): Promise<void> {
    const path = this.#path(id);
    const lock = new SessionLock(await this.#realPath(id));
    try {
      await unlink(path);
    } catch (error) {
      throw notWritable(path, error);
    } finally {
      lock.release();
    }
  }

  /** The file itself: one that is reached over several links has one lock all the same. */
  async #realPath(id: string): Promise<string> {
    const path = this.#path(id);
    await (await this.#openFile(path, id, constants.O_RDONLY)).close();
    return realpath(path);
  }

  #path(id: string): string {
    return join(this.#directory, fileNameOf(id));
  }

  async #openFile(path: string, id: string, flags: number): Promise<FileHandle> {
    try {
      return await openRegularFile(path, flags);
    } catch (error) {
      if (error instanceof HarnessError) throw error;
      if (codeOf(error) === "ENOENT") {
        throw new HarnessError("SESSION_NOT_FOUND", `there is no session "${id}" in ${this.#directory}.`);
      }
      if (codeOf(error) === "EISDIR") throw unreadable(path, error);
      throw flags === constants.O_RDONLY ? unreadable(path, error) : notWritable(path, error);
    }
  }

  /** Whole or not at all, and never over another: written under another name, then linked. */
  async #publish(path: string, bytes: Buffer): Promise<void> {
    const draft = `${path}.${crypto.randomUUID()}.new`;
    try {
      await writeFile(draft, bytes, { flag: "wx", mode: 0o600, flush: this.#sync === "commit" });
      await link(draft, path);
      if (this.#sync === "commit") await this.#makeNameDurable(path);
    } catch (error) {
      if (codeOf(error) !== "EEXIST") throw error;
      throw new HarnessError("SESSION_EXISTS", `${path} is there already. Open it, or take another id.`);
    } finally {
      await rm(draft, { force: true });
    }
  }

  /** Where that fails nobody is given the session, so that it must not be there. */
  async #makeNameDurable(path: string): Promise<void> {
    try {
      await syncDirectory(dirname(path));
    } catch (error) {
      await unlink(path);
      throw error;
    }
  }

  /** What was never committed is no part of the session; it is put aside all the same. */
  async #cut(handle: FileHandle, path: string, bytes: Buffer, committedBytes: number): Promise<void> {
    const aside = `${path}.cut-${Math.floor(this.#clock.now())}-${crypto.randomUUID().slice(0, 8)}`;
    const options = { flag: "wx", mode: 0o600, flush: this.#sync === "commit" } as const;
    try {
      await writeFile(aside, bytes.subarray(committedBytes), options);
    } catch (error) {
      // Half of it is of no use, and each try to open the session would leave another.
      await rm(aside, { force: true }).catch(() => undefined);
      throw notWritable(aside, error);
    }
    try {
      await handle.truncate(committedBytes);
      if (this.#sync === "commit") await handle.datasync();
    } catch (error) {
      throw notWritable(path, error);
    }
    const count = bytes.length - committedBytes;
    this.#logger.warn(
      `${path}: the last ${count} bytes belong to a round that was never committed. They were moved to ${aside}.`,
      { path, bytes: count, movedTo: aside },
    );
  }
}

const WARNING_LOGGER: Logger = { warn: (message) => process.emitWarning(message, "HookscopeSessionWarning") };

async function readAll(handle: FileHandle, path: string): Promise<Buffer> {
  try {
    return await readFile(handle);
  } catch (error) {
    throw unreadable(path, error);
  }
}

/** Makes the file's name durable. Windows cannot, and needs not. */
async function syncDirectory(directory: string): Promise<void> {
  if (process.platform === "win32") return;
  const handle = await open(directory, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
