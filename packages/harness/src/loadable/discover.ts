import { readdir, stat } from "node:fs/promises";
import { basename, extname, join, resolve } from "node:path";

/** Where a mod was found: named by the caller, in the user's directory, in the workspace's. */
export type ModOrigin = "given" | "user" | "project";

export interface FoundMod {
  readonly name: string;
  /** The file to import, absolute. */
  readonly path: string;
  readonly origin: ModOrigin;
  /** Why there is nothing to import. */
  readonly problem?: string;
}

const ENDINGS: readonly string[] = [".ts", ".mts", ".js", ".mjs"];

/** A file the caller named, or a directory with an index file. */
export async function findGiven(given: string, cwd: string): Promise<FoundMod> {
  const path = resolve(cwd, given);
  const name = nameOf(path);
  const found = await fileOf(path);
  return found === undefined
    ? { name, path, origin: "given", problem: "there is no such file, or no directory with an index file." }
    : { name, path: found, origin: "given" };
}

/**
 * The mods of a directory, by name: files, and directories with an index file. What begins with a dot or an underscore is
 * none, nor is a declaration file. A directory that does not exist has none.
 *
 * @throws what reading the directory throws, but for its absence
 */
export async function findInDirectory(directory: string, origin: ModOrigin): Promise<readonly FoundMod[]> {
  const entries: readonly string[] = await readdir(directory).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return [];
    throw error;
  });
  const found: FoundMod[] = [];
  for (const entry of entries.toSorted()) {
    if (entry.startsWith(".") || entry.startsWith("_") || /\.d\.m?ts$/u.test(entry)) continue;
    const path = await fileOf(join(directory, entry));
    if (path !== undefined) found.push({ name: nameOf(entry), path, origin });
  }
  return found;
}

async function fileOf(path: string): Promise<string | undefined> {
  const stats = await stat(path).catch(() => undefined);
  if (stats?.isFile() === true) return ENDINGS.includes(extname(path)) ? path : undefined;
  if (stats?.isDirectory() !== true) return undefined;
  for (const ending of ENDINGS) {
    const index = join(path, `index${ending}`);
    if ((await stat(index).catch(() => undefined))?.isFile() === true) return index;
  }
  return undefined;
}

function nameOf(path: string): string {
  const ending = extname(path);
  return ENDINGS.includes(ending) ? basename(path, ending) : basename(path);
}
