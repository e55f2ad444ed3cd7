import { Open } from "../record/open.ts";

/** Whom a turn spends for. */
export interface Spender {
  readonly session_id: string;
  readonly profile: string;
  readonly parent_session_id?: string | undefined;
}

/** The session a person began: what subagents spend counts for it, so that delegating is no way around a budget. */
export class SessionRoots {
  readonly #roots = new Open<string>();

  of({ session_id, parent_session_id }: Spender): string {
    const known = this.#roots.get(session_id);
    if (known !== undefined || parent_session_id === undefined) return known ?? session_id;
    const root = this.#roots.get(parent_session_id) ?? parent_session_id;
    this.#roots.start(session_id, root);
    return root;
  }
}
