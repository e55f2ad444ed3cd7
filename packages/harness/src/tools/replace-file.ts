import { constants, type Stats } from "node:fs";
import { lstat, open, realpath, rename, unlink } from "node:fs/promises";
import { dirname, join } from "node:path";

import { makeFolder } from "../make-folder.ts";
import { describeFileProblem, outsideWorkspace, unreadable } from "./file-problem.ts";
import type { Workspace } from "./workspace.ts";

/**
 * Writes a whole file at once: readers see the old content or the new, never a part. Missing parents are made; a file
 * that exists keeps its permissions.
 *
 * @returns whether the file is new
 * @throws HarnessError PATH_OUTSIDE_WORKSPACE, TOOL_FILE_UNREADABLE; what the signal was aborted with
 */
export async function replaceFile(
  workspace: Workspace,
  given: string,
  content: string,
  signal: AbortSignal,
): Promise<boolean> {
  const path = await workspace.locate(given);
  if (path === workspace.root) throw unreadable(given, "is a folder");
  signal.throwIfAborted();
  try {
    const folder = dirname(path);
    makeFolder(folder, NEW_FOLDER_MODE);
    await checkFolder(folder, given);
    const old = await lstat(path).catch(() => undefined);
    if (old?.isDirectory() === true) throw unreadable(given, "is a folder");
    if (old?.isFile() === false) throw unreadable(given, "is no regular file");
    await writeBeside(workspace, { path, folder, given, content, old, signal });
    return old === undefined;
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    throw describeFileProblem(error, given, "written");
  }
}

interface Replacement {
  readonly path: string;
  readonly folder: string;
  readonly given: string;
  readonly content: string;
  readonly old: Stats | undefined;
  readonly signal: AbortSignal;
}

async function writeBeside(
  workspace: Workspace,
  { path, folder, given, content, old, signal }: Replacement,
): Promise<void> {
  const temporary = join(folder, `.${crypto.randomUUID()}.tmp`);
  const mode = old === undefined ? NEW_FILE_MODE : old.mode & PERMISSIONS;
  const handle = await open(temporary, CREATE, mode);
  try {
    try {
      await workspace.verify(handle, temporary, given);
      await handle.writeFile(content);
      // The mode of creation is subject to the umask; an old file's mode is to be kept as it was.
      if (old !== undefined) await handle.chmod(mode);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await checkFolder(folder, given);
    signal.throwIfAborted();
    await rename(temporary, path);
  } catch (error) {
    await unlink(temporary).catch(() => undefined);
    throw error;
  }
}

/** The folder was located without links; should it lead elsewhere now, somebody put a link in its way. */
async function checkFolder(folder: string, given: string): Promise<void> {
  if ((await realpath(folder)) !== folder) throw outsideWorkspace(given);
}

const CREATE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0);
const NEW_FILE_MODE = 0o666;
const NEW_FOLDER_MODE = 0o777;
const PERMISSIONS = 0o777;
