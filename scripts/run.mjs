#!/usr/bin/env node
// The one way in: picks a Node that is new enough, installs what is missing, runs a task.
// Plain JavaScript without dependencies, since it runs before anything is installed, on whatever Node the host has.
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { runAll } from "./child.mjs";
import { RunError } from "./error.mjs";
import { install } from "./install.mjs";
import { checkPlatform, pickNode } from "./node.mjs";
import { stepsOf } from "./tasks.mjs";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");

try {
  const [name, ...rest] = process.argv.slice(2);
  const steps = stepsOf(name, rest[0] === "--" ? rest.slice(1) : rest);
  checkPlatform();
  await install(root);
  process.exitCode = await runAll(steps, { root, node: pickNode(root) });
} catch (error) {
  if (!(error instanceof RunError)) throw error;
  process.stderr.write(`${error.code}: ${error.message}\n`);
  process.exitCode = 1;
}
