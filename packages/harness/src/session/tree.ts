import type { SessionEntry } from "./entries.ts";

/** All entries of a session. */
export class SessionTree {
  readonly #entries: SessionEntry[] = [];
  readonly #byId = new Map<string, SessionEntry>();
  #hasMessages = false;

  constructor(entries: readonly SessionEntry[]) {
    for (const entry of entries) this.add(entry);
  }

  add(entry: SessionEntry): void {
    this.#entries.push(entry);
    this.#byId.set(entry.id, entry);
    if (entry.type === "message" || entry.type === "state") this.#hasMessages = true;
  }

  has(id: string): boolean {
    return this.#byId.has(id);
  }

  all(): readonly SessionEntry[] {
    return [...this.#entries];
  }

  get hasMessages(): boolean {
    return this.#hasMessages;
  }

  /** The branch that ends with this entry, from its first on. */
  path(leaf: string | null): readonly SessionEntry[] {
    const path: SessionEntry[] = [];
    for (let id = leaf; id !== null;) {
      const entry = this.#byId.get(id);
      if (entry === undefined) break;
      path.push(entry);
      id = entry.parentId;
    }
    return path.reverse();
  }
}
