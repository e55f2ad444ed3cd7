import { constants, type Dirent } from "node:fs";
import { access, readdir, realpath } from "node:fs/promises";
import { join } from "node:path";

export interface WalkEntry {
  /** Real and absolute, but for the last part of a link. */
  readonly path: string;
  /** 1 for what lies in the folder itself. */
  readonly depth: number;
  readonly kind: "file" | "folder" | "link" | "other" | "unreadable folder";
}

/**
 * What lies in a folder, by name, each folder before its contents. Links are named and never followed. `.git` and
 * `node_modules` are named; their contents are left out.
 */
export async function* walk(
  folder: string,
  maxDepth: number,
  signal: AbortSignal,
  depth = 1,
): AsyncGenerator<WalkEntry> {
  for (const entry of await readFolder(folder)) {
    signal.throwIfAborted();
    const path = join(folder, entry.name);
    const kind = kindOf(entry);
    if (kind !== "folder") {
      yield { path, depth, kind };
      continue;
    }
    // A folder that is a link by now leads elsewhere.
    const readable = (await realpath(path).catch(() => undefined)) === path && (await canRead(path));
    yield { path, depth, kind: readable ? "folder" : "unreadable folder" };
    if (readable && depth < maxDepth && !LEFT_OUT.has(entry.name)) yield* walk(path, maxDepth, signal, depth + 1);
  }
}

const LEFT_OUT: ReadonlySet<string> = new Set([".git", "node_modules"]);

async function readFolder(folder: string): Promise<readonly Dirent[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  return entries.toSorted((left, right) => (left.name < right.name ? -1 : 1));
}

async function canRead(folder: string): Promise<boolean> {
  try {
    await access(folder, constants.R_OK | constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function kindOf(entry: Dirent): "file" | "folder" | "link" | "other" {
  if (entry.isDirectory()) return "folder";
  if (entry.isFile()) return "file";
  return entry.isSymbolicLink() ? "link" : "other";
}
