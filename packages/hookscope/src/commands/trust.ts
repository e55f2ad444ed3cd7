import { statSync } from "node:fs";
import { resolve } from "node:path";

import { makeFolder } from "@hookscope/harness/internal";

import { placesOf } from "../config/config.ts";
import { CommandError, EXIT } from "../errors.ts";
import { writeJson, writeLines, writeText, type OutputFlags, type Terminal } from "../terminal.ts";
import { printable } from "../timeline/text.ts";

/** Lets a workspace's own hookscope.toml and mods run. */
export async function trustWorkspace(
  terminal: Terminal,
  path: string | undefined,
  flags: OutputFlags,
): Promise<number> {
  const directory = resolve(terminal.workingDirectory, path ?? ".");
  const { trust, stateDirectory } = placesOf(terminal);
  if (!isFolder(directory)) throw new CommandError("COMMAND_PATH_UNUSABLE", `there is no folder ${directory}.`);
  makeFolder(stateDirectory);
  await trust.trust(directory);
  if (flags.json === true) writeJson(terminal.output, { trusted: directory });
  else {
    // A path is not broken, so that it can be copied.
    writeLines(terminal.output, [`Trusted: ${printable(directory)}`]);
    writeText(terminal, flags, "Its hookscope.toml is read and its mods in .hookscope/mods are run from now on.");
  }
  return EXIT.done;
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
