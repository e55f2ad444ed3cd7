import { spawn } from "node:child_process";
import { constants } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { RunError, codeOf } from "./error.mjs";

/**
 * Runs `steps` one after the other until one fails; resolves to the exit code to leave with. The steps see `node`
 * first in PATH, then the workspace's own commands.
 *
 * SIGTERM and SIGHUP go on to the running step: npm tells only this process. SIGINT does not, since a terminal already
 * sends it to the whole foreground group; this process only stays until the step has ended.
 * @param {readonly import("./tasks.mjs").Step[]} steps
 * @param {{ readonly root: string, readonly node: string }} place
 */
export async function runAll(steps, { root, node }) {
  const env = {
    ...process.env,
    PATH: [dirname(node), join(root, "node_modules/.bin"), process.env.PATH].join(delimiter),
  };
  for (const [command = "", ...args] of steps) {
    const code = await run(command === "node" ? node : command, args, { cwd: root, env, stdio: "inherit" });
    if (code !== 0) return code;
  }
  return 0;
}

/**
 * Runs one child to its end; resolves to its exit code, or 128 + the number of the signal that ended it. Rejects with
 * RUN_COMMAND_MISSING where it cannot be started.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {import("node:child_process").SpawnOptions} options
 * @returns {Promise<number>}
 */
export function run(command, args, options) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, options);
    /** @param {NodeJS.Signals} signal */
    const forward = (signal) => child.kill(signal);
    const ignore = () => {};
    process.on("SIGTERM", forward).on("SIGHUP", forward).on("SIGINT", ignore);
    const release = () => process.off("SIGTERM", forward).off("SIGHUP", forward).off("SIGINT", ignore);
    child.once("error", (error) => {
      release();
      reject(
        new RunError(
          "RUN_COMMAND_MISSING",
          `${command} could not be started (${codeOf(error)}). Delete node_modules and run this again.`,
        ),
      );
    });
    child.once("exit", (code, signal) => {
      release();
      resolve(code ?? 128 + (signal === null ? 0 : constants.signals[signal]));
    });
  });
}
