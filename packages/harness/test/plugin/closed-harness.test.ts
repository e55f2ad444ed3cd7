import { createHookBus, defineHook, type Hook } from "@hookscope/hooks";
import { collectWarnings, createScriptedModel, reply } from "@hookscope/testing";
import { expect, test } from "vitest";

import {
  createEventBus,
  createHarness,
  createPermissions,
  type HarnessOptions,
  type LoadedMods,
  type Plugin,
  type PluginContext,
} from "../../src/index.ts";

const hook = (name: string, seen: (point: string) => void = () => undefined): Hook =>
  defineHook({
    name,
    on: { on_session_end: ({ point }) => seen(point), on_session_finalize: ({ point }) => seen(point) },
  });

const options = (more: Partial<HarnessOptions> = {}): HarnessOptions => ({
  model: createScriptedModel({ steps: [reply("hi"), reply("hi")] }),
  ...more,
});

const names = (bus: ReturnType<typeof createHookBus>): readonly string[] => [
  ...new Set(bus.list().map((each) => each.hook)),
];

test("close takes away what plugins registered on a shared bus, and nothing that others registered", async () => {
  const bus = createHookBus({ hooks: [hook("own")] });
  const plugin: Plugin = { name: "audit", register: (context) => void context.hook(hook("audit")) };
  const harness = createHarness(options({ bus, plugins: [plugin] }));
  bus.register(hook("later"));
  expect(names(bus)).toEqual(["own", "audit", "later"]);
  await harness.close();
  expect(names(bus)).toEqual(["own", "later"]);
  // Its name is free again: the next harness on that bus can have the same plugin.
  const next = createHarness(options({ bus, plugins: [plugin] }));
  expect(names(bus)).toEqual(["own", "later", "audit"]);
  await next.close();
});

test("a plugin's hooks and listeners have their say until the sessions are torn down, and not after that", async () => {
  const bus = createHookBus();
  const events = createEventBus();
  const seen: string[] = [];
  const plugin: Plugin = {
    name: "audit",
    register(context) {
      context.hook(hook("audit", (point) => seen.push(point)));
      context.on("run_end", ({ type }) => seen.push(type));
    },
  };
  const harness = createHarness(options({ bus, events, plugins: [plugin] }));
  await harness.run({ userInput: "hello" });
  await harness.close();
  expect(seen).toEqual(["on_session_end", "run_end", "on_session_finalize"]);
  const other = createHarness(options({ bus, events }));
  await other.run({ userInput: "hello" });
  await other.close();
  expect([seen.length, events.hasSubscribers]).toEqual([3, false]);
});

test("what a plugin registers later is taken away too; once the harness is closed it can register nothing", async () => {
  const bus = createHookBus();
  let kept: PluginContext | undefined;
  const plugin: Plugin = { name: "late", register: (context) => void (kept = context) };
  const harness = createHarness(options({ bus, plugins: [plugin] }));
  kept?.hook(hook("late"));
  expect(names(bus)).toEqual(["late"]);
  await harness.close();
  expect(names(bus)).toEqual([]);
  for (const register of [
    () => kept?.hook(hook("late")),
    () => kept?.hooks({ onRunEnd: () => undefined }),
    () => kept?.on("run_end", () => undefined),
    () => kept?.addTool({ name: "late", description: "", inputSchema: { type: "object" }, execute: () => "" }),
  ]) {
    expect(register).toThrow(
      'HARNESS_CLOSED: plugin "late" can register nothing any more: its harness was closed, or could not be made.',
    );
  }
  expect(names(bus)).toEqual([]);
});

test("a harness that cannot be made after its plugins registered leaves nothing of them, nor listens to anything", () => {
  const bus = createHookBus({ hooks: [hook("own")] });
  const events = createEventBus();
  const permissions = createPermissions();
  const listening: string[] = [];
  const watched = {
    ...permissions,
    onModeChange(listener: Parameters<typeof permissions.onModeChange>[0]) {
      const stop = permissions.onModeChange(listener);
      listening.push("on");
      return () => {
        listening.push("off");
        stop();
      };
    },
  };
  const plugin: Plugin = {
    name: "audit",
    register(context) {
      context.hook(hook("audit"));
      context.on("run_end", () => undefined);
    },
  };
  const refused = {
    attach() {
      throw new Error("a required mod is missing");
    },
    dispose: () => undefined,
  } as unknown as LoadedMods;
  expect(() =>
    createHarness(options({ bus, events, permissions: watched, plugins: [plugin], loadedMods: refused })),
  ).toThrow("a required mod is missing");
  expect([names(bus), events.hasSubscribers, listening]).toEqual([["own"], false, ["on", "off"]]);
});

test("a registration that cannot be taken away keeps nothing else from it, and the close says so and resolves", async () => {
  const warnings = collectWarnings();
  const bus = createHookBus({ logger: warnings });
  const register = bus.register.bind(bus);
  const odd = {
    ...permissionsThatNeverLetGo(),
    check: () => ({ decision: "allow" as const }),
  };
  const plugin: Plugin = { name: "audit", register: (context) => void context.hook(hook("audit")) };
  const harness = createHarness(options({ bus, permissions: odd, plugins: [plugin] }));
  register(hook("own"));
  await harness.close();
  expect(names(bus)).toEqual(["own"]);
  expect(warnings.messages).toEqual(["a registration of a harness that closed could not be taken away: busy"]);
});

function permissionsThatNeverLetGo(): { onModeChange: () => () => void } {
  return {
    onModeChange: () => () => {
      throw new Error("busy");
    },
  };
}
