import type { Hook } from "@hookscope/hooks";

import { HarnessError } from "./errors.ts";
import type { AgentEventOf, AgentEventType } from "./events.ts";
import type { AgentMod, ModHooks } from "./mods.ts";
import type { Tool } from "./tool.ts";

export type Dispose = () => void;

/** What a plugin registers with. Each gives back what takes the registration away again. */
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
  return () => ledger.dispose();
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
  return {
    hook: (hook) => ledger.add(host.registerHook(withSource(hook, name))),
    hooks(hooks) {
      mods += 1;
      const mod = isMod(hooks) ? hooks : { ...hooks, id: mods === 1 ? name : `${name}/${mods}` };
      return ledger.add(host.registerMod(mod, name));
    },
    on: (type, listener) => ledger.add(host.subscribe(type, listener, name)),
    addTool: (tool) => ledger.add(host.addTool(tool, name)),
  };
}

function isMod(hooks: ModHooks & Partial<AgentMod>): hooks is AgentMod {
  return hooks.id !== undefined;
}

/** A hook may be an instance of a class: its own `call` keeps its `this`. Anything else is for the bus to refuse. */
function withSource(hook: Hook, source: string): Hook {
  if (typeof hook?.call !== "function") return hook;
  const { name, points, timeoutMs, reinvoke } = hook;
  return { name, points, timeoutMs, reinvoke, source, call: (event, context) => hook.call(event, context) };
}

/** Registrations, and how to take them away: once each, the last one first. */
class Ledger {
  readonly #entries = new Set<Dispose>();

  add(dispose: Dispose): Dispose {
    const once = (): void => {
      if (this.#entries.delete(once)) dispose();
    };
    this.#entries.add(once);
    return once;
  }

  /** All are taken away, whatever one of them throws; the first error is thrown then. */
  dispose(): void {
    const errors: unknown[] = [];
    for (const dispose of [...this.#entries].toReversed()) {
      try {
        dispose();
      } catch (error) {
        errors.push(error);
      }
    }
    if (errors.length > 0) throw errors[0];
  }
}

function invalid(name: string, problem: string, cause?: unknown): HarnessError {
  return new HarnessError("PLUGIN_INVALID", `plugin "${name}" ${problem}.`, { cause });
}

function ignore(): void {}
