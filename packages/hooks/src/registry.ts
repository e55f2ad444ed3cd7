import type { InvocationCore } from "./core.ts";
import { HookError } from "./errors.ts";
import { checkHook, type Hook } from "./hook.ts";
import { HOOK_POINT_NAMES, HOOK_POINTS, type HookPoint } from "./points.ts";
import { HookSite } from "./site.ts";

export interface Registration {
  readonly hook: Hook;
  readonly site: HookSite;
}

/** The hooks of a bus, by point, in registration order. Lists are replaced, never changed: a dispatch keeps the one it began with. */
export class HookRegistry {
  readonly #core: InvocationCore;
  readonly #timeoutMs: number;
  readonly #hooks = new Map<string, Hook>();
  readonly #lists: { [Point in HookPoint]: readonly Registration[] };

  constructor(core: InvocationCore, timeoutMs: number) {
    this.#core = core;
    this.#timeoutMs = timeoutMs;
    this.#lists = Object.fromEntries(HOOK_POINT_NAMES.map((point) => [point, []])) as never;
  }

  at(point: HookPoint): readonly Registration[] {
    return this.#lists[point];
  }

  all(): readonly Registration[] {
    return HOOK_POINT_NAMES.flatMap((point) => this.#lists[point]);
  }

  /** @throws HookError when the hook cannot be registered; then nothing is. */
  add(hook: Hook): () => void {
    checkHook(hook);
    if (this.#hooks.has(hook.name)) {
      throw new HookError("HOOK_NAME_DUPLICATE", `a hook named "${hook.name}" is registered already.`);
    }
    this.#hooks.set(hook.name, hook);
    for (const point of new Set(hook.points)) {
      this.#replace(point, [...this.#lists[point], { hook, site: this.#site(hook, point) }]);
    }
    return () => this.#remove(hook);
  }

  /** Once only: a hook registered again under the name is not the one this was given for. */
  #remove(hook: Hook): void {
    if (this.#hooks.get(hook.name) !== hook) return;
    this.#hooks.delete(hook.name);
    for (const point of HOOK_POINT_NAMES) {
      if (this.#lists[point].some((registration) => registration.hook === hook)) {
        this.#replace(
          point,
          this.#lists[point].filter((registration) => registration.hook !== hook),
        );
      }
    }
  }

  #replace(point: HookPoint, registrations: readonly Registration[]): void {
    registrations.forEach(({ site }, index) => site.moveTo(index));
    this.#lists[point] = registrations;
  }

  #site(hook: Hook, point: HookPoint): HookSite {
    const { kind, failurePolicy } = HOOK_POINTS[point];
    const timeoutMs = hook.timeoutMs ?? this.#timeoutMs;
    return new HookSite(
      { point, hook: hook.name, kind, failurePolicy, timeoutMs, source: hook.source },
      hook,
      this.#core.deadlines.for(timeoutMs),
    );
  }
}
