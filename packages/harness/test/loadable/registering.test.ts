import { callTools, reply } from "@hookscope/testing";
import { describe, expect, test } from "vitest";

import { definePlugin, loadMods, type ModApi } from "../../src/index.ts";
import { createRig, tool } from "../support/rig.ts";
import { workspace } from "./workspace.ts";

const quiet = { watch: [], watchMods: false } as const;

/** A guard as a class: its hook is a method, and what it guards with a private field. */
class Guard {
  readonly #reason = "not here";

  beforeToolCall(): { block: true; additionalContext: string } {
    return { block: true, additionalContext: this.#reason };
  }
}

describe("hooks that are methods of a class guard as others do, and keep their `this`", () => {
  const steps = (): ReturnType<typeof reply>[] => [callTools([{ name: "look", input: {} }]), reply("ok")];

  test("given to `cmd.hooks`", async () => {
    const cmd = await factoryOf("hookscope-test-class");
    cmd.api.hooks(new Guard());
    expect(await blocked({ ...quiet, loadedMods: cmd.loadedMods, steps: steps() })).toEqual(["not here"]);
  });

  test("given to a plugin's `hooks`", async () => {
    const guard = definePlugin({ name: "guard", register: (context) => void context.hooks(new Guard()) });
    expect(await blocked({ ...quiet, plugins: [guard], steps: steps() })).toEqual(["not here"]);
  });
});

test.for([[null], [undefined], ["beforeToolCall"]] as const)(
  "hooks that are %j are refused with a code",
  async ([hooks]) => {
    const cmd = await factoryOf("hookscope-test-no-hooks");
    expect(() => cmd.api.hooks(hooks as never)).toThrow(
      'MOD_INVALID: mod "keeper": its hooks must be an object; they are ',
    );
  },
);

test.for(["compaction", "titling", "user-hooks", "user-hooks/guard"])(
  "the id %s is a built-in mod's, in use or not",
  async (id) => {
    const cmd = await factoryOf("hookscope-test-built-in");
    expect(() => cmd.api.hooks({ id })).toThrow(
      `MOD_ID_DUPLICATE: mod "keeper" cannot have hooks with the id "${id}", which is a built-in mod's.`,
    );
  },
);

test("a listener that subscribes while it is called hears of the next event, not of this one again", async () => {
  const { api, loadedMods } = await factoryOf("hookscope-test-again");
  const heard: number[] = [];
  const again = (data: unknown): void => {
    heard.push(Number(data));
    api.events.on("ping", again);
  };
  createRig({ ...quiet, loadedMods });
  api.events.on("ping", again);
  api.events.emit("ping", 1);
  expect(heard).toEqual([1]);
  api.events.emit("ping", 2);
  expect(heard).toEqual([1, 2, 2]);
});

/** A mod whose file keeps its `cmd` where the test finds it. */
async function factoryOf(
  key: string,
): Promise<{ readonly api: ModApi; readonly loadedMods: Awaited<ReturnType<typeof loadMods>> }> {
  const cwd = workspace({ "keeper.mjs": `export default (cmd) => { globalThis[${JSON.stringify(key)}] = cmd; };` });
  const loadedMods = await loadMods({ cwd, paths: ["keeper.mjs"] });
  return { loadedMods, api: (globalThis as unknown as Record<string, ModApi>)[key] as ModApi };
}

async function blocked(options: Parameters<typeof createRig>[0]): Promise<readonly string[]> {
  const rig = createRig({ ...options, tools: [tool("look")] });
  await rig.run();
  return rig.events.flatMap((event) => (event.type === "tool_hook_blocked" ? [event.hookOutput] : []));
}
