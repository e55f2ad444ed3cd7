import { constants } from "node:fs";
import { open, type FileHandle } from "node:fs/promises";

import { invalid } from "../decode.ts";

/**
 * Opens a file that is one: a pipe would be waited for, and a device read for ever.
 *
 * @throws what opening it fails with; HarnessError SESSION_FILE_INVALID
 */
export async function openRegularFile(path: string, flags: number): Promise<FileHandle> {
  // Windows has no such flag, and no such files.
  const handle = await open(path, flags | (constants.O_NONBLOCK ?? 0));
  try {
    const stats = await handle.stat();
    if (!stats.isFile() && !stats.isDirectory()) throw invalid(path, "it is no regular file.");
    return handle;
  } catch (error) {
    await handle.close();
    throw error;
  }
}
