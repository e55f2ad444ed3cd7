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
const ENDINGS_SAID = ".ts, .mts, .js or .mjs";

/** A file the caller named, or a directory with an index file. */
export async function findGiven(given: string, cwd: string): Promise<FoundMod> {
  const path = resolve(cwd, given);
  const identity = { name: nameOf(path), path, origin: "given" } as const;
  const found = await look(path);
  if ("path" in found) return { ...identity, path: found.path };
  if (found.code === "ENOENT" || found.code === "NO_INDEX") {
    return { ...identity, problem: "there is no such file, or no directory with an index file." };
  }
  return {
    ...identity,
    problem: found.code === "NO_MOD" ? `it is no ${ENDINGS_SAID} file.` : cannotBeLookedAt(found.code),
  };
}

/**
 * The mods of a directory, by name: files, and directories with an index file. What begins with a dot or an underscore is
 * none, nor is a declaration file. A directory that does not exist has none. One that cannot be read has a problem: a guard
 * may be in it.
 */
export async function findInDirectory(directory: string, origin: ModOrigin): Promise<readonly FoundMod[]> {
  let entries: readonly string[];
  try {
    entries = await readdir(directory);
  } catch (error) {
    const code = codeOf(error);
    if (code === "ENOENT") return [];
    const problem = `the directory cannot be read (${code}), so none of its mods is loaded.`;
    return [{ name: `${origin} mods`, path: directory, origin, problem }];
  }
  const found: FoundMod[] = [];
  for (const entry of entries.toSorted()) {
    if (entry.startsWith(".") || entry.startsWith("_") || /\.d\.m?ts$/u.test(entry)) continue;
    const path = join(directory, entry);
    const at = await look(path);
    if ("path" in at) found.push({ name: nameOf(entry), path: at.path, origin });
    else if (at.code !== "NO_INDEX" && at.code !== "NO_MOD" && mayBeMod(entry)) {
      found.push({ name: nameOf(entry), path, origin, problem: cannotBeLookedAt(at.code) });
    }
  }
  return found;
}

/** The file to import, or why there is none: what the system says, or that it is no mod. */
async function look(path: string): Promise<{ readonly path: string } | { readonly code: string }> {
  const stats = await stat(path).catch(codeOf);
  if (typeof stats === "string") return { code: stats };
  if (stats.isFile()) return ENDINGS.includes(extname(path)) ? { path } : { code: "NO_MOD" };
  if (!stats.isDirectory()) return { code: "NO_MOD" };
  for (const ending of ENDINGS) {
    const index = join(path, `index${ending}`);
    if ((await stat(index).catch(() => undefined))?.isFile() === true) return { path: index };
  }
  return { code: "NO_INDEX" };
}

/** A file by its ending, or a directory. */
function mayBeMod(entry: string): boolean {
  return ["", ...ENDINGS].includes(extname(entry));
}

function cannotBeLookedAt(code: string): string {
  return `it cannot be looked at (${code})${code === "ENOENT" ? "; is it a link that leads nowhere?" : "."}`;
}

function codeOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return code ?? message;
}

function nameOf(path: string): string {
  const ending = extname(path);
  return ENDINGS.includes(ending) ? basename(path, ending) : basename(path);
}
