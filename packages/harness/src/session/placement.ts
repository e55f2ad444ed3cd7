import type { SessionEntry } from "./entries.ts";

/** Why an entry cannot follow those that were written before it, as a predicate; undefined where it can. */
export function misplacement(entry: SessionEntry, before: ReadonlySet<string>): string | undefined {
  const { id, parentId } = entry;
  if (before.has(id)) return `has the id of an earlier entry, "${id}".`;
  return parentId === null || before.has(parentId) ? undefined : `follows an entry that is not there, "${parentId}".`;
}
