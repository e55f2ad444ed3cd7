import { reply } from "@hookscope/testing";
import { expect, test } from "vitest";

import { HarnessError, loadMods, type AgentEvent, type ModApi } from "../../src/index.ts";
import { createRig } from "../support/rig.ts";
import { workspace } from "./workspace.ts";

const quiet = { watch: [], watchMods: false } as const;

/** The mod's file keeps its `cmd` where the test finds it. */
async function loadKeeping(
  key: string,
): Promise<{ readonly loadedMods: Awaited<ReturnType<typeof loadMods>>; readonly cmd: ModApi }> {
  const cwd = workspace({ "keeper.mjs": `export default (cmd) => { globalThis[${JSON.stringify(key)}] = cmd; };` });
  const loadedMods = await loadMods({ cwd, paths: ["keeper.mjs"] });
  const cmd = (globalThis as unknown as Record<string, ModApi>)[key] as ModApi;
  return { loadedMods, cmd };
}

test("what a mod registers once it was disposed of never takes effect", async () => {
  const { loadedMods, cmd } = await loadKeeping("hookscope-test-disposed");
  const rig = createRig({ ...quiet, loadedMods, steps: [reply("one")] });
  loadedMods.dispose();
  const seen: AgentEvent[] = [];
  const disposals = [
    cmd.hooks({ appendSystemPrompt: () => "back again" }),
    cmd.on("turn_start", (event) => void seen.push(event)),
    cmd.addTool({ name: "again", description: "", inputSchema: { type: "object" }, execute: () => "" }),
  ];
  await rig.run();
  expect([rig.model.requests.map(({ system, tools }) => [system, tools]), seen]).toEqual([[[undefined, []]], []]);
  for (const dispose of disposals) dispose();
});

test("a listener of another mod's events whose promise rejects is a mod_error of its mod", async () => {
  const { loadedMods, cmd } = await loadKeeping("hookscope-test-channel");
  const rig = createRig({ ...quiet, loadedMods });
  const { promise: told, resolve } = Promise.withResolvers<AgentEvent>();
  rig.harness.events.on("mod_error", resolve);
  cmd.events.on("ping", async () => Promise.reject(new Error("deaf")));
  cmd.events.emit("ping");
  expect(await told).toMatchObject({ modId: "keeper", hook: "on:ping", error: "deaf" });
});

test("a required mod that the harness refuses keeps it from starting", async () => {
  const cwd = workspace({ "guard.mjs": `export default (cmd) => { cmd.hooks({ id: "host" }); };` });
  const loadedMods = await loadMods({ cwd, paths: ["guard.mjs"], required: ["guard"] });
  expect(() => createRig({ ...quiet, loadedMods, mods: [{ id: "host" }] })).toThrow(
    new HarnessError(
      "MOD_REQUIRED_FAILED",
      'a required mod is not loaded: "guard": MOD_ID_DUPLICATE: two mods have the id "host".',
    ),
  );
});
