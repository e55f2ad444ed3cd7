import { createHash } from "node:crypto";
import { accessSync, constants } from "node:fs";
import { basename, join } from "node:path";

import {
  createJsonLinesSessionStore,
  createMemorySessionStore,
  HarnessError,
  type Session,
  type SessionStore,
} from "@hookscope/harness";
import { makeFolder } from "@hookscope/harness/internal";
import type { Logger } from "@hookscope/hooks";

import type { Config } from "./config/config.ts";

/** The folder of a working directory's sessions: its name, and what tells apart those of one name. */
function sessionFolder({ sessionsDirectory }: Pick<Config, "sessionsDirectory">, directory: string): string {
  const digest = createHash("sha256").update(directory).digest("hex").slice(0, 12);
  const name = basename(directory)
    .replaceAll(/[^\w.-]/g, "_")
    .replace(/^\.+/, "")
    .slice(0, 40);
  return join(sessionsDirectory, `${name === "" ? "root" : name}-${digest}`);
}

/** @throws HarnessError SESSION_NOT_WRITABLE from what writes */
export function openSessionStore(config: Config, directory: string, logger: Logger): SessionStore {
  return createJsonLinesSessionStore({ directory: sessionFolder(config, directory), logger });
}

export interface SessionRequest {
  /** `--session`: resumed, or made where there is none; a new one where it is left out. */
  readonly id: string | undefined;
  /** `--branch`: the entry to go on from. */
  readonly branch: string | undefined;
  /** False: in memory, gone with the process. */
  readonly durable: boolean;
  readonly directory: string;
  readonly config: Config;
  readonly logger: Logger;
}

/** @throws HarnessError SESSION_LOCKED, SESSION_VERSION_NEWER and whatever else the store says */
export async function openSession(request: SessionRequest): Promise<Session> {
  const { id, branch, durable, directory, config, logger } = request;
  const store = durable ? openSessionStore(config, directory, logger) : createMemorySessionStore();
  if (durable) makeSessionFolder(config, directory);
  if (id === undefined) return store.create({ cwd: directory });
  const session = await resume(store, id, { directory, mustExist: branch !== undefined });
  if (branch === undefined) return session;
  try {
    await session.branch(branch);
    return session;
  } catch (error) {
    await session.close();
    throw error;
  }
}

async function resume(
  store: SessionStore,
  id: string,
  { directory, mustExist }: { readonly directory: string; readonly mustExist: boolean },
): Promise<Session> {
  try {
    return await store.open(id);
  } catch (error) {
    if (mustExist || !(error instanceof HarnessError) || error.code !== "SESSION_NOT_FOUND") throw error;
    return store.create({ id, cwd: directory });
  }
}

/** @throws HarnessError SESSION_NOT_WRITABLE */
export function makeSessionFolder(config: Config, directory: string): string {
  const folder = sessionFolder(config, directory);
  try {
    makeFolder(folder);
    accessSync(folder, constants.W_OK);
    return folder;
  } catch (error) {
    throw new HarnessError(
      "SESSION_NOT_WRITABLE",
      `${folder} cannot be written: ${(error as Error).message}. Set HOOKSCOPE_HOME to a folder that can be, or give --no-session.`,
      { cause: error },
    );
  }
}
