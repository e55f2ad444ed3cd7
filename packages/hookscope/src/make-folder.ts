import { existsSync, mkdirSync } from "node:fs";
import { dirname } from "node:path";

/** One folder at a time: below /proc Node's recursive mkdir never returns. */
export function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  makeFolder(dirname(folder));
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // Another process made it meanwhile.
    if (!existsSync(folder)) throw error;
  }
}
