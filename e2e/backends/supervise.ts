// Runs the command line it is given in a process group of its own, until its standard input ends: then SIGTERM, and
// after 10 s SIGKILL, to the whole group. A pipe ends however its writer dies, so that no backend outlives a test run.
import { spawn } from "node:child_process";

const STOP_MS = 10_000;

const [file = "", ...args] = process.argv.slice(2);
const child = spawn(file, args, { detached: true, stdio: ["ignore", "inherit", "inherit"] });

child.once("error", (error) => {
  process.stderr.write(`${error.message}\n`);
  process.exit(127);
});
child.once("exit", (code) => {
  // Whatever the program itself started goes with it.
  signalGroup("SIGKILL");
  process.exit(code ?? 1);
});
process.stdin.resume().once("end", () => {
  signalGroup("SIGTERM");
  setTimeout(() => signalGroup("SIGKILL"), STOP_MS);
});

function signalGroup(signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}
