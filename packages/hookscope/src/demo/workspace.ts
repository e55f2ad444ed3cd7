import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { CommandError } from "../errors.ts";
import { PACKAGE_ROOT } from "../package-root.ts";

/** A throw-away copy of the demo's project. */
export interface Workspace {
  readonly root: string;
  remove(): Promise<void>;
}

/** @throws CommandError COMMAND_WORKSPACE_UNUSABLE */
export async function createWorkspace(): Promise<Workspace> {
  try {
    const root = await mkdtemp(join(tmpdir(), "hookscope-demo-"));
    await cp(fileURLToPath(new URL("demo-workspace", PACKAGE_ROOT)), root, { recursive: true });
    return { root, remove: () => rm(root, { recursive: true, force: true }) };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new CommandError("COMMAND_WORKSPACE_UNUSABLE", `${why}. Set TMPDIR to a folder that can be written.`, {
      cause: error,
    });
  }
}
