import type { ModChannel } from "./mod-api.ts";

/** What a listener of a mod threw, for `mod_error`. */
export type ListenerFailure = (modId: string, hook: string, error: unknown) => void;

/** The events that loadable mods send each other. A listener that throws or rejects is isolated from the others and from the sender. */
export class SharedChannel {
  readonly #listeners = new Map<string, Set<{ readonly modId: string; readonly call: (data: never) => void }>>();
  readonly #failed: ListenerFailure;

  constructor(failed: ListenerFailure) {
    this.#failed = failed;
  }

  /** The channel as one mod sees it. */
  for(modId: string): ModChannel {
    return {
      emit: (type, data) => {
        // Those that are there now: one that subscribes while it is called would else be called without end.
        for (const listener of Array.from(this.#listeners.get(type) ?? [])) {
          try {
            const returned: unknown = listener.call(data as never);
            if (returned instanceof Promise) {
              returned.catch((error: unknown) => this.#failed(listener.modId, `on:${type}`, error));
            }
          } catch (error) {
            this.#failed(listener.modId, `on:${type}`, error);
          }
        }
      },
      on: (type, listener) => {
        const entry = { modId, call: listener };
        const listeners = this.#listeners.get(type) ?? new Set();
        this.#listeners.set(type, listeners.add(entry));
        return () => void listeners.delete(entry);
      },
    };
  }
}
