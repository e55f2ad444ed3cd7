#!/usr/bin/env node
import { readFileSync } from "node:fs";

import { nodeProblem } from "./node-problem.ts";

const { version, engines } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")) as {
  readonly version: string;
  readonly engines: { readonly node: string };
};

// Nothing else is imported before: on an old Node the first thing that is missing would be blamed.
const problem = nodeProblem(process.versions.node, engines.node);
if (problem === undefined) {
  const { runProcess } = await import("./process.ts");
  await runProcess(version);
} else {
  process.stderr.write(`hookscope: ${problem}\n`);
  process.exitCode = 1;
}
