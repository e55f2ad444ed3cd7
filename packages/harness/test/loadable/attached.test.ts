import { execFile } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

import { callTools, reply } from "@hookscope/testing";
import { describe, expect, test } from "vitest";

import { createMemorySessionStore, loadMods, textOf, type LoadedMods } from "../../src/index.ts";
import { createRig, tool } from "../support/rig.ts";
import { workspace } from "./workspace.ts";

const quiet = { watchMods: false, watch: ["api_request_error"] } as const;

async function load(sources: { readonly [name: string]: string }, more: object = {}): Promise<LoadedMods> {
  const cwd = workspace(Object.fromEntries(Object.entries(sources).map(([name, code]) => [`user/${name}.mjs`, code])));
  return loadMods({ cwd, userDirectory: join(cwd, "user"), ...more });
}

describe("what a factory registers", () => {
  test("hooks, an event listener and a tool take effect, after the embedder's own mods", async () => {
    const loadedMods = await load({
      counter: `export default (cmd) => {
        const seen = [];
        cmd.hooks({ transformInput: ({ text }) => ({ action: "transform", text: text + " " + cmd.name }) });
        cmd.on("tool_completed", ({ result }) => seen.push(result));
        cmd.addTool({ name: "seen", description: "What was seen.", inputSchema: { type: "object" }, execute: () => seen.join() });
      };`,
    });
    const rig = createRig({
      ...quiet,
      loadedMods,
      mods: [{ id: "own", transformInput: ({ text }) => ({ action: "transform", text: `${text} own` }) }],
      tools: [tool("look", "a look")],
      steps: [
        callTools([
          { name: "look", input: {} },
          { name: "seen", input: {} },
        ]),
        reply("ok"),
      ],
    });
    const { state } = await rig.run("hello");
    expect(textOf(state.messages[0]?.content ?? [])).toBe("hello own counter");
    expect(rig.events.flatMap((event) => (event.type === "tool_completed" ? [event.result] : []))).toEqual([
      "a look",
      "a look",
    ]);
  });

  test("each can be taken away again, before there is a harness and within a turn", async () => {
    const loadedMods = await load({
      twice: `export default (cmd) => {
        cmd.hooks({ transformInput: () => ({ action: "transform", text: "never" }) })();
        const dispose = cmd.hooks({
          transformInput({ text }) { dispose(); dispose(); return { action: "transform", text: text + "!" }; },
        });
      };`,
    });
    const rig = createRig({ ...quiet, loadedMods, steps: [reply("one"), reply("two")] });
    const { state } = await rig.run("hello");
    await rig.run("again", { state });
    expect(rig.model.requests.map(({ messages }) => textOf(messages.at(-1)?.content ?? []))).toEqual([
      "hello!",
      "again",
    ]);
  });

  test("its invocations carry its name; a second set of hooks has its own", async () => {
    const loadedMods = await load({
      pair: `export default (cmd) => {
        cmd.hooks({ onTurnStart: ({ state }) => state });
        cmd.hooks({ onTurnStart: ({ state }) => state });
        cmd.hooks({ id: "named", onTurnStart: ({ state }) => state });
      };`,
    });
    const rig = createRig({ ...quiet, loadedMods, steps: [reply("one")] });
    const hooks: string[] = [];
    rig.bus.subscribe(({ hook }) => hooks.push(hook));
    await rig.run();
    expect(hooks).toEqual(["pair", "pair/2", "named"]);
  });

  test("queued messages reach the model where they are delivered", async () => {
    const loadedMods = await load({
      nudge: `export default (cmd) => {
        cmd.on("tool_completed", () => cmd.queueMessage({ content: "look again", deliverAs: "steering" }));
        cmd.queueMessage({ content: "and then?", deliverAs: "follow_up" });
      };`,
    });
    const rig = createRig({
      ...quiet,
      loadedMods,
      tools: [tool("look")],
      steps: [callTools([{ name: "look", input: {} }]), reply("first"), reply("second")],
    });
    const { state } = await rig.run("hello");
    expect(state.messages.flatMap((message) => (message.role === "user" ? [message.source] : []))).toEqual([
      "user",
      "tool_results",
      "steering",
      "follow_up",
    ]);
  });

  test("mods speak to each other; one that throws is a mod_error and does not reach the sender", async () => {
    const loadedMods = await load({
      a: `export default (cmd) => cmd.events.on("ping", () => { throw new Error("deaf"); });`,
      b: `export default (cmd) => {
        let heard = "";
        cmd.events.on("ping", (data) => { heard += data.n; });
        cmd.hooks({ transformInput() { cmd.events.emit("ping", { n: 1 }); return { action: "transform", text: "heard " + heard }; } });
      };`,
    });
    const rig = createRig({ ...quiet, loadedMods, steps: [reply("one")] });
    const { state } = await rig.run();
    expect(textOf(state.messages[0]?.content ?? [])).toBe("heard 1");
    expect(rig.events.filter(({ type }) => type === "mod_error")).toMatchObject([
      { modId: "a", hook: "on:ping", error: "deaf" },
    ]);
  });

  test("a listener of an event that throws is a mod_error of its mod", async () => {
    const loadedMods = await load({
      a: `export default (cmd) => cmd.on("turn_start", () => { throw new Error("deaf"); });`,
    });
    const rig = createRig({ ...quiet, loadedMods, steps: [reply("one")] });
    await rig.run();
    expect(rig.events.filter(({ type }) => type === "mod_error")).toMatchObject([
      { modId: "a", hook: "on:turn_start" },
    ]);
  });

  test("cmd.session is the mod's part of the session under way", async () => {
    const session = await createMemorySessionStore().create();
    const loadedMods = await load(
      {
        note: `export default (cmd) => cmd.on("turn_start", () => cmd.session.appendCustomEntry({ customType: "note", data: { n: 1 } }));`,
      },
      { session: () => session },
    );
    const rig = createRig({ ...quiet, loadedMods, session, steps: [reply("one")] });
    await rig.run();
    expect(session.branchEntries().filter(({ type }) => type === "custom")).toMatchObject([
      { modId: "note", customType: "note", data: { n: 1 } },
    ]);
  });
});

