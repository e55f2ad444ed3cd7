import type { JsonObject } from "@hookscope/hooks";
import { callTools, reply } from "@hookscope/testing";
import { textOf } from "@hookscope/harness";
import { describe, expect, test } from "vitest";

import type { UserHookEvent } from "../src/index.ts";
import { folder, modErrors, runTurn, script, toolHooks, toolResult, type Ran, type RunOptions } from "./run.ts";

/** A turn with one command, which answers this. */
function answering(event: UserHookEvent, answer: JsonObject, options: RunOptions = {}): Promise<Ran> {
  const cwd = folder();
  const command = script(cwd, `process.stdout.write(${JSON.stringify(JSON.stringify(answer))});`);
  return runTurn({ [event]: [{ hooks: [{ type: "command", command }] }] }, { cwd, ...options });
}

const running = (event: UserHookEvent, command: string, options: RunOptions = {}): Promise<Ran> =>
  runTurn({ [event]: [{ hooks: [{ type: "command", command }] }] }, options);

describe("PreToolUse", () => {
  test("exit code 2 blocks, with standard error as what the model is told", async () => {
    const ran = await running("PreToolUse", "echo ignored; echo 'not in here' >&2; exit 2");
    expect([toolResult(ran), ran.inputs]).toEqual(["not in here", []]);
    expect(toolHooks(ran)).toEqual([["shell", "pre", "blocked", ["not in here"]]]);
    expect(ran.records).toMatchObject([
      { point: "beforeToolCall", hook: "user-hooks/PreToolUse.1", execution: "ok", decision: "block", applied: true },
    ]);
  });

  test("what a hook event says comes before the call's own end", async () => {
    const { events } = await running("PreToolUse", "exit 2");
    const types = events.map(({ type }) => type).filter((type) => type.startsWith("tool_"));
    expect(types).toEqual(["tool_queued", "tool_hooks", "tool_hook_blocked"]);
  });

  const specific = (fields: JsonObject): JsonObject => ({
    hookSpecificOutput: { hookEventName: "PreToolUse", ...fields },
  });

  test.for<[string, JsonObject, string]>([
    ["deny", specific({ permissionDecision: "deny", permissionDecisionReason: "no" }), "no"],
    ["deny without a reason", specific({ permissionDecision: "deny" }), "Blocked by a command hook."],
    ["the older decision", { decision: "block", reason: "old no" }, "old no"],
    [
      "ask, which a command cannot",
      specific({ permissionDecision: "ask", permissionDecisionReason: "Sure?" }),
      "Sure? A command hook cannot ask, so it is refused.",
    ],
  ])("%s blocks", async ([, answer, told]) => {
    const ran = await answering("PreToolUse", answer);
    expect([toolResult(ran), ran.inputs]).toEqual([told, []]);
  });

  test.for<[string, JsonObject]>([
    ["allow", specific({ permissionDecision: "allow" })],
    ["the older approve", { decision: "approve" }],
    ["an object that says nothing", {}],
  ])("%s lets it run", async ([, answer]) => {
    const ran = await answering("PreToolUse", answer);
    expect([toolResult(ran), toolHooks(ran)]).toEqual(["ran", [["shell", "pre", "passed", []]]]);
  });

  test("a rewritten input is what the tool, and the next command, get", async () => {
    const cwd = folder();
    const rewrite = script(
      cwd,
      `process.stdout.write(JSON.stringify({ hookSpecificOutput: { hookEventName: "PreToolUse", updatedInput: { command: input.tool_input.command + " -l" } } }));`,
    );
    const hooks = [rewrite, `${rewrite} again`].map((command) => ({ type: "command" as const, command }));
    const ran = await runTurn({ PreToolUse: [{ hooks }] }, { cwd });
    expect(ran.inputs).toEqual([{ command: "ls -l -l" }]);
    expect(ran.records.map(({ decision, changedKeys }) => [decision, changedKeys])).toEqual([
      ["modify", ["input"]],
      ["modify", ["input"]],
    ]);
  });

  test("context joins the result, and a message is for the user", async () => {
    const ran = await answering("PreToolUse", {
      ...specific({ additionalContext: "mind the gap" }),
      systemMessage: "hi",
    });
    expect(toolResult(ran)).toBe("ran|mind the gap");
    expect(ran.events.filter(({ type }) => type === "notice")).toMatchObject([{ level: "info", message: "hi" }]);
  });

  test("continue: false blocks the call and ends the turn after the batch", async () => {
    const ran = await answering("PreToolUse", { continue: false, stopReason: "enough" });
    expect([toolResult(ran), ran.result.stopReason]).toEqual(["enough", "terminate"]);
  });

  test("a block keeps the later commands from being asked", async () => {
    const hooks = ["exit 2", "true"].map((command) => ({ type: "command" as const, command }));
    expect((await runTurn({ PreToolUse: [{ hooks }] })).records).toHaveLength(1);
  });
});

describe("PostToolUse", () => {
  test.for<[string, Promise<Ran> | (() => Promise<Ran>), string]>([
    ["exit code 2", () => running("PostToolUse", "echo 'run the linter' >&2; exit 2"), "ran|run the linter"],
    ["a block", () => answering("PostToolUse", { decision: "block", reason: "too long" }), "ran|too long"],
    [
      "context",
      () =>
        answering("PostToolUse", {
          hookSpecificOutput: { hookEventName: "PostToolUse", additionalContext: "formatted" },
        }),
      "ran|formatted",
    ],
  ])("%s is told to the model behind the result, before the call's end", async ([, run, told]) => {
    const ran = await (typeof run === "function" ? run() : run);
    expect(toolResult(ran)).toBe(told);
    expect(ran.events.map(({ type }) => type).filter((type) => type.startsWith("tool_"))).toEqual([
      "tool_queued",
      "tool_running",
      "tool_hooks",
      "tool_completed",
    ]);
  });

  test("continue: false ends the turn after the batch", async () => {
    expect((await answering("PostToolUse", { continue: false })).result.stopReason).toBe("terminate");
  });
});

