import { existsSync, mkdirSync } from "node:fs";
import { dirname } from "node:path";

const OWNER_ONLY = 0o700;

/**
 * Makes a folder and what is missing above it, one after another: below /proc, for one, Node's recursive mkdir never
 * returns.
 *
 * @throws what making the first that cannot be made failed with
 */
export function makeFolder(folder: string, mode: number = OWNER_ONLY): void {
  if (existsSync(folder)) return;
  const parent = dirname(folder);
  if (parent !== folder) makeFolder(parent, mode);
  try {
    mkdirSync(folder, { mode });
  } catch (error) {
    // Another process made it meanwhile.
    if (!existsSync(folder)) throw error;
  }
}
