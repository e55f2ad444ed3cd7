import { constants, realpathSync, statSync, type Stats } from "node:fs";
import { lstat, open, readlink, realpath, type FileHandle } from "node:fs/promises";
import { basename, dirname, join, relative, resolve, sep } from "node:path";

import { HarnessError } from "../errors.ts";
import { describeFileProblem, outsideWorkspace, unreadable } from "./file-problem.ts";

export interface OpenedFile {
  readonly handle: FileHandle;
  /** Real and absolute. */
  readonly path: string;
  readonly stats: Stats;
}

/**
 * A folder that file tools are confined to. A path is judged by where it really leads: links are resolved, also in the
 * parents of a file that does not exist yet. Node cannot open a file relative to an open folder, so a link that is put in
 * place between check and use is caught after opening, before anything is read, written or renamed.
 */
export class Workspace {
  /** Real and absolute. */
  readonly root: string;
  readonly #givenRoot: string;

  /** @throws HarnessError HARNESS_OPTION_INVALID when the root is no folder */
  constructor(root: string) {
    if (typeof root !== "string")
      throw new HarnessError("HARNESS_OPTION_INVALID", "`root` must be the path of a folder.");
    this.#givenRoot = resolve(root);
    this.root = realFolder(root, this.#givenRoot);
  }

  /**
   * The real path of what a tool was given, relative to the root or absolute. The last parts need not exist.
   *
   * @throws HarnessError PATH_OUTSIDE_WORKSPACE, TOOL_FILE_UNREADABLE
   */
  async locate(given: string): Promise<string> {
    const missing: string[] = [];
    for (let path = this.#normalise(given); ; path = dirname(path)) {
      const real = await resolveLinks(path, given);
      if (real !== undefined) {
        if (!this.contains(real)) throw outsideWorkspace(given);
        return join(real, ...missing);
      }
      missing.unshift(basename(path));
    }
  }

  /** @throws HarnessError PATH_OUTSIDE_WORKSPACE, TOOL_FILE_UNREADABLE where it is no regular file */
  async openForReading(given: string): Promise<OpenedFile> {
    const path = await this.locate(given);
    const handle = await open(path, READ).catch((error: unknown) => {
      throw describeFileProblem(error, given, "read");
    });
    try {
      await this.verify(handle, path, given);
      const stats = await handle.stat();
      if (stats.isDirectory()) throw unreadable(given, "is a folder");
      if (!stats.isFile()) throw unreadable(given, "is no regular file");
      return { handle, path, stats };
    } catch (error) {
      await handle.close();
      throw error;
    }
  }

  /** Whether an open file really lies inside; asked after opening. @throws HarnessError PATH_OUTSIDE_WORKSPACE */
  async verify(handle: FileHandle, path: string, given: string): Promise<void> {
    const actual = await readlink(`/proc/self/fd/${handle.fd}`).catch(() => realpath(path));
    if (!this.contains(actual)) throw outsideWorkspace(given);
  }

  contains(realPath: string): boolean {
    return isInside(this.root, realPath);
  }

  /** As people and models write it: from the root, with slashes. */
  display(realPath: string): string {
    const path = relative(this.root, realPath).replaceAll(sep, "/");
    return path === "" ? "." : path;
  }

  #normalise(given: string): string {
    if (given.includes("\0")) throw unreadable(given.replaceAll("\0", "\\0"), "has a zero byte in its name");
    const path = resolve(this.root, given);
    if (isInside(this.root, path)) return path;
    if (isInside(this.#givenRoot, path)) return join(this.root, relative(this.#givenRoot, path));
    throw outsideWorkspace(given);
  }
}

// Not following a last link and not waiting for a pipe's other end: neither exists on Windows.
const READ = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

function isInside(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

/** undefined: nothing is there. */
async function resolveLinks(path: string, given: string): Promise<string | undefined> {
  try {
    return await realpath(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ELOOP") throw outsideWorkspace(given);
    if (code !== "ENOENT") throw describeFileProblem(error, given, "read");
    // A link to nothing: what is written through it would appear where it points.
    const link = await lstat(path).catch(() => undefined);
    if (link !== undefined) throw outsideWorkspace(given);
    return undefined;
  }
}

function realFolder(root: string, absolute: string): string {
  try {
    if (statSync(absolute).isDirectory()) return realpathSync(absolute);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new HarnessError("HARNESS_OPTION_INVALID", `\`root\` is "${root}", which cannot be used (${code}).`, {
      cause: error,
    });
  }
  throw new HarnessError("HARNESS_OPTION_INVALID", `\`root\` is "${root}", which is no folder.`);
}
