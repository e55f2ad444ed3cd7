import { join, resolve } from "node:path";

import { createSystemClock, type Clock } from "@hookscope/hooks";

import { HarnessError } from "../errors.ts";
import { createMessageQueue, type MessageQueue } from "../message-queue.ts";
import type { Session } from "../session/session.ts";
import { SharedChannel } from "./channel.ts";
import { findGiven, findInDirectory, type FoundMod, type ModOrigin } from "./discover.ts";
import { importMod } from "./import-mod.ts";
import { createLoadableMod, type LoadableMod, type ModSurroundings } from "./loaded-mod.ts";
import { LoadedMods } from "./loaded-mods.ts";
import { nameProblem } from "./names.ts";
import type { WorkspaceTrust } from "./trust.ts";

export interface LoadModsOptions {
  /** The workspace. */
  readonly cwd: string;
  /** Files or directories named by the caller, relative to `cwd`; they come first, and win names. */
  readonly paths?: readonly string[];
  /** The user's own, usually `<config home>/mods`. */
  readonly userDirectory?: string;
  /** The workspace's; default `<cwd>/.hookscope/mods`. Only from a trusted workspace. */
  readonly projectDirectory?: string;
  /** Without it no workspace is trusted. */
  readonly trust?: Pick<WorkspaceTrust, "isTrusted">;
  /** Names of mods without which nothing must start. */
  readonly required?: readonly string[];
  /** Ids of mods that are there already, beside the built-in ones. */
  readonly taken?: readonly string[];
  /** The session under way, for `cmd.session`. */
  readonly session?: () => Session | undefined;
  readonly queue?: MessageQueue;
  readonly clock?: Clock;
  /** How long each mod may take to load; 10,000 ms. */
  readonly timeoutMs?: number;
}

/** What became of a mod that was found. */
export interface ModLoadResult {
  readonly name: string;
  readonly path: string;
  readonly origin: ModOrigin;
  readonly status: "loaded" | "failed" | "shadowed" | "untrusted";
  /** Why it is not loaded, as a sentence. */
  readonly error?: string;
}

/**
 * Finds mods and loads them one after another: those the caller named, the user's, the workspace's. The first of a name
 * wins, and the loser is in the results. A mod that cannot be loaded is a result, not an error; the harness it is given to
 * says so in each of its sessions.
 *
 * @throws HarnessError MOD_REQUIRED_FAILED where a required mod is not loaded, with all of them and why; TRUST_FILE_INVALID
 */
export async function loadMods(options: LoadModsOptions): Promise<LoadedMods> {
  const { clock = createSystemClock(), queue = createMessageQueue(), timeoutMs = 10_000 } = options;
  const loaded = new Map<string, LoadableMod>();
  const results: ModLoadResult[] = [];
  const channel = new SharedChannel((modId, hook, error) => mods.modFailed(modId, hook, error));
  const surroundings: ModSurroundings = {
    cwd: resolve(options.cwd),
    clock,
    queue,
    channel,
    session: options.session ?? (() => undefined),
  };
  const mods = new LoadedMods(results, loaded, { queue, required: options.required ?? [] });
  const winners = new Map<string, string>();

  for (const { found, trusted } of await findAll(options)) {
    results.push(await load(found, trusted));
  }
  requireAll(options.required ?? [], results, () => mods.dispose());
  return mods;

  async function load(found: FoundMod, trusted: boolean): Promise<ModLoadResult> {
    const { problem: missing, ...identity } = found;
    if (!trusted) return { ...identity, status: "untrusted", error: UNTRUSTED };
    const shadow = nameProblem(found.name, options.taken ?? [], winners);
    if (shadow !== undefined) return { ...identity, status: "shadowed", error: shadow };
    winners.set(found.name, found.path);
    if (missing !== undefined) return { ...identity, status: "failed", error: missing };
    const mod = createLoadableMod(found.name, surroundings);
    try {
      await importMod(found.path, mod.api, clock, timeoutMs);
    } catch (error) {
      mod.registrations.dispose();
      return { ...identity, status: "failed", error: (error as HarnessError).message };
    }
    loaded.set(found.name, mod);
    return { ...identity, status: "loaded" };
  }
}

const UNTRUSTED = "the workspace is not trusted, so its mods are not run. Trust it first.";

async function findAll(options: LoadModsOptions): Promise<readonly { found: FoundMod; trusted: boolean }[]> {
  const { cwd, paths = [], userDirectory, projectDirectory = join(cwd, ".hookscope", "mods"), trust } = options;
  const given = await Promise.all(paths.map((path) => findGiven(path, cwd)));
  const user = userDirectory === undefined ? [] : await findInDirectory(userDirectory, "user");
  const project = await findInDirectory(projectDirectory, "project");
  const isTrusted = project.length > 0 && trust !== undefined && (await trust.isTrusted(cwd));
  return [
    ...[...given, ...user].map((found) => ({ found, trusted: true })),
    ...project.map((found) => ({ found, trusted: isTrusted })),
  ];
}

function requireAll(required: readonly string[], results: readonly ModLoadResult[], dispose: () => void): void {
  const problems = required.flatMap((name) => {
    const found = results.filter((result) => result.name === name);
    if (found.some(({ status }) => status === "loaded")) return [];
    const [first] = found;
    return first === undefined
      ? [`"${name}" was not found`]
      : [`"${name}" (${first.path}): ${first.error ?? first.status}`];
  });
  if (problems.length === 0) return;
  dispose();
  throw new HarnessError("MOD_REQUIRED_FAILED", `a required mod is not loaded: ${problems.join("; ")}`);
}
