import { describe, expect, test } from "vitest";

import { CommandHookError, createUserHooks, readUserHooks, type UserHooksConfig } from "../src/index.ts";

const hook = { type: "command", command: "true" } as const;

describe("a configuration that cannot be used is refused, and the message says where and why", () => {
  test.for<[unknown, string]>([
    [[], "hooks must be an object."],
    [null, "hooks must be an object."],
    [
      { PreTooluse: [] },
      "hooks.PreTooluse is no event that commands are run at (did you mean PreToolUse?). The events are SessionStart, PreToolUse, PostToolUse, Stop.",
    ],
    [
      { Notification: [] },
      "hooks.Notification is no event that commands are run at. The events are SessionStart, PreToolUse, PostToolUse, Stop.",
    ],
    [{ Stop: {} }, "hooks.Stop must be a list."],
    [{ Stop: ["x"] }, "hooks.Stop[0] must be an object."],
    [{ Stop: [{}] }, "hooks.Stop[0].hooks must be a list."],
    [{ Stop: [{ hooks: [{ type: "http" }] }] }, 'hooks.Stop[0].hooks[0].type is "http"; it must be "command".'],
    [
      { Stop: [{ hooks: [{ type: "command" }] }] },
      "hooks.Stop[0].hooks[0].command must be a command line for the shell.",
    ],
    [
      { Stop: [{ hooks: [{ ...hook, timeout: 601 }] }] },
      "hooks.Stop[0].hooks[0].timeout is 601; it must be a number of seconds above 0, up to 600.",
    ],
    [
      { Stop: [{ hooks: [{ ...hook, name: "a b" }] }] },
      'hooks.Stop[0].hooks[0].name is "a b"; it must be of letters, digits, ".", "_" and "-".',
    ],
    [
      { Stop: [{ hooks: [{ ...hook, failClosed: true }] }] },
      "hooks.Stop[0].hooks[0].failClosed blocks a tool call, so it belongs to PreToolUse, not to Stop.",
    ],
    [
      { PreToolUse: [{ hooks: [{ ...hook, failClosed: "yes" }] }] },
      "hooks.PreToolUse[0].hooks[0].failClosed must be true or false.",
    ],
    [
      { PreToolUse: [{ matcher: 1, hooks: [hook] }] },
      "hooks.PreToolUse[0].matcher must be a regular expression as a text.",
    ],
    [
      { PreToolUse: [{ hooks: [{ ...hook, name: "a" }] }, { matcher: "x", hooks: [{ ...hook, name: "a" }] }] },
      'hooks.PreToolUse has two commands named "a".',
    ],
  ])("%j", ([config, problem]) => {
    expect(() => createUserHooks({ hooks: config as UserHooksConfig, cwd: "." })).toThrow(
      new CommandHookError("COMMAND_HOOKS_INVALID", problem),
    );
  });

  test("a matcher that is no regular expression", () => {
    expect(() => readUserHooks({ PreToolUse: [{ matcher: "(", hooks: [hook] }] })).toThrow(
      /^COMMAND_HOOKS_INVALID: hooks\.PreToolUse\[0\]\.matcher is no regular expression: /u,
    );
  });
});

test("a command is known by its event and number, or its name, and never by its words", () => {
  const commands = readUserHooks({
    Stop: [{ hooks: [hook] }],
    PreToolUse: [
      {
        hooks: [
          { ...hook, command: "TOKEN=secret check" },
          { ...hook, name: "guard" },
        ],
      },
    ],
  });
  expect(commands.map(({ id, timeoutSeconds }) => [id, timeoutSeconds])).toEqual([
    ["user-hooks/PreToolUse.1", 60],
    ["user-hooks/guard", 60],
    ["user-hooks/Stop.1", 60],
  ]);
});