describe("a guard that is missing is seen", () => {
  test("each session has a failed invocation with the mod's name and why, and a mod_error", async () => {
    const loadedMods = await load({ guard: "export default 1;" });
    const rig = createRig({ ...quiet, loadedMods, steps: [reply("one"), reply("two")] });
    const records: unknown[] = [];
    rig.bus.subscribe(({ point, hook, execution }) => records.push([point, hook, execution]));
    const { state } = await rig.run();
    await rig.run("again", { state });
    expect(records).toEqual([["onSessionStart", "guard (not loaded)", "error"]]);
    expect(rig.events.filter(({ type }) => type === "mod_error")).toMatchObject([
      {
        modId: "guard (not loaded)",
        hook: "onSessionStart",
        error: "MOD_LOAD_FAILED: its default export is of type number; it must be a function that is given `cmd`.",
      },
    ]);
  });

  test("a factory that failed half-way leaves nothing registered", async () => {
    const loadedMods = await load({
      half: `export default (cmd) => {
        cmd.hooks({ transformInput: () => ({ action: "transform", text: "changed" }) });
        throw new Error("half");
      };`,
    });
    const rig = createRig({ ...quiet, loadedMods, steps: [reply("one")] });
    const { state } = await rig.run("hello");
    expect(textOf(state.messages[0]?.content ?? [])).toBe("hello");
  });

  test("a mod whose id another has is left out as a whole, and seen", async () => {
    const loadedMods = await load({
      late: `export default (cmd) => {
        cmd.hooks({ transformInput: () => ({ action: "transform", text: "changed" }) });
        cmd.hooks({ id: "own", onTurnStart: ({ state }) => state });
      };`,
    });
    const rig = createRig({ ...quiet, loadedMods, mods: [{ id: "own" }], steps: [reply("one")] });
    const { state } = await rig.run("hello");
    expect(textOf(state.messages[0]?.content ?? [])).toBe("hello");
    expect(rig.events.filter(({ type }) => type === "mod_error")).toMatchObject([
      { modId: "late (not loaded)", error: 'MOD_ID_DUPLICATE: two mods have the id "own".' },
    ]);
    expect(loadedMods.results.map(({ name, status, error }) => ({ name, status, error }))).toEqual([
      { name: "late", status: "failed", error: 'MOD_ID_DUPLICATE: two mods have the id "own".' },
    ]);
  });

  test("a tool whose name is taken is left out, and the rest of the mod works", async () => {
    const loadedMods = await load({
      tools: `export default (cmd) => {
        cmd.addTool({ name: "look", description: "", inputSchema: { type: "object" }, execute: () => "theirs" });
        cmd.addTool({ name: "other", description: "", inputSchema: { type: "object" }, execute: () => "theirs" });
      };`,
    });
    const rig = createRig({
      ...quiet,
      loadedMods,
      tools: [tool("look", "ours")],
      steps: [
        callTools([
          { name: "look", input: {} },
          { name: "other", input: {} },
        ]),
        reply("ok"),
      ],
    });
    await rig.run();
    expect(rig.events.flatMap((event) => (event.type === "tool_completed" ? [event.result] : []))).toEqual([
      "ours",
      "theirs",
    ]);
  });

  test("mods belong to one harness", async () => {
    const loadedMods = await load({});
    createRig({ ...quiet, loadedMods });
    expect(() => createRig({ ...quiet, loadedMods })).toThrow(
      /^HARNESS_OPTION_INVALID: `loadedMods` belong to another/u,
    );
  });
});

test("a TypeScript file runs natively, in plain Node", async () => {
  const cwd = workspace({
    "typed.ts": `interface Cmd { readonly name: string; on(type: string, listener: (event: { type: string }) => void): void }
export default (cmd: Cmd): void => { process.stdout.write(\`loaded \${cmd.name as string}\\n\`); };
`,
  });
  const harness = fileURLToPath(new URL("../../src/index.ts", import.meta.url));
  const main = `import { loadMods } from ${JSON.stringify(harness)};
const { results } = await loadMods({ cwd: ${JSON.stringify(cwd)}, paths: ["typed.ts"] });
process.stdout.write(results.map(({ status }) => status).join());`;
  const { stdout } = await promisify(execFile)(process.execPath, [
    "--conditions=@hookscope/source",
    "--input-type=module",
    "--eval",
    main,
  ]);
  expect(stdout).toBe("loaded typed\nloaded");
});
