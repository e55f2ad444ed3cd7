import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { expect, onTestFinished, test } from "vitest";
import { runAll } from "../child.mjs";

const moduleUrl = new URL("../child.mjs", import.meta.url).href;
const root = join(import.meta.dirname, "../..");

test("the exit code of the child is kept", async () => {
  const parent = startParent([["node", "-e", "process.exit(7)"]]);
  expect(await exitOf(parent)).toBe(7);
});

test("a step runs only when the one before it succeeded", async () => {
  const parent = startParent([
    ["node", "-e", "console.log('first')"],
    ["node", "-e", "console.log('second'); process.exit(3)"],
    ["node", "-e", "console.log('third')"],
  ]);
  const lines = linesOf(parent);
  expect(await exitOf(parent)).toBe(3);
  expect(await lines).toEqual(["first", "second"]);
});

test("a child that dies of a signal gives 128 + its number", async () => {
  const parent = startParent([["node", "-e", "process.kill(process.pid, 'SIGKILL')"]]);
  expect(await exitOf(parent)).toBe(137);
});

test("a command that is not there is an error that says what to do", async () => {
  const place = { root, node: process.execPath };
  await expect(runAll([["hookscope-no-such-command"]], place)).rejects.toMatchObject({
    code: "RUN_COMMAND_MISSING",
    message: "hookscope-no-such-command could not be started (ENOENT). Delete node_modules and run this again.",
  });
});

test("SIGTERM goes on to the child, which ends with its own exit code", async () => {
  const parent = startParent([waitingFor("SIGTERM", 5)]);
  await firstLine(parent);
  parent.kill("SIGTERM");
  expect(await exitOf(parent)).toBe(5);
});

test("SIGINT is not sent on: the terminal has already sent it to the child", async () => {
  const child = "process.on('SIGINT', () => process.exit(1)); process.on('SIGTERM', () => process.exit(6));";
  const parent = startParent([["node", "-e", `${child} setInterval(() => {}, 1000); console.log('ready')`]]);
  await firstLine(parent);
  parent.kill("SIGINT");
  parent.kill("SIGTERM");
  expect(await exitOf(parent)).toBe(6);
});

test("an unknown task ends with one coded error and no output", async () => {
  const parent = spawn(process.execPath, [join(root, "scripts/run.mjs"), "tset"], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [output, errors] = [linesOf(parent), linesOf(parent, "stderr")];
  expect(await exitOf(parent)).toBe(1);
  expect(await output).toEqual([]);
  expect((await errors)[0]).toBe('RUN_TASK_UNKNOWN: there is no task "tset". The tasks are:');
});

/** A child that says `ready`, then ends with `code` on `signal`. */
function waitingFor(signal: NodeJS.Signals, code: number): string[] {
  const wait = `process.on("${signal}", () => process.exit(${code})); setInterval(() => {}, 1000);`;
  return ["node", "-e", `${wait} console.log("ready")`];
}

/** A process of its own that runs `steps` as the start script does. */
function startParent(steps: string[][]): ChildProcess {
  const place = JSON.stringify({ root, node: process.execPath });
  const script = `
    import { runAll } from ${JSON.stringify(moduleUrl)};
    process.exitCode = await runAll(${JSON.stringify(steps)}, ${place});
  `;
  const parent = spawn(process.execPath, ["--input-type=module", "-e", script], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void parent.kill("SIGKILL"));
  return parent;
}

async function exitOf(process: ChildProcess): Promise<number | null> {
  const [code] = await once(process, "exit");
  return code;
}

async function firstLine(process: ChildProcess): Promise<string> {
  const [line] = await once(createInterface({ input: streamOf(process, "stdout") }), "line");
  return line;
}

async function linesOf(process: ChildProcess, name: "stdout" | "stderr" = "stdout"): Promise<string[]> {
  return Array.fromAsync(createInterface({ input: streamOf(process, name) }));
}

function streamOf(process: ChildProcess, name: "stdout" | "stderr"): NodeJS.ReadableStream {
  const stream = process[name];
  if (stream === null) throw new Error(`the child's ${name} is not piped`);
  return stream;
}
