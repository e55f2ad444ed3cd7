import { readFile, realpath, rename, unlink, writeFile } from "node:fs/promises";
import { dirname } from "node:path";

import { HarnessError } from "../errors.ts";
import { makeFolder } from "../make-folder.ts";

/** The workspaces whose own mods may run: a cloned repository must not run code because it was opened. */
export interface WorkspaceTrust {
  /** Only the very directory, links resolved: one below a trusted one is another workspace. */
  isTrusted(directory: string): Promise<boolean>;
  /** @throws HarnessError TRUST_FILE_NOT_WRITABLE; where there is no such directory, what looking for it failed with */
  trust(directory: string): Promise<void>;
}

/**
 * Kept in a file, which only its owner may read.
 *
 * @param options.path a JSON file; made where it is missing
 * @throws HarnessError TRUST_FILE_INVALID from its methods; the file is left as it is then
 */
export function createWorkspaceTrust({ path }: { readonly path: string }): WorkspaceTrust {
  let writing: Promise<unknown> = Promise.resolve();
  return {
    async isTrusted(directory) {
      const real = await realpath(directory).catch(() => undefined);
      return real !== undefined && (await readTrusted(path)).includes(real);
    },
    trust(directory) {
      const done = writing.then(() => add(path, directory));
      writing = done.catch(() => undefined);
      return done;
    },
  };
}

async function add(path: string, directory: string): Promise<void> {
  const real = await realpath(directory);
  const trusted = await readTrusted(path);
  if (trusted.includes(real)) return;
  const temporary = `${path}.${crypto.randomUUID()}.tmp`;
  const content = `${JSON.stringify({ version: 1, trusted: [...trusted, real] }, undefined, 2)}\n`;
  try {
    makeFolder(dirname(path));
    await writeFile(temporary, content, { mode: 0o600, flag: "wx" });
    await rename(temporary, path);
  } catch (error) {
    await unlink(temporary).catch(() => undefined);
    throw new HarnessError(
      "TRUST_FILE_NOT_WRITABLE",
      `${path} cannot be written: ${(error as Error).message}. ${real} is not trusted.`,
      { cause: error },
    );
  }
}

async function readTrusted(path: string): Promise<readonly string[]> {
  let content: string;
  try {
    content = await readFile(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw invalid(path, (error as Error).message, error);
  }
  let value: unknown;
  try {
    value = JSON.parse(content);
  } catch (error) {
    throw invalid(path, "it is no JSON", error);
  }
  const { version, trusted } = (value ?? {}) as { readonly version?: unknown; readonly trusted?: unknown };
  if (version !== 1) throw invalid(path, `its version is ${JSON.stringify(version)}, not 1`);
  if (!Array.isArray(trusted) || !trusted.every((entry) => typeof entry === "string")) {
    throw invalid(path, '"trusted" is no list of paths');
  }
  return trusted;
}

function invalid(path: string, problem: string, cause?: unknown): HarnessError {
  return new HarnessError(
    "TRUST_FILE_INVALID",
    `${path} cannot be read: ${problem}. No workspace is trusted until it is mended or removed.`,
    { cause },
  );
}
