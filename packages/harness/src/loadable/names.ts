import { COMPACTION_MOD_ID } from "../compaction/record.ts";
import { TITLING_MOD_ID } from "../titling/titling-mod.ts";

/** Mods that come with the harness; their names cannot be taken, whether they are in use or not. */
export const BUILT_IN_MOD_NAMES: readonly string[] = [COMPACTION_MOD_ID, TITLING_MOD_ID, "user-hooks"];

/** Also of one of several that a built-in makes, `user-hooks/<command>`. */
export function isBuiltInName(id: unknown): boolean {
  return typeof id === "string" && BUILT_IN_MOD_NAMES.includes(id.split("/")[0] ?? "");
}

/** Why a mod cannot have its name; undefined where it can. */
export function nameProblem(
  name: string,
  taken: readonly string[],
  winners: ReadonlyMap<string, string>,
): string | undefined {
  if (BUILT_IN_MOD_NAMES.includes(name)) return `"${name}" is the name of a built-in mod. Rename the file.`;
  if (taken.includes(name)) return `a mod named "${name}" is there already. Rename the file.`;
  const winner = winners.get(name);
  return winner === undefined ? undefined : `${winner} has the name "${name}" already; the first one wins.`;
}
