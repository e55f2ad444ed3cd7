import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import {
  createJsonLinesSessionStore,
  createMemorySessionStore,
  createSqliteSessionStore,
  type SessionStore,
} from "@hookscope/harness";
import type { CreateSessionPlace } from "@hookscope/testing";

/** The stores that come with the harness, each on a place of its own. */
export const PLACES: { readonly [name: string]: CreateSessionPlace } = {
  memory: ({ clock }) => {
    const store = createMemorySessionStore({ clock });
    return { store: () => store, remove: () => store.close() };
  },
  "JSON Lines": ({ clock }) => onDisk((directory) => createJsonLinesSessionStore({ directory, clock, sync: "never" })),
  SQLite: ({ clock }) =>
    onDisk((directory) => createSqliteSessionStore({ path: join(directory, "sessions.db"), clock, sync: "never" })),
};

export function makeDirectory(parent: string = tmpdir()): string {
  return mkdtempSync(join(parent, "hookscope-sessions-"));
}

export function removeDirectory(directory: string): void {
  rmSync(directory, { recursive: true, force: true });
}

function onDisk(createStore: (directory: string) => SessionStore): Awaited<ReturnType<CreateSessionPlace>> {
  const directory = makeDirectory();
  const stores: SessionStore[] = [];
  return {
    store: () => {
      const store = createStore(directory);
      stores.push(store);
      return store;
    },
    remove: async () => {
      for (const store of stores) await store.close();
      removeDirectory(directory);
    },
  };
}
