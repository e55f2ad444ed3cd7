import { symlinkSync } from "node:fs";
import { join } from "node:path";

import { createFakeClock } from "@hookscope/testing";
import { describe, expect, test } from "vitest";

import { BUILT_IN_MOD_NAMES, HarnessError, loadMods, type ModLoadResult } from "../../src/index.ts";
import { workspace } from "./workspace.ts";

const TRUST = { isTrusted: () => Promise.resolve(true) };
const EMPTY = "export default () => {};\n";

const statuses = (results: readonly ModLoadResult[]): readonly string[] =>
  results.map(({ name, origin, status }) => `${origin} ${name} ${status}`);

describe("where mods are found", () => {
  test("those named, then the user's, then the workspace's; files and directories with an index, by name", async () => {
    const cwd = workspace({
      "extra/one.mjs": EMPTY,
      "extra/two/index.js": EMPTY,
      "user/b.js": EMPTY,
      "user/a.mts": EMPTY,
      "user/_helper.js": EMPTY,
      "user/.hidden.js": EMPTY,
      "user/types.d.ts": "export {};\n",
      "user/notes.md": "",
      "user/empty/readme.md": "",
      ".hookscope/mods/project.ts": EMPTY,
    });
    const { results } = await loadMods({
      cwd,
      paths: ["extra/one.mjs", "extra/two"],
      userDirectory: join(cwd, "user"),
      trust: TRUST,
    });
    expect(statuses(results)).toEqual([
      "given one loaded",
      "given two loaded",
      "user a loaded",
      "user b loaded",
      "project project loaded",
    ]);
    expect(results.map(({ path }) => path.slice(cwd.length + 1))).toEqual([
      "extra/one.mjs",
      "extra/two/index.js",
      "user/a.mts",
      "user/b.js",
      ".hookscope/mods/project.ts",
    ]);
  });

  test("directories that do not exist have none", async () => {
    const cwd = workspace();
    expect((await loadMods({ cwd, userDirectory: join(cwd, "user"), trust: TRUST })).results).toEqual([]);
  });

  test("nothing of a workspace that is not trusted runs, not even its top level", async () => {
    const cwd = workspace({ ".hookscope/mods/evil.mjs": "globalThis.evilRan = true;\nexport default () => {};\n" });
    for (const trust of [undefined, { isTrusted: () => Promise.resolve(false) }]) {
      const { results } = await loadMods({ cwd, ...(trust && { trust }) });
      expect(results).toEqual([
        {
          name: "evil",
          path: join(cwd, ".hookscope/mods/evil.mjs"),
          origin: "project",
          status: "untrusted",
          error: "the workspace is not trusted, so its mods are not run. Trust it first.",
        },
      ]);
    }
    expect("evilRan" in globalThis).toBe(false);
  });
});

describe("names", () => {
  test("the first of a name wins, and the loser says to whom it lost", async () => {
    const cwd = workspace({ "mine/guard.js": EMPTY, "user/guard.js": EMPTY, ".hookscope/mods/guard.js": EMPTY });
    const { results } = await loadMods({
      cwd,
      paths: ["mine/guard.js"],
      userDirectory: join(cwd, "user"),
      trust: TRUST,
    });
    expect(statuses(results)).toEqual(["given guard loaded", "user guard shadowed", "project guard shadowed"]);
    expect(results[1]?.error).toBe(`${join(cwd, "mine/guard.js")} has the name "guard" already; the first one wins.`);
  });

  test("a mod that fails keeps its name: a second one must not pass for it", async () => {
    const cwd = workspace({ "mine/guard.js": "export {};\n", "user/guard.js": EMPTY });
    const { results } = await loadMods({ cwd, paths: ["mine/guard.js"], userDirectory: join(cwd, "user") });
    expect(statuses(results)).toEqual(["given guard failed", "user guard shadowed"]);
  });

  test.for(BUILT_IN_MOD_NAMES)("%s is a built-in's, and cannot be taken", async (name) => {
    const cwd = workspace({ [`${name}.js`]: EMPTY });
    const { results } = await loadMods({ cwd, paths: [`${name}.js`] });
    expect(results).toMatchObject([
      { status: "shadowed", error: `"${name}" is the name of a built-in mod. Rename the file.` },
    ]);
  });

  test("nor can one that the embedder has taken", async () => {
    const cwd = workspace({ "audit.js": EMPTY });
    const { results } = await loadMods({ cwd, paths: ["audit.js"], taken: ["audit"] });
    expect(results).toMatchObject([{ error: 'a mod named "audit" is there already. Rename the file.' }]);
  });
});

