import { spawn } from "node:child_process";

import { expect, test } from "vitest";

import { nodeProblem } from "../src/node-problem.ts";
import { COMMAND, environmentOf, finished, withHome } from "./fixtures/command.ts";

test.for([
  ["22.18.0", false],
  ["22.17.1", true],
  ["20.20.2", true],
  ["24.0.0", false],
  ["23.1.0", false],
  ["9.99.0", true],
  ["100.0.0", false],
  ["22.18.0-nightly", false],
] as const)("Node %s is too old: %j", ([node, isOld]) => {
  expect(nodeProblem(node, ">=22.18") !== undefined).toBe(isOld);
});

// A real old Node is not at hand everywhere: this one only says that it is.
const OLD_NODE =
  'data:text/javascript,Object.defineProperty(process,"versions",{value:{...process.versions,node:"20.1.0"}})';

test("on an old Node the command says which is needed, and nothing else", async () => {
  await withHome(async (home) => {
    const [node = "", ...rest] = COMMAND;
    const child = spawn(node, ["--import", OLD_NODE, ...rest, "timeline"], {
      env: environmentOf(home),
      stdio: ["ignore", "pipe", "pipe"],
    });
    expect(await finished(child)).toEqual({
      exitCode: 1,
      output: "",
      errors:
        "hookscope: NODE_TOO_OLD: this is Node 20.1.0, and hookscope needs Node 22.18 or newer. Install one from " +
        "https://nodejs.org; in a clone of Hookscope, `npm run -s hookscope -- <arguments>` brings its own.\n",
    });
  });
});
