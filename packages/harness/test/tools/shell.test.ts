import { writeFileSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

import { createSystemClock, type Clock } from "@hookscope/hooks";
import { ROOT_CONTEXT, trace } from "@opentelemetry/api";
import { expect, test } from "vitest";

import { shellTool, type ShellOptions } from "../../src/tools/index.ts";
import { isGone } from "./processes.ts";
import { callTool, failureOf, makeFolders, type CallOptions } from "./call-tool.ts";
import type { ToolOutput } from "../../src/tool.ts";

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

const LIMIT_MS = 60_000;
const KILL_AFTER_MS = 59_000;

async function run(command: string, options: Partial<ShellOptions> = {}, call: CallOptions = {}): Promise<ToolOutput> {
  const root = options.root ?? (await makeFolders()).root;
  return callTool(shellTool({ ...options, root }), { command }, call);
}

test("a command runs in the root; both outputs and the exit code are given", async () => {
  const { root } = await makeFolders();
  expect(await run("pwd; echo problem >&2", { root })).toEqual({
    content: `${root}\nproblem\n[exit code 0]`,
    isError: false,
  });
});

test("an exit code other than 0 is an error, and so is an end by a signal", async () => {
  expect(await run("printf partly; exit 3")).toEqual({ content: "partly\n[exit code 3]", isError: true });
  expect(await run("kill -9 $$")).toEqual({ content: "[ended by SIGKILL]", isError: true });
});

test("there is no input to wait for", async () => {
  expect(await run("cat; echo end")).toEqual({ content: "end\n[exit code 0]", isError: false });
});

test("the environment is a safe subset, what the embedder adds, and the call's trace", async () => {
  const parent = trace.setSpanContext(ROOT_CONTEXT, {
    traceId: "0af7651916cd43dd8448eb211c80319c",
    spanId: "b7ad6b7169203331",
    traceFlags: 1,
  });
  process.env["HOOKSCOPE_TEST_TOKEN"] = "secret";
  const { content } = await run(
    "env | cut -d= -f1 | sort | tr '\\n' ' '; echo $ADDED $TRACEPARENT",
    { env: { ADDED: "yes" } },
    { parent },
  );
  delete process.env["HOOKSCOPE_TEST_TOKEN"];
  const [names, values] = content.split(/ (?=yes)/);
  const safe = ["HOME", "LANG", "PATH", "TERM", "TMPDIR", "USER"].filter((name) => process.env[name] !== undefined);
  // What a shell sets by itself.
  const ofShell = ["OLDPWD", "PWD", "SHLVL", "_"];
  expect((names ?? "").split(" ").filter((name) => !ofShell.includes(name))).toEqual(
    [...safe, "ADDED", "TRACEPARENT"].toSorted(),
  );
  expect(values).toBe("yes 00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01\n[exit code 0]");
});

test("without a recorded call there is no TRACEPARENT", async () => {
  expect((await run("echo [$TRACEPARENT]")).content).toBe("[]\n[exit code 0]");
});

test("a command that takes too long is ended with all it started", async () => {
  const { root } = await makeFolders();
  const { clock, fire } = heldTimers(LIMIT_MS);
  const command = "sh -c 'sleep 300 & echo $! > child; echo started; wait'; true";
  const output = await run(command, { root, clock, timeoutMs: LIMIT_MS }, { onUpdate: () => fire(LIMIT_MS) });
  expect(output).toEqual({ content: "started\n[took too long and was stopped; ended by SIGTERM]", isError: true });
  expect(await isGone(Number(await readFile(join(root, "child"), "utf8")))).toBe(true);
});

test("the limit may be set by the call", async () => {
  const { root } = await makeFolders();
  expect(await callTool(shellTool({ root }), { command: "sleep 300", timeout_ms: 50 })).toEqual({
    content: "[took too long and was stopped; ended by SIGTERM]",
    isError: true,
  });
});

test("what ignores SIGTERM gets SIGKILL", async () => {
  const { clock, fire } = heldTimers(LIMIT_MS, KILL_AFTER_MS);
  const command = "exec 2>/dev/null; trap 'echo still here' TERM; echo ready; while :; do sleep 0.01; done";
  const onUpdate = (partial: string): void => fire(partial.includes("still here") ? KILL_AFTER_MS : LIMIT_MS);
  const output = await run(command, { clock, timeoutMs: LIMIT_MS, killAfterMs: KILL_AFTER_MS }, { onUpdate });
  expect(output).toEqual({
    content: "ready\nstill here\n[took too long and was stopped; ended by SIGKILL]",
    isError: true,
  });
});

test("an interrupt ends the whole group, and the call fails with its reason", async () => {
  const { root } = await makeFolders();
  const controller = new AbortController();
  const call = run(
    "sleep 300 & echo $! > child; echo started; wait",
    { root },
    {
      signal: controller.signal,
      onUpdate: () => controller.abort(new Error("interrupted")),
    },
  );
  expect(await failureOf(call)).toBe("interrupted");
  expect(await isGone(Number(await readFile(join(root, "child"), "utf8")))).toBe(true);
});

test("nothing is started when the call is interrupted already", async () => {
  const { root } = await makeFolders();
  const signal = AbortSignal.abort(new Error("interrupted"));
  expect(await failureOf(run("echo x > file", { root }, { signal }))).toBe("interrupted");
  await expect(readFile(join(root, "file"))).rejects.toThrow("ENOENT");
});

test("a process left behind with the output open is not waited for, and is ended", async () => {
  const { root } = await makeFolders();
  expect(await run("sleep 300 & echo $! > child; echo done", { root })).toEqual({
    content: "done\n[exit code 0]",
    isError: false,
  });
  expect(await isGone(Number(await readFile(join(root, "child"), "utf8")))).toBe(true);
});

test("a process left behind with its output elsewhere is ended too", async () => {
  const { root } = await makeFolders();
  await run("sleep 300 > /dev/null 2>&1 & echo $! > child", { root });
  expect(await isGone(Number(await readFile(join(root, "child"), "utf8")))).toBe(true);
});

test(
  "100 MB of output keep the beginning and the end, and none of it stays in memory",
  { timeout: 300_000 },
  async () => {
    const { root } = await makeFolders();
    const before = memory();
    let kept: number | undefined;
    const command = `echo first; yes 0123456789 | head -c 104857600; echo; while [ ! -e measured ]; do sleep 0.01; done; echo last`;
    const onUpdate = (partial: string): void => {
      if (!partial.endsWith("\n0\n")) return;
      kept = memory() - before;
      writeFileSync(join(root, "measured"), "");
    };
    const { content } = await run(command, { root }, { onUpdate });
    expect(content.length).toBeLessThan(65_536 + 100);
    expect(content.split("\n").slice(0, 2)).toEqual(["first", "0123456789"]);
    expect(content.split("\n").slice(-3)).toEqual(["0", "last", "[exit code 0]"]);
    // "first\n", the 100 MB, "\nlast\n": 64 KiB of it are shown.
    expect(content.match(/\[… (\d+) bytes left out …\]/)?.[1]).toBe(String(6 + 104_857_600 + 6 - 65_536));
    expect(kept).toBeLessThan(20 * 1024 * 1024);
  },
);

test("progress is told at once, then at most once in an interval, and what came in between at its end", async () => {
  const { root } = await makeFolders();
  const timers: (() => void)[] = [];
  const updates: string[] = [];
  const clock = {
    now: () => 0,
    setTimer: (callback: () => void, delayMs: number) => {
      if (delayMs === 250) timers.push(callback);
      return { cancel: () => undefined };
    },
  };
  const next = async (name: string): Promise<void> => writeFile(join(root, name), "");
  const wait = (name: string): string => `while [ ! -e ${name} ]; do sleep 0.01; done`;
  const seen = Promise.withResolvers<void>();
  const call = run(
    `echo 1; ${wait("a")}; printf '2\\n3\\n'; echo 4 > b; ${wait("c")}`,
    { root, clock },
    {
      onUpdate: (partial) => {
        updates.push(partial);
        if (updates.length === 2) seen.resolve();
        else void next("a");
      },
    },
  );
  await untilReadable(join(root, "b"));
  expect(updates).toEqual(["1\n"]);
  while (updates.length < 2) {
    timers.splice(0).forEach((callback) => callback());
    await new Promise(setImmediate);
  }
  await seen.promise;
  await next("c");
  await call;
  expect(updates.at(-1)).toBe("1\n2\n3\n");
});

test("a command that cannot be started is an error with a code", async () => {
  expect(await failureOf(run("echo a\0b"))).toBe(
    "TOOL_COMMAND_FAILED: the command could not be started (ERR_INVALID_ARG_VALUE).",
  );
  expect(await failureOf(run(`echo ${"x".repeat(3_000_000)}`))).toBe(
    "TOOL_COMMAND_FAILED: the command could not be started (E2BIG).",
  );
});

/** The real clock, but for some delays: their timers fire when they are told to, the oldest first. */
function heldTimers(...heldMs: readonly number[]): { readonly clock: Clock; readonly fire: (delayMs: number) => void } {
  const system = createSystemClock();
  const held: { readonly delayMs: number; readonly callback: () => void }[] = [];
  const setTimer: Clock["setTimer"] = (callback, delayMs) => {
    if (!heldMs.includes(delayMs)) return system.setTimer(callback, delayMs);
    const timer = { delayMs, callback };
    held.push(timer);
    return { cancel: () => void held.splice(held.indexOf(timer), held.includes(timer) ? 1 : 0) };
  };
  const fire = (delayMs: number): void => {
    const index = held.findIndex((timer) => timer.delayMs === delayMs);
    if (index !== -1) held.splice(index, 1)[0]?.callback();
  };
  return { clock: { ...system, setTimer }, fire };
}

/** What is kept, without what only waits to be collected. */
function memory(): number {
  // The second waits for what the first still sweeps.
  collectGarbage();
  collectGarbage();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

async function untilReadable(path: string): Promise<void> {
  while ((await readFile(path, "utf8").catch(() => "")) === "") await new Promise(setImmediate);
}
