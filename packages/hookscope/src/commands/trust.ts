import { resolve } from "node:path";

import { placesOf } from "../config/config.ts";
import { CommandError, EXIT } from "../errors.ts";
import { makeFolder } from "../make-folder.ts";
import { writeJson, writeLines, type OutputFlags, type Terminal } from "../terminal.ts";

/** Lets a workspace's own hookscope.toml and mods run. */
export async function trustWorkspace(
  terminal: Terminal,
  path: string | undefined,
  flags: OutputFlags,
): Promise<number> {
  const directory = resolve(terminal.workingDirectory, path ?? ".");
  const { trust, stateDirectory } = placesOf(terminal);
  makeFolder(stateDirectory);
  try {
    await trust.trust(directory);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT")
      throw new CommandError("COMMAND_PATH_UNUSABLE", `there is no folder ${directory}.`, { cause: error });
    throw error;
  }
  if (flags.json === true) writeJson(terminal.output, { trusted: directory });
  else
    writeLines(terminal.output, [
      `Trusted: ${directory}`,
      "Its hookscope.toml is read and its mods in .hookscope/mods are run from now on.",
    ]);
  return EXIT.done;
}
