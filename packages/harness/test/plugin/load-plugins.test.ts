import { createHookBus, defineHook, type Hook } from "@hookscope/hooks";
import { expect, test } from "vitest";

import { HarnessError } from "../../src/errors.ts";
import type { AgentMod } from "../../src/mods.ts";
import { definePlugin, loadPlugins, type Plugin, type PluginHost } from "../../src/plugin.ts";
import type { Tool } from "../../src/tool.ts";

/** A host that writes down what is registered and what is taken away. */
function recordingHost(): {
  readonly host: PluginHost;
  readonly log: string[];
  readonly hooks: Hook[];
  readonly mods: AgentMod[];
} {
  const log: string[] = [];
  const hooks: Hook[] = [];
  const mods: AgentMod[] = [];
  const add = (what: string): (() => void) => {
    log.push(`+ ${what}`);
    return () => void log.push(`- ${what}`);
  };
  const host: PluginHost = {
    registerHook(hook) {
      hooks.push(hook);
      return add(`hook ${hook.name} of ${hook.source}`);
    },
    registerMod(mod, source) {
      mods.push(mod);
      return add(`mod ${mod.id} of ${source}`);
    },
    subscribe: (event, _, source) => add(`on ${event} of ${source}`),
    addTool: (tool, source) => add(`tool ${tool.name} of ${source}`),
  };
  return { host, log, hooks, mods };
}

const hook = (name: string): Hook => defineHook({ name, on: { on_session_end: () => undefined } });
const tool: Tool = { name: "greet", description: "", inputSchema: { type: "object" }, execute: () => "hello" };

const first = definePlugin({
  name: "first",
  register(context) {
    context.hook(hook("one"));
    context.hooks({ onRunEnd: () => undefined });
    context.on("run_end", () => undefined);
    context.addTool(tool);
  },
});
const FIRST_ADDED = ["+ hook one of first", "+ mod first of first", "+ on run_end of first", "+ tool greet of first"];
const FIRST_TAKEN = ["- tool greet of first", "- on run_end of first", "- mod first of first", "- hook one of first"];

test("what a plugin registers carries its name, and is taken away in reverse order, once", () => {
  const { host, log } = recordingHost();
  const dispose = loadPlugins([first, { name: "second", register: (context) => void context.hook(hook("two")) }], host);
  expect(log).toEqual([...FIRST_ADDED, "+ hook two of second"]);
  dispose();
  dispose();
  expect(log.slice(5)).toEqual(["- hook two of second", ...FIRST_TAKEN]);
});

test("a plugin may take a registration away itself", () => {
  const { host, log } = recordingHost();
  const register: Plugin["register"] = (context) => {
    context.hook(hook("kept"));
    context.hook(hook("gone"))();
  };
  const dispose = loadPlugins([{ name: "plugin", register }], host);
  dispose();
  expect(log).toEqual([
    "+ hook kept of plugin",
    "+ hook gone of plugin",
    "- hook gone of plugin",
    "- hook kept of plugin",
  ]);
});

test("when one fails, nothing of any stays, and the error names it with its cause", () => {
  const { host, log } = recordingHost();
  const cause = new Error("no key");
  const broken: Plugin = {
    name: "broken",
    register(context) {
      context.hook(hook("half"));
      throw cause;
    },
  };
  const error = thrownBy(() => loadPlugins([first, broken], host));
  expect(error).toEqual(new HarnessError("PLUGIN_INVALID", 'plugin "broken" failed to register: no key.'));
  expect(error.cause).toBe(cause);
  expect(log).toEqual([...FIRST_ADDED, "+ hook half of broken", "- hook half of broken", ...FIRST_TAKEN]);
});

test("a registration that the host refuses is the plugin's failure", () => {
  const { host } = recordingHost();
  const refusing: PluginHost = {
    ...host,
    registerHook() {
      throw new Error("HOOK_NAME_DUPLICATE: taken");
    },
  };
  expect(() => loadPlugins([first], refusing)).toThrow(
    'PLUGIN_INVALID: plugin "first" failed to register: HOOK_NAME_DUPLICATE: taken.',
  );
});

