import { describe, expect, test } from "vitest";

import { CommandHookError, readUserHooks } from "../src/index.ts";

function matches(matcher: string): (name: string) => boolean {
  const [command] = readUserHooks({ PreToolUse: [{ matcher, hooks: [{ type: "command", command: "true" }] }] });
  return (name) => command?.matches(name) === true;
}

describe("a matcher that could take for ever on some name is refused", () => {
  test.for([
    "(a+)+",
    "(?:a*)*b",
    "(\\w|\\d)+x",
    "(?:a|a)*",
    "(a?){30}a{30}",
    "a?".repeat(30) + "a{30}",
    "a?".repeat(16),
    "(a|a)".repeat(16),
    "(?<name>[a-z]+)*",
    "(?:(?=.*)x){2,}",
    ".*.*.*.*x",
    "(?:a{1,50}){1,50}",
  ])("%s", (matcher) => {
    expect(() => matches(matcher)).toThrow(
      new CommandHookError(
        "COMMAND_HOOKS_INVALID",
        "hooks.PreToolUse[0].matcher could take for ever on some names: it repeats what can itself match in several ways, or repeats too often; write it with fewer of *, + and {}, and with none inside another.",
      ),
    );
  });
});

test.for([
  ["mcp__.*__(read|write)_.*", "mcp__disk__read_file", true],
  ["mcp__.*__(read|write)_.*", "mcp__disk__delete", false],
  ["(?:_?[a-z]){3}", "a_bc", true],
  ["[(+*|)]+", "(+*|)", true],
  ["\\p{Lu}+\\u{41}", "BA", true],
  [".*(a|b).*(c|d).*", "xaxdx", true],
  ["a?".repeat(15), "aaaaaaaaaaaaaaa", true],
  ["a{2,3}", "aaaa", false],
  ["(?!other$).*", "other", false],
  ["(?!other$).*", "shell", true],
  ["\\(a\\)*", "(a)))", true],
  ["a|", "", true],
] as const)("%s on %s: %s", ([matcher, name, expected]) => {
  expect(matches(matcher)(name)).toBe(expected);
});

test("a name longer than 128 characters passes no guard by its length", () => {
  const guard = matches("b");
  expect([guard("a".repeat(128)), guard("a".repeat(129))]).toEqual([false, true]);
});

test("a matcher cannot close the brackets it is put in", () => {
  expect(() => matches("a)|(?:b")).toThrow(/matcher is no regular expression: /u);
});
