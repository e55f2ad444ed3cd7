import type { InvocationCore } from "./core.ts";
import { HookError } from "./errors.ts";
import { checkHook, type Hook } from "./hook.ts";
import { HOOK_POINT_NAMES, HOOK_POINTS, type HookPoint } from "./points.ts";
import { HookSite } from "./site.ts";

/** One hook at one point. */
export interface Registration {
  readonly hook: Hook;
  readonly site: HookSite;
}

/**
 * The hooks of a bus, by point, in registration order. Lists are replaced, never changed: a dispatch keeps the one it
 * began with.
 */
export class HookRegistry {
  readonly #core: InvocationCore;
  readonly #timeoutMs: number;
  readonly #names = new Set<string>();
  readonly #lists = new Map<unknown, readonly Registration[]>(HOOK_POINT_NAMES.map((point) => [point, []]));

  constructor(core: InvocationCore, timeoutMs: number) {
    this.#core = core;
    this.#timeoutMs = timeoutMs;
  }

  /** The hooks of a point, in order; undefined where there is no such point. */
  at(point: HookPoint): readonly Registration[] | undefined {
    return this.#lists.get(point);
  }

  all(): readonly Registration[] {
    return [...this.#lists.values()].flat();
  }

  /** Gives back the unregister of this one registration. @throws HookError when the hook cannot be registered; then nothing is. */
  add(hook: Hook, place?: string): () => void {
    checkHook(hook, place);
    const { name } = hook;
    if (this.#names.has(name)) {
      throw new HookError(
        "HOOK_NAME_DUPLICATE",
        `a hook named "${name}" is registered already; unregister it first, or choose another name.`,
      );
    }
    this.#names.add(name);
    const registrations = new Set<Registration>();
    for (const point of new Set(hook.points)) {
      const registration = { hook, site: this.#site(hook, point) };
      registrations.add(registration);
      this.#replace(point, [...(this.#lists.get(point) ?? []), registration]);
    }
    return () => this.#remove(name, registrations);
  }

  /** Once only: a hook registered again under the name has a registration of its own. */
  #remove(name: string, registrations: Set<Registration>): void {
    if (registrations.size === 0) return;
    this.#names.delete(name);
    for (const [point, list] of this.#lists) {
      const left = list.filter((registration) => !registrations.has(registration));
      if (left.length < list.length) this.#replace(point, left);
    }
    registrations.clear();
  }

  #replace(point: unknown, registrations: readonly Registration[]): void {
    registrations.forEach(({ site }, index) => site.moveTo(index));
    this.#lists.set(point, registrations);
  }

  #site(hook: Hook, point: HookPoint): HookSite {
    const { kind, failurePolicy } = HOOK_POINTS[point];
    const timeoutMs = hook.timeoutMs ?? this.#timeoutMs;
    // What leaves the bus by spans, records and lists is redacted: a name may be made of what a hook is configured with.
    const name = this.#core.redactName(hook.name);
    const source = hook.source === undefined ? undefined : this.#core.redactName(hook.source);
    return new HookSite(
      { point, hook: name, kind, failurePolicy, timeoutMs, source },
      hook,
      this.#core.deadlines.for(timeoutMs),
    );
  }
}
