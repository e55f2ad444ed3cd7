import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

import { definePlugin, type Plugin } from "@hookscope/harness";

import type { Config } from "../config/config.ts";
import { CommandError } from "../errors.ts";

/**
 * The plugins of the file, in its order.
 *
 * @throws CommandError PLUGIN_LOAD_FAILED: a plugin may be a policy, so nothing starts without it
 */
export async function loadConfiguredPlugins({ settings, baseDirectory }: Config): Promise<readonly Plugin[]> {
  const plugins: Plugin[] = [];
  for (const path of settings.plugins?.paths ?? []) plugins.push(await loadPlugin(resolve(baseDirectory, path)));
  return plugins;
}

async function loadPlugin(path: string): Promise<Plugin> {
  try {
    const module = (await import(pathToFileURL(path).href)) as { readonly default?: unknown };
    if (module.default === undefined) throw new Error("it has no default export; export the plugin by default");
    return definePlugin(module.default as Plugin);
  } catch (error) {
    const problem = (error instanceof Error ? error.message : String(error)).replace(/\.$/, "");
    throw new CommandError("PLUGIN_LOAD_FAILED", `${path}: ${problem}.`, { cause: error });
  }
}