describe("a mod that cannot be loaded is a result, and the others load", () => {
  test.for([
    [
      "a top level that throws",
      "throw new Error('no disk');\n",
      "MOD_LOAD_FAILED: it cannot be imported: Error: no disk",
    ],
    [
      "no default export",
      "export const mod = 1;\n",
      "MOD_LOAD_FAILED: it has no default export; export its factory by default.",
    ],
    [
      "a default export that is no function",
      "export default { id: 'x' };\n",
      "MOD_LOAD_FAILED: its default export is of type object; it must be a function that is given `cmd`.",
    ],
    [
      "a factory that throws",
      "export default () => { throw new TypeError('bad'); };\n",
      "MOD_LOAD_FAILED: its factory failed: TypeError: bad",
    ],
    [
      "a factory that rejects",
      "export default async () => { throw 'plain'; };\n",
      "MOD_LOAD_FAILED: its factory failed: plain",
    ],
  ] as const)("%s", async ([, source, error]) => {
    const cwd = workspace({ "user/bad.mjs": source, "user/good.mjs": EMPTY });
    const { results } = await loadMods({ cwd, userDirectory: join(cwd, "user") });
    expect(results.map((result) => [result.name, result.status, result.error])).toEqual([
      ["bad", "failed", error],
      ["good", "loaded", undefined],
    ]);
  });

  test("a link that leads nowhere, beside one that does not look like a mod", async () => {
    const cwd = workspace({ "user/good.mjs": EMPTY });
    for (const name of ["guard.ts", "team", "notes.md"]) symlinkSync(join(cwd, "gone"), join(cwd, "user", name));
    const { results } = await loadMods({ cwd, userDirectory: join(cwd, "user") });
    expect(results.map(({ name, status, error }) => [name, status, error])).toEqual([
      ["good", "loaded", undefined],
      ["guard", "failed", "it cannot be looked at (ENOENT); is it a link that leads nowhere?"],
      ["team", "failed", "it cannot be looked at (ENOENT); is it a link that leads nowhere?"],
    ]);
  });

  test("those of a directory that cannot be read, all of them", async () => {
    const cwd = workspace({ user: "no directory", "good.mjs": EMPTY });
    const { results } = await loadMods({ cwd, paths: ["good.mjs"], userDirectory: join(cwd, "user") });
    expect(results).toEqual([
      { name: "good", path: join(cwd, "good.mjs"), origin: "given", status: "loaded" },
      {
        name: "user mods",
        path: join(cwd, "user"),
        origin: "user",
        status: "failed",
        error: "the directory cannot be read (ENOTDIR), so none of its mods is loaded.",
      },
    ]);
  });

  test("a file that was named and is no program", async () => {
    const { results } = await loadMods({ cwd: workspace({ "notes.md": "" }), paths: ["notes.md"] });
    expect(results.map(({ error }) => error)).toEqual(["it is no .ts, .mts, .js or .mjs file."]);
  });

  test("a file that was named and does not exist", async () => {
    const { results } = await loadMods({ cwd: workspace(), paths: ["gone.ts"] });
    expect(results).toMatchObject([
      { name: "gone", status: "failed", error: "there is no such file, or no directory with an index file." },
    ]);
  });

  test.for([
    ["a factory", "export default () => new Promise(() => {});\n"],
    ["a top level", "await new Promise(() => {});\nexport default () => {};\n"],
  ] as const)("%s that never settles, once its 10 s are over", async ([, source]) => {
    const cwd = workspace({ "slow.mjs": source });
    const clock = createFakeClock();
    const loading = loadMods({ cwd, paths: ["slow.mjs"], clock });
    while (clock.pendingTimers === 0) await clock.advance(0);
    await clock.advance(9_999);
    expect(clock.pendingTimers).toBe(1);
    await clock.advance(1);
    expect((await loading).results).toMatchObject([
      {
        status: "failed",
        error: "MOD_LOAD_FAILED: it was not loaded within 10000 ms; its top level, or its factory, never settles.",
      },
    ]);
  });
});

describe("a required mod", () => {
  test("that is loaded lets the harness start", async () => {
    const cwd = workspace({ "guard.mjs": EMPTY });
    await expect(loadMods({ cwd, paths: ["guard.mjs"], required: ["guard"] })).resolves.toBeDefined();
  });

  test("that is not refuses to start, with every such mod and why", async () => {
    const cwd = workspace({ "guard.mjs": "export {};\n", ".hookscope/mods/team.mjs": EMPTY });
    await expect(loadMods({ cwd, paths: ["guard.mjs"], required: ["guard", "team", "gone"] })).rejects.toEqual(
      new HarnessError(
        "MOD_REQUIRED_FAILED",
        `a required mod is not loaded: "guard" (${join(cwd, "guard.mjs")}): MOD_LOAD_FAILED: it has no default export; ` +
          `export its factory by default.; "team" (${join(cwd, ".hookscope/mods/team.mjs")}): the workspace is not trusted, ` +
          'so its mods are not run. Trust it first.; "gone" was not found',
      ),
    );
  });
});