test.for([
  [
    { name: "a", on: {} },
    "it has functions under `on` and no `call`; wrap it in defineHook(…), and register what that returns.",
  ],
  [
    { name: "a", points: ["preToolCall"], call() {} },
    'names "preToolCall", which is no hook point; did you mean "pre_tool_call"?',
  ],
] as const)("what the bus says of a hook it cannot use ends the error, with its own mark: %#", ([given, said]) => {
  const { host } = recordingHost();
  const bus = createHookBus();
  const register: Plugin["register"] = (context) => void context.hook(given as unknown as Hook);
  const error = thrownBy(() =>
    loadPlugins([{ name: "p", register }], { ...host, registerHook: (hook) => bus.register(hook) }),
  );
  expect(error.message).toMatch(/^PLUGIN_INVALID: plugin "p" failed to register: HOOK_[A-Z_]+: hook "a"/);
  expect(error.message.endsWith(said)).toBe(true);
});

test("whatever one of them throws, all are taken away", () => {
  const { host, log } = recordingHost();
  const failing: PluginHost = {
    ...host,
    addTool: () => () => {
      throw new Error("tool in use");
    },
  };
  expect(loadPlugins([first], failing)).toThrow("tool in use");
  expect(log.slice(3)).toEqual(FIRST_TAKEN.slice(1));
});

test("a register that is asynchronous is refused, its failure not left unhandled", () => {
  const { host, log } = recordingHost();
  const register = (async (context: { hook(hook: Hook): unknown }) => {
    context.hook(hook("early"));
    throw new Error("later");
  }) as unknown as Plugin["register"];
  expect(() => loadPlugins([{ name: "slow", register }], host)).toThrow(
    'PLUGIN_INVALID: plugin "slow" has an asynchronous register; register at once, and do what takes time in a hook.',
  );
  expect(log).toEqual(["+ hook early of slow", "- hook early of slow"]);
});

test("a hook that is an instance keeps its private fields, a mod that has an id its own", () => {
  class Counter implements Hook {
    readonly name = "counter";
    readonly points = ["on_session_end"] as const;
    #count = 0;
    call(): void {
      this.#count += 1;
    }
    get count(): number {
      return this.#count;
    }
  }
  const counter = new Counter();
  const mod: AgentMod = { id: "own" };
  const { host, hooks, mods } = recordingHost();
  const register: Plugin["register"] = (context) => {
    context.hook(counter);
    context.hooks(mod);
    context.hooks({});
  };
  loadPlugins([{ name: "plugin", register }], host);
  const registered = hooks[0] as Hook;
  void registered.call({} as never, {} as never);
  expect(counter.count).toBe(1);
  expect([registered.name, registered.points, registered.source]).toEqual(["counter", ["on_session_end"], "plugin"]);
  expect(mods[0]).toBe(mod);
  expect(mods[1]).toEqual({ id: "plugin/2" });
});

test.for([
  { plugin: undefined, problem: "a plugin needs a non-blank `name`." },
  { plugin: { name: " ", register: () => undefined }, problem: "a plugin needs a non-blank `name`." },
  { plugin: { name: "x" }, problem: 'plugin "x": `register` is not a function.' },
])("$problem", ({ plugin, problem }) => {
  const error = new HarnessError("PLUGIN_INVALID", problem);
  expect(() => definePlugin(plugin as unknown as Plugin)).toThrow(error);
  expect(() => loadPlugins([plugin as unknown as Plugin], recordingHost().host)).toThrow(error);
});

test("a plugin is listed once", () => {
  expect(() => loadPlugins([first, first], recordingHost().host)).toThrow(
    'PLUGIN_INVALID: plugin "first" is listed twice.',
  );
});

function thrownBy(call: () => unknown): Error {
  try {
    call();
  } catch (error) {
    return error as Error;
  }
  throw new Error("nothing was thrown");
}
