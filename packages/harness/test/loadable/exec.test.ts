import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";

import { createSystemClock } from "@hookscope/hooks";
import { createFakeClock, createTestTelemetry } from "@hookscope/testing";
import { context, trace } from "@opentelemetry/api";
import { describe, expect, test } from "vitest";

import { execute, type ExecRequest } from "../../src/loadable/exec.ts";
import { isGone } from "../tools/processes.ts";
import { workspace } from "./workspace.ts";

const clock = createSystemClock();

/** Starts a program that would go on for minutes, in the group, with the output open. */
const LEAVE =
  "const { spawn } = require('child_process'), { writeFileSync } = require('fs');" +
  "const left = spawn('sleep', ['600'], { stdio: 'inherit' });";

/** Resolves when the file has something in it. */
async function written(path: string): Promise<string> {
  for (;;) {
    const content = await readFile(path, "utf8").catch(() => "");
    if (content !== "") return content;
    await setImmediate();
  }
}

function run(code: string, more: Partial<ExecRequest> = {}): ReturnType<typeof execute> {
  return execute({ command: process.execPath, args: ["--eval", code], cwd: workspace(), clock, ...more });
}

describe("cmd.exec", () => {
  test("gives back what the program wrote, and its exit code", async () => {
    expect(await run("console.log('out'); console.error('err'); process.exitCode = 3;")).toEqual({
      stdout: "out\n",
      stderr: "err\n",
      code: 3,
      timedOut: false,
    });
  });

  test("arguments are passed as they are: no shell reads them", async () => {
    const { stdout } = await execute({ command: "echo", args: ["$HOME; ls"], cwd: workspace(), clock });
    expect(stdout).toBe("$HOME; ls\n");
  });

  test("past its time the whole group is ended", async () => {
    const cwd = workspace();
    const fake = createFakeClock();
    const running = run(`${LEAVE} writeFileSync("left", String(left.pid)); setInterval(() => {}, 1000);`, {
      cwd,
      clock: fake,
      timeoutMs: 300,
    });
    const left = Number(await written(join(cwd, "left")));
    await fake.advance(300);
    expect(await running).toMatchObject({ code: null, timedOut: true });
    expect(await isGone(left)).toBe(true);
  });

  test("what it leaves running is ended with it", async () => {
    const { stdout, ...ended } = await run(`${LEAVE} left.unref(); console.log(left.pid);`);
    expect(ended).toEqual({ stderr: "", code: 0, timedOut: false });
    expect(await isGone(Number(stdout))).toBe(true);
  });

  test("what left its group and holds its output open is not waited for", async () => {
    const code =
      "const left = require('child_process').spawn('sleep', ['600'], { stdio: 'inherit', detached: true });" +
      "left.unref(); console.log(left.pid);";
    const { stdout, ...ended } = await run(code);
    const isLeft = process.kill(Number(stdout), "SIGKILL");
    expect([ended, isLeft]).toEqual([{ stderr: "", code: 0, timedOut: false }, true]);
  });

  test("an abort ends it", async () => {
    const controller = new AbortController();
    const running = run("setInterval(() => {}, 1000);", { signal: controller.signal });
    controller.abort(new Error("enough"));
    await expect(running).rejects.toThrow("enough");
    await expect(run("", { signal: controller.signal })).rejects.toThrow("enough");
  });

  test("a program that does not exist is a coded error", async () => {
    await expect(execute({ command: "no-such-program", args: [], cwd: workspace(), clock })).rejects.toThrow(
      'MOD_EXEC_FAILED: "no-such-program" could not be started (ENOENT).',
    );
  });

  test.each([0, -1, Number.NaN, 2 ** 31])("a limit of %d ms is none", async (timeoutMs) => {
    await expect(run("", { timeoutMs })).rejects.toThrow(`timeoutMs is ${timeoutMs}; it must be a number`);
  });

  test("it gets the trace it belongs to, and no secret of this process", async () => {
    process.env["HOOKSCOPE_TEST_TOKEN"] = "secret";
    const telemetry = createTestTelemetry();
    try {
      const span = telemetry.tracer.startSpan("hook");
      const { stdout } = await context.with(trace.setSpan(context.active(), span), () =>
        run("console.log(process.env.TRACEPARENT, process.env.HOOKSCOPE_TEST_TOKEN)"),
      );
      const { traceId, spanId } = span.spanContext();
      expect(stdout).toBe(`00-${traceId}-${spanId}-01 undefined\n`);
    } finally {
      delete process.env["HOOKSCOPE_TEST_TOKEN"];
      await telemetry.dispose();
    }
  });
});
