import { HarnessError } from "./errors.ts";
import { MOD_HOOK_NAMES } from "./mod-hooks.ts";
import type { AgentMod, ModHooks } from "./mods.ts";

/**
 * Hooks as a mod of this id. Each keeps its `this`, and may be a method of a class: those are no properties of the object's
 * own, and a copy of it would lack them.
 *
 * @throws HarnessError MOD_INVALID
 */
export function namedMod(hooks: ModHooks & Partial<AgentMod>, id: string): AgentMod {
  const given: unknown = hooks;
  if (typeof given !== "object" || given === null) {
    const kind = given === null ? "null" : `of type ${typeof given}`;
    throw new HarnessError("MOD_INVALID", `mod "${id}": its hooks must be an object; they are ${kind}.`);
  }
  const bound = MOD_HOOK_NAMES.flatMap((name) => {
    const hook: unknown = hooks[name];
    return typeof hook === "function" ? [[name, hook.bind(hooks) as unknown] as const] : [];
  });
  return { ...hooks, ...Object.fromEntries(bound), id };
}
