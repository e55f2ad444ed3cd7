import type { AgentEventOf, AgentEventType } from "../events.ts";
import type { AgentMod } from "../mods.ts";
import type { Dispose } from "../plugin.ts";
import type { Tool } from "../tool.ts";

/** The harness, as loadable mods are attached to it. */
export interface ModHost {
  registerMod(mod: AgentMod): Dispose;
  subscribe<Type extends AgentEventType>(
    type: Type,
    listener: (event: AgentEventOf<Type>) => void,
    modId: string,
  ): Dispose;
  /** A collision becomes a `mod_error`. */
  addTool(modId: string, tool: Tool): Dispose;
  modFailed(modId: string, hook: string, error: unknown): void;
}

interface Entry {
  readonly register: (host: ModHost) => Dispose;
  dispose: Dispose | undefined;
}

/**
 * What one mod registered. A factory runs before there is a harness: what it registers waits for that; what is registered
 * later takes effect at once.
 */
export class Registrations {
  readonly #entries = new Set<Entry>();
  #host: ModHost | undefined;
  #isDisposed = false;

  /** Nothing is registered once the mod was disposed of: what it left running must not bring it back. */
  add(register: Entry["register"]): Dispose {
    if (this.#isDisposed) return () => undefined;
    const entry: Entry = { register, dispose: this.#host === undefined ? undefined : register(this.#host) };
    this.#entries.add(entry);
    return () => {
      if (!this.#entries.delete(entry)) return;
      entry.dispose?.();
    };
  }

  /** @throws what a registration throws; nothing of the mod is registered then */
  attach(host: ModHost): void {
    try {
      for (const entry of this.#entries) entry.dispose = entry.register(host);
      this.#host = host;
    } catch (error) {
      this.dispose();
      throw error;
    }
  }

  /** The last one first. */
  dispose(): void {
    this.#isDisposed = true;
    for (const entry of [...this.#entries].toReversed()) entry.dispose?.();
    this.#entries.clear();
  }
}
