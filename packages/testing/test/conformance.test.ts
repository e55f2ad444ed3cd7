import { createHookBus, type Hook, type HookBus, type HookBusOptions, type HookPoint } from "@hookscope/hooks";
import { HOOK_BUS_CONFORMANCE } from "@hookscope/testing";
import { expect, test } from "vitest";

/** The rules a bus breaks. A case that would wait for ever on a broken bus counts as broken. */
async function broken(createBus: (options: HookBusOptions) => HookBus): Promise<readonly string[]> {
  const found: string[] = [];
  for (const { rule, run } of HOOK_BUS_CONFORMANCE) {
    const kept = await run(createBus).then(
      () => true,
      () => false,
    );
    if (!kept) found.push(rule);
  }
  return found;
}

/** The bus, but for what is given instead. */
function changed(bus: HookBus, changes: Partial<HookBus>): HookBus {
  return new Proxy(bus, {
    get(target, name) {
      const value: unknown = Object.hasOwn(changes, name)
        ? Reflect.get(changes, name)
        : Reflect.get(target, name, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}

function withHooks(change: (hook: Hook) => Hook) {
  return (options: HookBusOptions): HookBus => {
    const bus = createHookBus(options);
    return changed(bus, { register: (hook) => bus.register(isHook(hook) ? change(hook) : hook) });
  };
}

function isHook(hook: unknown): hook is Hook {
  return typeof hook === "object" && hook !== null && typeof (hook as Hook).call === "function";
}

const wrap = (hook: Hook, call: Hook["call"]): Hook => ({
  name: hook.name,
  points: hook.points,
  timeoutMs: hook.timeoutMs,
  reinvoke: hook.reinvoke,
  call,
});

test("the bus of this repository breaks none", async () => {
  expect(await broken(createHookBus)).toEqual([]);
});

test("another implementation of the interface can be put through it: one that wraps a bus breaks none", async () => {
  expect(await broken((options) => changed(createHookBus(options), {}))).toEqual([]);
});

/** Faulty buses, and how many rules of which sort each breaks. */
const FAULTS: readonly (readonly [string, (options: HookBusOptions) => HookBus, readonly string[]])[] = [
  [
    "swallows what a hook throws",
    withHooks((hook) =>
      wrap(hook, (event, context) => {
        try {
          const returned = hook.call(event, context);
          return returned instanceof Promise ? returned.catch(() => undefined) : returned;
        } catch {
          return undefined;
        }
      }),
    ),
    ["a hook that throws", "a hook that rejects"],
  ],
  ["has half the limit", (options) => createHookBus({ ...options, timeoutMs: 30_000 }), ["a hook that never answers"]],
  ["suspends for too short", (options) => createHookBus({ ...options, suspendMs: 1 }), ["is not run again for 60 s"]],
  [
    "gives each hook a copy it may change",
    withHooks((hook) => wrap(hook, (event, context) => hook.call(structuredClone(event), context))),
    ["every hook is given the same event"],
  ],
  [
    "never runs a hook again",
    withHooks((hook) => ({ ...wrap(hook, (event, context) => hook.call(event, context)), reinvoke: "never" })),
    ["a hook that asked for it runs again"],
  ],
  [
    "accepts a second hook of a name",
    (options) => {
      const bus = createHookBus(options);
      return changed(bus, {
        register: (hook) => (bus.list().some(({ hook: name }) => name === hook?.name) ? () => {} : bus.register(hook)),
      });
    },
    ["a second hook of a name"],
  ],
  [
    "makes the payload though nobody asked",
    (options) => {
      const bus = createHookBus(options);
      const dispatch = (point: HookPoint, payload: unknown, more: never): Promise<unknown> =>
        bus.dispatch(point, typeof payload === "function" ? payload() : payload, more);
      return changed(bus, { dispatch: dispatch as never });
    },
    ["without a hook the payload is not made"],
  ],
  [
    "drops every block",
    withHooks((hook) =>
      wrap(hook, (event, context) => {
        const returned = hook.call(event, context);
        return (returned as { decision?: unknown } | undefined)?.decision === "block" ? undefined : returned;
      }),
    ),
    ["block is taken", "the first block wins"],
  ],
];

test.for(FAULTS)("a bus that %s is found out", async ([, createBus, sorts]) => {
  const rules = await broken(createBus);
  expect(sorts.filter((sort) => !rules.some((rule) => rule.includes(sort)))).toEqual([]);
});