describe("Stop", () => {
  test("a block keeps the turn going with its reason, and the next time the command knows", async () => {
    const cwd = folder();
    const command = script(
      cwd,
      `if (!input.stop_hook_active) { process.stderr.write("tests are red"); process.exitCode = 2; }`,
    );
    const ran = await runTurn(
      { Stop: [{ hooks: [{ type: "command", command }] }] },
      { cwd, steps: [reply("done"), reply("really done")] },
    );
    expect(ran.result).toMatchObject({ stopReason: "end_turn", turnCount: 2, finalText: "really done" });
    expect(
      ran.result.state.messages.flatMap((message) =>
        message.role === "user" ? [[message.source, textOf(message.content)]] : [],
      ),
    ).toEqual([
      ["user", "go"],
      ["stop_hook", "tests are red"],
    ]);
  });

  test("continue: false lets it end", async () => {
    const ran = await answering("Stop", { continue: false, decision: "block", reason: "more" });
    expect(ran.result.turnCount).toBe(2);
  });
});

describe("SessionStart", () => {
  test.for<[string, () => Promise<Ran>, string]>([
    ["a text", () => running("SessionStart", "echo 'the build is red'"), "the build is red"],
    [
      "context",
      () =>
        answering("SessionStart", { hookSpecificOutput: { hookEventName: "SessionStart", additionalContext: "hi" } }),
      "hi",
    ],
  ])("%s joins the log behind the first message", async ([, run, said]) => {
    const { model } = await run();
    expect(
      model.requests[0]?.messages.map(({ content }) =>
        content.map((block) => (block.type === "text" ? block.text : "")),
      ),
    ).toEqual([["go", said]]);
  });

  test("exit code 2 is a notice: nothing is there to block", async () => {
    const ran = await running("SessionStart", "echo 'no network' >&2; exit 2");
    expect(ran.events.filter(({ type }) => type === "notice")).toMatchObject([
      { level: "warning", message: "no network" },
    ]);
    expect(ran.result.stopReason).toBe("end_turn");
  });
});

describe("a command that fails lets the call go on, and is seen", () => {
  test.for([
    ["exit code 1", "echo broken >&2; exit 1", "COMMAND_HOOK_FAILED: the command ended with exit code 1: broken"],
    ["a signal", "kill -9 $$", "COMMAND_HOOK_FAILED: the command was ended by a signal"],
    [
      "a program that is not there",
      "no-such-program 2>/dev/null",
      "COMMAND_HOOK_FAILED: the command ended with exit code 127",
    ],
    [
      "a decision that does not exist",
      `echo '{"decision":"perhaps"}'`,
      'COMMAND_HOOK_OUTPUT_INVALID: decision is "perhaps"; it is block or approve.',
    ],
    [
      "another event's answer",
      `echo '{"hookSpecificOutput":{"hookEventName":"Stop"}}'`,
      'COMMAND_HOOK_OUTPUT_INVALID: hookSpecificOutput.hookEventName is "Stop", and the event is PreToolUse.',
    ],
    [
      "a field of the wrong type",
      `echo '{"systemMessage":1}'`,
      "COMMAND_HOOK_OUTPUT_INVALID: systemMessage is no text.",
    ],
  ] as const)("%s", async ([, command, error]) => {
    const ran = await running("PreToolUse", command);
    expect(toolResult(ran)).toBe("ran");
    expect(modErrors(ran)).toEqual([["user-hooks/PreToolUse.1", "beforeToolCall", error]]);
    expect(toolHooks(ran)).toEqual([["shell", "pre", "failed", [error]]]);
    expect(ran.records).toMatchObject([{ execution: "error", decision: "none", notAppliedReason: "failed_open" }]);
  });

  test("JSON that is none", async () => {
    const ran = await running("PreToolUse", "echo '{oops'");
    expect(modErrors(ran)).toEqual([
      [
        "user-hooks/PreToolUse.1",
        "beforeToolCall",
        expect.stringMatching(/^COMMAND_HOOK_OUTPUT_INVALID: what it wrote/u),
      ],
    ]);
  });

  test("with failClosed it blocks instead, and says why", async () => {
    const ran = await runTurn({
      PreToolUse: [{ hooks: [{ type: "command", command: "exit 1", name: "guard", failClosed: true }] }],
    });
    expect([toolResult(ran), ran.inputs]).toEqual([
      "The command hook user-hooks/guard could not decide, so the call is refused: COMMAND_HOOK_FAILED: the command ended with exit code 1",
      [],
    ]);
  });
});

test("a secret that a command writes reaches no event and no record", async () => {
  const secret = ["ghp", "abcdefghijklmnopqrstuvwxyz0123456789"].join("_");
  const steps = [callTools([{ name: "shell", input: {} }]), reply("done")];
  const blocked = await running("PreToolUse", `echo 'token ${secret}' >&2; exit 2`, { steps });
  const failed = await running("PreToolUse", `echo 'token ${secret}' >&2; exit 1`, { steps });
  const seen = [
    ...toolHooks(blocked),
    ...blocked.records,
    ...toolHooks(failed),
    ...modErrors(failed),
    ...failed.records,
  ];
  expect(JSON.stringify(seen)).not.toContain(secret);
});
