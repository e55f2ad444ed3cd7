import type { SessionCommit } from "./backend.ts";
import type { CommitMarker, SessionEntry, UnplacedEntry } from "./entries.ts";
import type { SessionTree } from "./tree.ts";
import type { BranchView } from "./view.ts";

/** Puts entries on a branch, one behind the other. */
export function placeEntries(entries: readonly UnplacedEntry[], leaf: string | null): readonly SessionEntry[] {
  let parentId = leaf;
  return entries.map(({ type, id, timestamp, ...fields }) => {
    const placed = { type, id, parentId, timestamp, ...fields } as SessionEntry;
    parentId = id;
    return placed;
  });
}

export function commitOf(
  entries: readonly SessionEntry[],
  { now, leaf, view }: { readonly now: number; readonly leaf: string | null; readonly view: BranchView },
): SessionCommit {
  const title = titleAfter(entries) ?? view.title;
  const marker: CommitMarker = {
    type: "commit",
    timestamp: now,
    entries: entries.length,
    leaf,
    messages: view.messageCountAfter(entries),
    ...(title === undefined ? {} : { title }),
  };
  return { entries, lines: entries.map((entry) => JSON.stringify(entry)), marker };
}

/** Random, so that an entry that was lost with its process never lends its id to another. */
export function newEntryId(tree: Pick<SessionTree, "has">): string {
  for (;;) {
    const id = crypto.randomUUID().replaceAll("-", "").slice(0, 12);
    if (!tree.has(id)) return id;
  }
}

function titleAfter(entries: readonly SessionEntry[]): string | undefined {
  const entry = entries.findLast(({ type }) => type === "session_info");
  return entry?.type === "session_info" ? entry.title : undefined;
}
