import { RunError } from "./error.mjs";

/**
 * @typedef {readonly string[]} Step a command line
 * @typedef {{ readonly about: string, readonly steps: readonly Step[] }} Task
 */

/** The package manager, in the version that wrote the lockfile. */
export const PNPM = /** @type {const} */ (["npx", "--yes", "pnpm@12.21.0"]);

const FROM_SOURCE = ["node", "--conditions=@hookscope/source"];
const HOOKSCOPE = [...FROM_SOURCE, "packages/hookscope/src/main.ts"];
const VITEST = ["node", "node_modules/vitest/vitest.mjs", "run"];
const GENERATE = [...FROM_SOURCE, "scripts/generate.ts"];

/**
 * Every task: what it is for, and its steps, run in order until one fails. The arguments of the task go to its last
 * step.
 * @type {Readonly<Record<string, Task>>}
 */
const TASKS = {
  start: { about: "the demo turn: hookscope demo", steps: [[...HOOKSCOPE, "demo"]] },
  hookscope: { about: "the hookscope command, from source", steps: [HOOKSCOPE] },
  test: { about: "all tests, or those named", steps: [VITEST] },
  "test:otel2": {
    about: "the libraries' tests on OpenTelemetry 2.x",
    steps: [[...VITEST, "--config", "vitest.otel2.config.ts"]],
  },
  coverage: { about: "all tests, with coverage", steps: [[...VITEST, "--coverage"]] },
  check: {
    about: "types, lint, format, unused code, generated files",
    steps: [
      ["tsc", "-b"],
      ["oxlint", "--type-aware", "--deny-warnings"],
      ["oxfmt", "--check"],
      ["knip"],
      [...GENERATE, "--check"],
    ],
  },
  format: { about: "formats every file", steps: [["oxfmt"]] },
  build: { about: "builds every package as published", steps: [[...PNPM, "--recursive", "run", "build"]] },
  bench: { about: "benchmarks, as ratios", steps: [[...FROM_SOURCE, "--expose-gc", "bench/src/main.ts"]] },
  e2e: { about: "the demo against real backends", steps: [[...VITEST, "--config", "e2e/vitest.config.ts"]] },
  "docs:generate": { about: "writes the generated documents", steps: [GENERATE] },
  changeset: { about: "describes a change for the changelog", steps: [["changeset"]] },
};

/**
 * The steps of task `name`, with `args` added to the last. Throws RUN_TASK_UNKNOWN with the list of tasks.
 * @param {string | undefined} name
 * @param {readonly string[]} args
 * @returns {Step[]}
 */
export function stepsOf(name, args) {
  const task = name !== undefined && Object.hasOwn(TASKS, name) ? TASKS[name] : undefined;
  if (task === undefined) throw unknown(name);
  return task.steps.map((step, index) => (index === task.steps.length - 1 ? [...step, ...args] : step));
}

/** @param {string | undefined} name */
function unknown(name) {
  const problem = name === undefined ? "no task was named" : `there is no task "${name}"`;
  const list = Object.entries(TASKS).map(([task, { about }]) => `  ${task.padEnd(14)} ${about}`);
  return new RunError("RUN_TASK_UNKNOWN", `${problem}. The tasks are:\n${list.join("\n")}`);
}
