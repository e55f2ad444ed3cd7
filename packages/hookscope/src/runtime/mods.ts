import { join, relative, resolve } from "node:path";

import { HarnessError, loadMods, type LoadedMods, type ModLoadResult, type Session } from "@hookscope/harness";

import type { Config } from "../config/config.ts";

export interface ModRequest {
  readonly config: Config;
  readonly directory: string;
  /** `--mod`: before those of the file. */
  readonly paths: readonly string[];
  /** Ids of mods that are there already. */
  readonly taken?: readonly string[];
  readonly session?: () => Session | undefined;
}

/** @throws HarnessError MOD_REQUIRED_FAILED, TRUST_FILE_INVALID */
export async function loadConfiguredMods({
  config,
  directory,
  paths,
  taken = [],
  session,
}: ModRequest): Promise<LoadedMods> {
  const { settings, baseDirectory, configDirectory, trust } = config;
  const configured = (settings.mods?.paths ?? []).map((path) => resolve(baseDirectory, path));
  return loadMods({
    cwd: directory,
    paths: [...new Set([...paths.map((path) => resolve(directory, path)), ...configured])],
    userDirectory: join(configDirectory, "mods"),
    trust,
    required: settings.mods?.required ?? [],
    taken,
    ...(session === undefined ? {} : { session }),
  });
}

/** A required mod may have been loaded and then refused by the harness. @throws HarnessError MOD_REQUIRED_FAILED */
export function requireMods({ results }: LoadedMods, required: readonly string[] = []): void {
  const problems = required.flatMap((name) => {
    const failed = results.find((result) => result.name === name && result.status === "failed");
    return failed === undefined ? [] : [`"${name}" (${failed.path}): ${failed.error ?? "it was refused"}`];
  });
  if (problems.length === 0) return;
  throw new HarnessError("MOD_REQUIRED_FAILED", `a required mod is not loaded: ${problems.join("; ")}`);
}

/** What a person should know before the turn: a guard that is missing must be seen. */
export function modNotes(results: readonly ModLoadResult[], directory: string): readonly string[] {
  const untrusted = results.filter(({ status }) => status === "untrusted").length;
  return [
    ...results
      .filter(({ status }) => status === "failed" || status === "shadowed")
      .map(({ name, path, error }) => `the mod "${name}" (${relative(directory, path)}) is not loaded: ${error ?? ""}`),
    ...(untrusted === 0
      ? []
      : [
          `${untrusted} ${untrusted === 1 ? "mod" : "mods"} of this workspace ${untrusted === 1 ? "is" : "are"} not run, since it is not trusted: see \`hookscope mods list\`, then \`hookscope trust\`.`,
        ]),
  ];
}
