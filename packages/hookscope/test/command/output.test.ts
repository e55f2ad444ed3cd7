import { spawn } from "node:child_process";
import { once } from "node:events";
import { openSync } from "node:fs";
import { readdir } from "node:fs/promises";

import type { TurnDocument } from "@hookscope/telemetry";
import { expect, test } from "vitest";

import { COMMAND, environmentOf, finished, runCommand, withHome } from "../fixtures/command.ts";
import { inWorkspace } from "../fixtures/workspace.ts";

const [node = "", ...rest] = COMMAND;

test("a reader that goes away ends the loop as an interrupt does: no stack, no copy of the workspace left", async () => {
  await withHome(async (home) => {
    const child = spawn(node, [...rest, "demo", "--loop", "--every", "0"], {
      env: environmentOf(home),
      stdio: ["ignore", "pipe", "pipe"],
    });
    let errors = "";
    child.stderr.on("data", (text: Buffer) => (errors += text.toString()));
    const exited = once(child, "exit");
    await once(child.stdout, "data");
    child.stdout.destroy();
    expect([...(await exited)]).toEqual([130, null]);
    expect(errors).not.toMatch(/EPIPE| at /);
    expect((await readdir(home)).filter((name) => name.startsWith("hookscope-demo-"))).toEqual([]);
  });
});

test("a reader of both streams that goes away does not keep a turn from its end", async () => {
  await withHome(async (home) => {
    const child = spawn(node, [...rest, "demo"], { env: environmentOf(home), stdio: ["ignore", "pipe", "pipe"] });
    const exited = once(child, "exit");
    await once(child.stdout, "data");
    child.stdout.destroy();
    child.stderr.destroy();
    expect([...(await exited)]).toEqual([0, null]);
    const { output } = await runCommand(["timeline", "--json"], home);
    expect((JSON.parse(output) as TurnDocument).turn.outcome).toBe("end_turn");
    expect((await readdir(home)).filter((name) => name.startsWith("hookscope-demo-"))).toEqual([]);
  });
});

test("output that cannot be written is an error, in one line", async () => {
  await withHome(async (home) => {
    const child = spawn(node, [...rest, "points"], {
      env: environmentOf(home),
      stdio: ["ignore", openSync("/dev/full", "w"), "pipe"],
    });
    const { exitCode, errors } = await finished(child);
    expect(exitCode).toBe(1);
    expect(errors).toMatch(
      /^hookscope: COMMAND_OUTPUT_FAILED: standard output cannot be written: ENOSPC[^\n]+\. What was printed is not whole\.\n$/,
    );
  });
});

test("what a mod or an exporter writes to the console is not in the results", async () => {
  await inWorkspace(async (workspace) => {
    await workspace.write({
      "loud.mjs":
        'export default (cmd) => { console.log("loading"); cmd.hooks({ onTurnStart: () => console.log("a round") }); };',
    });
    const { output, errors } = await workspace.hookscope(
      ["run", "hello", "--json", "--model", "local:small", "--base-url", workspace.modelUrl, "--mod", "loud.mjs"],
      { OTEL_TRACES_EXPORTER: "console" },
    );
    expect((JSON.parse(output) as TurnDocument).turn.outcome).toBe("end_turn");
    const lines = errors.split("\n");
    expect(lines.filter((line) => line === "loading" || line === "a round")).toEqual(["loading", "a round"]);
    expect(errors).toContain("traceId:");
  });
});
