import type { ModLoadResult } from "@hookscope/harness";
import type { TurnDocument } from "@hookscope/telemetry";
import { expect, test } from "vitest";

import { inWorkspace, type Workspace } from "../fixtures/workspace.ts";

const GOOD = `export default (cmd) => { cmd.hooks({ onTurnStart: ({ state }) => state }); };`;
const BROKEN = `export default () => { throw new Error("no licence"); };`;

async function statuses({ hookscope }: Workspace, ...args: readonly string[]): Promise<readonly string[]> {
  const { output } = await hookscope(["mods", "list", "--json", ...args]);
  return (JSON.parse(output) as readonly ModLoadResult[]).map(
    ({ name, origin, status }) => `${origin} ${name} ${status}`,
  );
}

test("run --mod loads mods, whose invocations stand in the timeline; one that fails is seen there too", async () => {
  await inWorkspace(async (workspace) => {
    await workspace.write({ "good.mjs": GOOD, "guard.mjs": BROKEN });
    const { exitCode, output, errors } = await workspace.run("--mod", "good.mjs", "--mod", "guard.mjs");
    expect(exitCode).toBe(0);
    // Once, and then what is said of the model's price.
    expect(errors.split("\n").map((line) => line.split(":")[1])).toEqual([
      ' the mod "guard" (guard.mjs) is not loaded',
      ' the price of model "small" of provider "local" is not known',
      undefined,
    ]);
    expect(errors.split("\n")[0]).toBe(
      'hookscope: the mod "guard" (guard.mjs) is not loaded: MOD_LOAD_FAILED: its factory failed: Error: no licence',
    );
    expect(output).toMatch(/✗ .*onSessionStart guard \(not loaded\) .* FAILED/);
    const { invocations } = JSON.parse((await workspace.hookscope(["timeline", "--json"])).output) as TurnDocument;
    expect(
      invocations.filter(({ kind }) => kind === "mod").map(({ point, hook, execution }) => [point, hook, execution]),
    ).toEqual([
      ["onSessionStart", "guard (not loaded)", "error"],
      ["onTurnStart", "good", "ok"],
    ]);
  });
});

test("a workspace's own mods run once it is trusted, and not before", async () => {
  await inWorkspace(async (workspace) => {
    await workspace.write({ ".hookscope/mods/good.mjs": GOOD });
    expect(await statuses(workspace)).toEqual(["project good untrusted"]);
    expect((await workspace.run()).errors).toContain(
      "hookscope: 1 mod of this workspace is not run, since it is not trusted: see `hookscope mods list`, then `hookscope trust`.\n",
    );
    const { output } = await workspace.hookscope(["trust"]);
    expect(output.split("\n")[0]).toBe(`Trusted: ${workspace.directory}`);
    expect(await statuses(workspace)).toEqual(["project good loaded"]);
  });
});

test("mods are found by --mod, in the configuration, with the user and in the workspace; the first of a name wins", async () => {
  await inWorkspace(async (workspace) => {
    await workspace.write({
      "good.mjs": GOOD,
      "configured/more.mjs": GOOD,
      "../state/mods/good.mjs": GOOD,
      "../state/mods/user.mjs": GOOD,
      ".hookscope/mods/own.mjs": GOOD,
      "my.toml": '[mods]\npaths = ["configured/more.mjs"]\n',
    });
    await workspace.hookscope(["trust"]);
    expect(await statuses(workspace, "--mod", "good.mjs", "--config", "my.toml")).toEqual([
      "given good loaded",
      "given more loaded",
      "user good shadowed",
      "user user loaded",
      "project own loaded",
    ]);
  });
});

test("mods doctor says why, and ends with 1 where one failed", async () => {
  await inWorkspace(async (workspace) => {
    await workspace.write({ "guard.mjs": BROKEN, "good.mjs": GOOD });
    expect((await workspace.hookscope(["mods", "doctor", "--mod", "good.mjs"])).exitCode).toBe(0);
    const { exitCode, output } = await workspace.hookscope(["mods", "doctor", "--mod", "guard.mjs"]);
    expect({ exitCode, output }).toEqual({
      exitCode: 1,
      output: "guard  failed     given    guard.mjs\n    MOD_LOAD_FAILED: its factory failed: Error: no licence\n",
    });
  });
});

test("a mod that the harness refuses has failed, whatever its factory did", async () => {
  await inWorkspace(async (workspace) => {
    await workspace.write({
      "first.mjs": `export default (cmd) => { cmd.hooks({ id: "same" }); };`,
      "second.mjs": `export default (cmd) => { cmd.hooks({ id: "same" }); };`,
    });
    expect(await statuses(workspace, "--mod", "first.mjs", "--mod", "second.mjs")).toEqual([
      "given first loaded",
      "given second failed",
    ]);
  });
});

test("without a required mod nothing starts, and the reason is one line", async () => {
  await inWorkspace(async (workspace) => {
    await workspace.write({
      "guard.mjs": BROKEN,
      "my.toml": '[mods]\npaths = ["guard.mjs"]\nrequired = ["guard", "other"]\n',
    });
    const { exitCode, output, errors } = await workspace.run("--config", "my.toml");
    expect({ exitCode, output }).toEqual({ exitCode: 1, output: "" });
    expect(errors).toMatch(
      /^hookscope: MOD_REQUIRED_FAILED: a required mod is not loaded: "guard" \([^\n]+\): [^\n]+no licence; "other" was not found\n$/,
    );
    const listed = await workspace.hookscope(["timeline", "--list", "--json"]);
    expect(JSON.parse(listed.output)).toEqual([]);
    const doctor = await workspace.hookscope(["mods", "doctor", "--config", "my.toml", "--json"]);
    expect(doctor.exitCode).toBe(1);
    expect(JSON.parse(doctor.output)).toMatchObject({ mods: [{ name: "guard", status: "failed" }] });
  });
});

test("trust of a folder that is not there is refused", async () => {
  await inWorkspace(async ({ hookscope, directory }) => {
    expect(await hookscope(["trust", "nowhere"])).toEqual({
      exitCode: 1,
      output: "",
      errors: `hookscope: COMMAND_PATH_UNUSABLE: there is no folder ${directory}/nowhere.\n`,
    });
  });
});
