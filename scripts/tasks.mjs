import { RunError } from "./error.mjs";

const vitest = ["node", "node_modules/vitest/vitest.mjs"];
const hookscope = ["node", "--conditions=@hookscope/source", "packages/hookscope/src/main.ts"];
/** The package manager, in the version of the lockfile. */
export const PNPM = ["npx", "--yes", "pnpm@12.21.0"];

/**
 * Every task: what it is for, and its steps, run in order until one fails. A step is a command line; the
 * arguments of the task go to its last step.
 */
const TASKS = {
  start: { about: "the demo turn, as `hookscope demo`", steps: [[...hookscope, "demo"]] },
  hookscope: { about: "the hookscope command, from source", steps: [hookscope] },
  test: { about: "all tests; arguments go to vitest", steps: [[...vitest, "run"]] },
};

/** The command lines of task `name`, with `args` added to the last. Throws RUN_TASK_UNKNOWN with the list of tasks. */
export function stepsOf(name, args) {
  if (!Object.hasOwn(TASKS, name ?? "")) {
    const list = Object.entries(TASKS).map(([task, { about }]) => `  ${task.padEnd(16)}${about}`);
    const problem = name === undefined ? "no task was named" : `there is no task "${name}"`;
    throw new RunError("RUN_TASK_UNKNOWN", `${problem}. The tasks are:\n${list.join("\n")}`);
  }
  const steps = TASKS[name].steps;
  return steps.map((step, index) => (index === steps.length - 1 ? [...step, ...args] : step));
}
