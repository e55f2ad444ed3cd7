import type { Clock } from "@hookscope/hooks";

import { HarnessError } from "../errors.ts";
import type { MessageQueue } from "../message-queue.ts";
import type { ModHooks, AgentMod } from "../mods.ts";
import { namedMod } from "../named-mod.ts";
import type { Session } from "../session/session.ts";
import type { SharedChannel } from "./channel.ts";
import { execute } from "./exec.ts";
import type { ModApi } from "./mod-api.ts";
import { isBuiltInName } from "./names.ts";
import { Registrations } from "./registrations.ts";

export interface ModSurroundings {
  readonly cwd: string;
  readonly clock: Clock;
  readonly queue: MessageQueue;
  readonly channel: SharedChannel;
  readonly session: () => Session | undefined;
}

/** A mod under its name: what its factory is given, and what it registered. */
export interface LoadableMod {
  readonly api: ModApi;
  readonly registrations: Registrations;
}

export function createLoadableMod(name: string, surroundings: ModSurroundings): LoadableMod {
  const { cwd, clock, queue, channel, session } = surroundings;
  const registrations = new Registrations();
  const ownChannel = channel.for(name);
  let mods = 0;
  const api: ModApi = {
    name,
    cwd,
    get session() {
      return session()?.modSession(name);
    },
    events: {
      emit: (type, data) => ownChannel.emit(type, data),
      on: (type, listener) => registrations.add(() => ownChannel.on(type, listener)),
    },
    hooks(hooks: ModHooks & Partial<AgentMod>) {
      mods += 1;
      const mod = namedMod(hooks, hooks?.id ?? (mods === 1 ? name : `${name}/${mods}`));
      if (isBuiltInName(mod.id)) {
        const problem = `mod "${name}" cannot have hooks with the id "${mod.id}", which is a built-in mod's.`;
        throw new HarnessError("MOD_ID_DUPLICATE", problem);
      }
      return registrations.add((host) => host.registerMod(mod));
    },
    on: (type, listener) => registrations.add((host) => host.subscribe(type, listener, name)),
    addTool: (tool) => registrations.add((host) => host.addTool(name, tool)),
    queueMessage: (message) => queue.queueMessage(message),
    exec: (command, args = [], options = {}) => execute({ ...options, command, args, cwd, clock }),
  };
  return { api, registrations };
}
