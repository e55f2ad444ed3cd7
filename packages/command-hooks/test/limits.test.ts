import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";

import { createSystemClock } from "@hookscope/hooks";
import { createFakeClock } from "@hookscope/testing";
import { describe, expect, test } from "vitest";

import { CommandHookError } from "../src/index.ts";
import { runCommand, type CommandRequest } from "../src/run-command.ts";
import { folder, modErrors, runTurn, toolResult } from "./run.ts";

const ENV = { PATH: "/usr/local/bin:/usr/bin:/bin" };

function request(command: string, more: Partial<CommandRequest> = {}): CommandRequest {
  return {
    command,
    input: "{}",
    cwd: folder(),
    env: ENV,
    timeoutMs: 60_000,
    signal: undefined,
    clock: createSystemClock(),
    ...more,
  };
}

/** Resolves when the file has something in it. */
async function written(path: string): Promise<string> {
  for (;;) {
    const content = await readFile(path, "utf8").catch(() => "");
    if (content !== "") return content;
    await setImmediate();
  }
}

async function isAlive(pid: number): Promise<boolean> {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  // Without an init process nobody buries what its parent left behind: dead all the same.
  const status = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
  return !/\) Z /.test(status);
}

describe("a command's limit", () => {
  test("is its own, in seconds: past it the call goes on, and the failure says so", async () => {
    const ran = await runTurn({ PreToolUse: [{ hooks: [{ type: "command", command: "sleep 600", timeout: 0.2 }] }] });
    expect(toolResult(ran)).toBe("ran");
    expect(modErrors(ran)).toEqual([
      [
        "user-hooks/PreToolUse.1",
        "beforeToolCall",
        "COMMAND_HOOK_TIMEOUT: the command took longer than 0.2 s; its processes were ended.",
      ],
    ]);
  });

  test("ends the whole process group, and is not waited past", async () => {
    const cwd = folder();
    const clock = createFakeClock();
    const running = runCommand(request("sleep 600 & echo $! > child; wait", { cwd, clock, timeoutMs: 5_000 }));
    const child = Number(await written(join(cwd, "child")));
    const failure = running.catch((error: unknown) => error);
    await clock.advance(5_000);
    expect(await failure).toEqual(
      new CommandHookError("COMMAND_HOOK_TIMEOUT", "the command took longer than 5 s; its processes were ended."),
    );
    while (await isAlive(child)) await clock.advance(0);
  });

  test("what ignores SIGTERM is killed", async () => {
    const cwd = folder();
    const clock = createFakeClock();
    const running = runCommand(
      request("trap '' TERM; echo $$ > self; while :; do sleep 1; done", { cwd, clock, timeoutMs: 5_000 }),
    );
    const pid = Number(await written(join(cwd, "self")));
    const failure = running.catch((error: unknown) => error);
    await clock.advance(5_000);
    expect(await failure).toMatchObject({ code: "COMMAND_HOOK_TIMEOUT" });
    expect(await isAlive(pid)).toBe(true);
    await clock.advance(2_000);
    while (await isAlive(pid)) await clock.advance(0);
  });
});

describe("a command is over with its exit", () => {
  test("what it left running is ended, and its output is not waited for", async () => {
    const cwd = folder();
    const outcome = await runCommand(request("sleep 600 & echo $! > child; echo out", { cwd }));
    expect(outcome).toEqual({ exitCode: 0, stdout: "out\n", stderr: "", stdoutOmittedBytes: 0 });
  });

  test("an interrupt ends it with the turn", async () => {
    const controller = new AbortController();
    const cwd = folder();
    const running = runTurn(
      { PreToolUse: [{ hooks: [{ type: "command", command: "echo $$ > self; sleep 600" }] }] },
      { cwd, signal: controller.signal },
    );
    const pid = Number(await written(join(cwd, "self")));
    controller.abort();
    const ran = await running;
    expect([ran.result.stopReason, modErrors(ran)]).toEqual(["interrupted", []]);
    const clock = createFakeClock();
    while (await isAlive(pid)) await clock.advance(0);
  });

  test("a folder that does not exist is a coded error", async () => {
    await expect(runCommand(request("true", { cwd: join(folder(), "gone") }))).rejects.toEqual(
      new CommandHookError("COMMAND_HOOK_NOT_STARTED", "the command could not be started (ENOENT)."),
    );
  });
});
