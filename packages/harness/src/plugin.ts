import type { Hook } from "@hookscope/hooks";

import type { AgentEventOf, AgentEventType } from "./events.ts";
import type { AgentMod } from "./mods.ts";
import type { Tool } from "./tool.ts";

export interface Plugin {
  readonly name: string;
}
export interface PluginHost {
  registerHook(hook: Hook): () => void;
  registerMod(mod: AgentMod): () => void;
  subscribe<Type extends AgentEventType>(type: Type, listener: (event: AgentEventOf<Type>) => void): () => void;
  addTool(tool: Tool): () => void;
}
export function loadPlugins(plugins: readonly Plugin[], host: PluginHost): void {
  void plugins;
  void host;
}
