import type { Hook } from "@hookscope/hooks";

import { HarnessError } from "./errors.ts";
import type { AgentEventOf, AgentEventType } from "./events.ts";
import { Ledger, type Dispose } from "./ledger.ts";
import type { AgentMod, ModHooks } from "./mods.ts";
import { namedMod } from "./named-mod.ts";
import type { Tool } from "./tool.ts";

export type { Dispose } from "./ledger.ts";

/**
 * What a plugin registers with, while it registers or later. Each gives back what takes the registration away again; what is
 * left of them is taken away where the harness closes, after `on_session_finalize`. Then, and where the harness could not be
 * made, each throws HARNESS_CLOSED.
 */
export interface PluginContext {
  /** A bus hook; after those that are registered already. */
  hook(hook: Hook): Dispose;
  /** Lifecycle hooks of a mod. Its id is the plugin's name unless it brings one. */
  hooks(hooks: ModHooks & Partial<AgentMod>): Dispose;
  /** Watches events of the loop. */
  on<Type extends AgentEventType>(type: Type, listener: (event: AgentEventOf<Type>) => void): Dispose;
  addTool(tool: Tool): Dispose;
}

export interface Plugin {
  readonly name: string;
  /** Synchronous: hooks run in the order plugins are listed in. */
  register(context: PluginContext): void;
}

/** Where plugins' registrations go: the harness. `source` is the plugin's name. */
export interface PluginHost {
  registerHook(hook: Hook): Dispose;
  registerMod(mod: AgentMod, source: string): Dispose;
  subscribe<Type extends AgentEventType>(
    type: Type,
    listener: (event: AgentEventOf<Type>) => void,
    source: string,
  ): Dispose;
  addTool(tool: Tool, source: string): Dispose;
}

/** A plugin, checked where it is written. @throws HarnessError PLUGIN_INVALID */
export function definePlugin(plugin: Plugin): Plugin {
  if (typeof plugin?.name !== "string" || plugin.name.trim() === "") {
    throw new HarnessError("PLUGIN_INVALID", "a plugin needs a non-blank `name`.");
  }
  if (typeof plugin.register !== "function") {
    throw new HarnessError("PLUGIN_INVALID", `plugin "${plugin.name}": \`register\` is not a function.`);
  }
  return plugin;
}

/**
 * Registers plugins in order, all of them or none: when one fails, what was registered is taken away in reverse order.
 *
 * @returns what takes all of it away, in reverse order
 * @throws HarnessError PLUGIN_INVALID, naming the plugin, with what it threw as the cause
 */
export function loadPlugins(plugins: readonly Plugin[], host: PluginHost): Dispose {
  const ledger = new Ledger();
  const names = new Set<string>();
  try {
    for (const plugin of plugins) {
      definePlugin(plugin);
      if (names.has(plugin.name)) throw invalid(plugin.name, "is listed twice");
      names.add(plugin.name);
      load(plugin, host, ledger);
    }
  } catch (error) {
    ledger.dispose();
    throw error;
  }
  return () => {
    const [error] = ledger.dispose();
    if (error !== undefined) throw error;
  };
}

function load(plugin: Plugin, host: PluginHost, ledger: Ledger): void {
  let returned: unknown;
  try {
    returned = plugin.register(contextOf(plugin.name, host, ledger));
  } catch (error) {
    throw invalid(plugin.name, `failed to register: ${error instanceof Error ? error.message : String(error)}`, error);
  }
  if (returned instanceof Promise) {
    returned.catch(ignore);
    throw invalid(plugin.name, "has an asynchronous register; register at once, and do what takes time in a hook");
  }
}

function contextOf(name: string, host: PluginHost, ledger: Ledger): PluginContext {
  let mods = 0;
  const register = (begin: () => Dispose): Dispose => {
    if (!ledger.isDisposed) return ledger.add(begin());
    const problem = `plugin "${name}" can register nothing any more: its harness was closed, or could not be made.`;
    throw new HarnessError("HARNESS_CLOSED", problem);
  };
  return {
    hook: (hook) => register(() => host.registerHook(withSource(hook, name))),
    hooks(hooks) {
      mods += 1;
      const mod = isMod(hooks) ? hooks : namedMod(hooks, mods === 1 ? name : `${name}/${mods}`);
      return register(() => host.registerMod(mod, name));
    },
    on: (type, listener) => register(() => host.subscribe(type, listener, name)),
    addTool: (tool) => register(() => host.addTool(tool, name)),
  };
}

function isMod(hooks: ModHooks & Partial<AgentMod>): hooks is AgentMod {
  return hooks?.id !== undefined;
}

/** A hook may be an instance of a class: its own `call` keeps its `this`. Anything else is for the bus to refuse. */
function withSource(hook: Hook, source: string): Hook {
  if (typeof hook?.call !== "function") return hook;
  const { name, points, timeoutMs, reinvoke } = hook;
  return { name, points, timeoutMs, reinvoke, source, call: (event, context) => hook.call(event, context) };
}

function invalid(name: string, problem: string, cause?: unknown): HarnessError {
  const end = /[.?!]$/.test(problem) ? "" : ".";
  return new HarnessError("PLUGIN_INVALID", `plugin "${name}" ${problem}${end}`, { cause });
}

function ignore(): void {}
