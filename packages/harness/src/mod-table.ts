import { HookSite, LONGEST_TIMER_MS, suggest, type InvocationCore } from "@hookscope/hooks/internal";

import { HarnessError } from "./errors.ts";
import { MOD_HOOK_NAMES } from "./mod-hooks.ts";
import type { AgentMod, ModContext, ModHookName } from "./mods.ts";

/** A mod's hook, ready to be invoked; the event is the pair of its arguments. */
export interface ModSite {
  readonly mod: AgentMod;
  readonly site: HookSite;
}

export interface ModCall {
  readonly params: object;
  readonly context: ModContext;
}

const DEFAULT_TIMEOUT_MS = 60_000;

/** The mods of a harness, in registration order. */
export class ModTable {
  readonly #core: InvocationCore;
  #mods: readonly AgentMod[] = [];
  #sites: ReadonlyMap<ModHookName, readonly ModSite[]> = new Map();

  constructor(core: InvocationCore, mods: readonly AgentMod[]) {
    this.#core = core;
    for (const mod of mods) this.add(mod);
  }

  /** @throws HarnessError MOD_ID_MISSING, MOD_ID_DUPLICATE, MOD_INVALID */
  add(mod: AgentMod): () => void {
    checkMod(mod);
    if (this.#mods.some((other) => other.id === mod.id)) {
      throw new HarnessError("MOD_ID_DUPLICATE", `two mods have the id "${mod.id}".`);
    }
    this.#replace([...this.#mods, mod]);
    return () => this.#replace(this.#mods.filter((other) => other !== mod));
  }

  all(): readonly AgentMod[] {
    return this.#mods;
  }

  with(hook: ModHookName): readonly ModSite[] {
    return this.#sites.get(hook) ?? [];
  }

  #replace(mods: readonly AgentMod[]): void {
    this.#mods = mods;
    this.#sites = new Map(
      MOD_HOOK_NAMES.map((hook) => {
        const sites = mods
          .filter((mod) => mod[hook] !== undefined)
          .map((mod) => ({ mod, site: this.#site(mod, hook) }));
        sites.forEach(({ site }, index) => site.moveTo(index));
        return [hook, sites];
      }),
    );
  }

  #site(mod: AgentMod, hook: ModHookName): HookSite {
    const timeoutMs = mod.timeoutMs ?? DEFAULT_TIMEOUT_MS;
    const target = {
      call({ params, context }: ModCall): unknown {
        return (mod[hook] as (params: object, context: ModContext) => unknown)(params, context);
      },
    };
    const id = this.#core.redactName(mod.id);
    return new HookSite(
      { point: hook, hook: id, kind: "mod", failurePolicy: "open", timeoutMs, source: id },
      target,
      this.#core.deadlines.for(timeoutMs),
    );
  }
}

function checkMod(mod: AgentMod): void {
  if (typeof mod?.id !== "string" || mod.id.trim() === "") {
    throw new HarnessError(
      "MOD_ID_MISSING",
      "a mod needs a non-blank `id`; it names the mod in spans, events and modState.",
    );
  }
  for (const hook of MOD_HOOK_NAMES) {
    if (mod[hook] !== undefined && typeof mod[hook] !== "function") {
      throw new HarnessError("MOD_INVALID", `mod "${mod.id}": ${hook} is no function.`);
    }
  }
  for (const [name, value] of Object.entries(mod)) checkName(mod, name, value);
  const { timeoutMs: limit, tools } = mod;
  if (tools !== undefined && !Array.isArray(tools)) {
    throw new HarnessError("MOD_INVALID", `mod "${mod.id}": its tools are no list.`);
  }
  if (limit !== undefined && !(limit > 0 && limit <= LONGEST_TIMER_MS)) {
    throw new HarnessError(
      "MOD_INVALID",
      `mod "${mod.id}": timeoutMs is ${limit}; it must be a number of milliseconds above 0, up to ${LONGEST_TIMER_MS}.`,
    );
  }
}

/** A hook whose name is mistyped would never be called, and nobody would be told. */
function checkName({ id }: AgentMod, name: string, value: unknown): void {
  if (typeof value !== "function" || MOD_HOOK_NAMES.some((known) => known === name)) return;
  const near = suggest(name, MOD_HOOK_NAMES);
  if (near !== undefined) {
    throw new HarnessError("MOD_INVALID", `mod "${id}": ${name} is no hook of a mod; did you mean ${near}?`);
  }
}
