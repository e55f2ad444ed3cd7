import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { callTools, createTestTelemetry, reply, type TestTelemetry } from "@hookscope/testing";
import { afterEach, describe, expect, test } from "vitest";

import { folder, quoted, runTurn, script } from "./run.ts";

let telemetry: TestTelemetry | undefined;
afterEach(() => telemetry?.dispose());

describe("what a command is given", () => {
  test("one JSON object on standard input, in the shape of its event", async () => {
    const cwd = folder();
    const command = script(
      cwd,
      `(await import("node:fs")).appendFileSync("seen.jsonl", JSON.stringify(input) + "\\n");`,
    );
    const hooks = [{ hooks: [{ type: "command" as const, command }] }];
    const { result } = await runTurn(
      { SessionStart: hooks, PreToolUse: hooks, PostToolUse: hooks, Stop: hooks },
      { cwd, transcriptPath: "/sessions/one.jsonl", permissionMode: () => "accept-edits" },
    );
    const base = {
      session_id: result.sessionId,
      transcript_path: "/sessions/one.jsonl",
      cwd,
      permission_mode: "acceptEdits",
    };
    const tool = { tool_name: "shell", tool_input: { command: "ls" }, tool_use_id: "call_1" };
    expect(
      readFileSync(join(cwd, "seen.jsonl"), "utf8")
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line) as unknown),
    ).toEqual([
      { ...base, hook_event_name: "SessionStart", source: "startup" },
      { ...base, hook_event_name: "PreToolUse", ...tool },
      { ...base, hook_event_name: "PostToolUse", ...tool, tool_response: "ran" },
      { ...base, hook_event_name: "Stop", stop_hook_active: false, last_assistant_message: "done" },
    ]);
  });

  test("the workspace, the configured variables and nothing else that may be a secret", async () => {
    process.env["HOOKSCOPE_TEST_TOKEN"] = "secret";
    try {
      const cwd = folder();
      const command = script(
        cwd,
        `(await import("node:fs")).writeFileSync("env", [process.cwd(), process.env.CLAUDE_PROJECT_DIR, process.env.HOOKSCOPE_PROJECT_DIR, process.env.TEAM, process.env.HOOKSCOPE_TEST_TOKEN].join());`,
      );
      await runTurn({ PreToolUse: [{ hooks: [{ type: "command", command }] }] }, { cwd, env: { TEAM: "red" } });
      expect(readFileSync(join(cwd, "env"), "utf8")).toBe([cwd, cwd, cwd, "red", ""].join());
    } finally {
      delete process.env["HOOKSCOPE_TEST_TOKEN"];
    }
  });

  test("the trace of its very invocation", async () => {
    telemetry = createTestTelemetry();
    const cwd = folder();
    const command = `printf %s "$TRACEPARENT" > ${quoted(join(cwd, "trace"))}`;
    await runTurn({ PreToolUse: [{ hooks: [{ type: "command", command, name: "tracer" }] }] }, { cwd });
    const span = telemetry.spans().find(({ name }) => name === "beforeToolCall user-hooks/tracer");
    expect(readFileSync(join(cwd, "trace"), "utf8")).toBe(`00-${span?.traceId}-${span?.spanId}-01`);
  });

  test("a command that does not read it is not disturbed by that", async () => {
    const input = { command: "x".repeat(1_000_000) };
    const steps = [callTools([{ name: "shell", input }]), reply("done")];
    const { inputs } = await runTurn({ PreToolUse: [{ hooks: [{ type: "command", command: "true" }] }] }, { steps });
    expect(inputs).toEqual([input]);
  });
});

describe("which commands run", () => {
  test("in the order they are listed in, each once the one before has ended", async () => {
    const cwd = folder();
    const after = (before: string, word: string): { readonly type: "command"; readonly command: string } => ({
      type: "command",
      command: `test "$(tail -n 1 log)" = '${before}' && echo ${word} >> log`,
    });
    writeFileSync(join(cwd, "log"), "start\n");
    await runTurn(
      { PreToolUse: [{ hooks: [after("start", "a"), after("a", "b")] }, { hooks: [after("b", "c")] }] },
      { cwd },
    );
    expect(readFileSync(join(cwd, "log"), "utf8")).toBe("start\na\nb\nc\n");
  });

  test.for([
    ["shell", true],
    ["Bash", true],
    ["Edit|Bash", true],
    ["sh.*", true],
    ["", true],
    ["*", true],
    [" shell ", true],
    ["she", false],
    ["SHELL", false],
    ["Write|Edit", false],
  ] as const)("matcher %j: %s", async ([matcher, runs]) => {
    const { events } = await runTurn({ PreToolUse: [{ matcher, hooks: [{ type: "command", command: "true" }] }] });
    expect(events.some(({ type }) => type === "tool_hooks")).toBe(runs);
  });

  test.for([
    ["startup", ["startup"]],
    ["resume", ["resume"]],
    ["startup|resume", ["startup", "resume"]],
    ["", ["startup", "resume"]],
    ["clear", []],
  ] as const)("a SessionStart matcher is for the source: %j", async ([matcher, sources]) => {
    const cwd = folder();
    const command = script(
      cwd,
      `(await import("node:fs")).appendFileSync("seen.jsonl", JSON.stringify(input.source) + ",");`,
    );
    writeFileSync(join(cwd, "seen.jsonl"), "");
    const hooks = { SessionStart: [{ matcher, hooks: [{ type: "command" as const, command }] }] };
    const { result } = await runTurn(hooks, { cwd });
    await runTurn(hooks, { cwd, state: result.state });
    expect(readFileSync(join(cwd, "seen.jsonl"), "utf8")).toBe(sources.map((source) => `"${source}",`).join(""));
  });

  test("the same command twice at one matcher is run once", async () => {
    const hook = { type: "command", command: "true" } as const;
    const { records } = await runTurn({ PreToolUse: [{ hooks: [hook, hook] }] });
    expect(records.map(({ hook: name }) => name)).toEqual(["user-hooks/PreToolUse.1"]);
  });

  test("PostToolUse is for calls that succeeded", async () => {
    const { events } = await runTurn(
      { PostToolUse: [{ hooks: [{ type: "command", command: "true" }] }] },
      {
        steps: [callTools([{ name: "fails", input: {} }]), reply("done")],
        harness: {
          tools: [
            {
              name: "fails",
              description: "",
              inputSchema: { type: "object" },
              execute: () => Promise.reject(new Error("no")),
            },
          ],
        },
      },
    );
    expect(events.filter(({ type }) => type === "tool_hooks")).toEqual([]);
  });
});
