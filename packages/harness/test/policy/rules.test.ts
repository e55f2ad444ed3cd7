import { expect, test } from "vitest";

import type { ApprovalRule } from "../../src/approval-rule.ts";
import { decisionOf, type Asked } from "./ask-policy.ts";

const BLOCKED = (rule = "rule 1", tool = "shell", note = ""): string =>
  `block: ${tool} is not allowed (approval policy, ${rule}, tool ${tool}${note})`;

test("the first rule that matches decides", async () => {
  const rules: readonly ApprovalRule[] = [
    { tool: "read_file", action: "allow" },
    { name: "files", tool: "*_file", action: "ask", question: "May it?" },
    { tool: "*", action: "block", reason: "nothing else" },
  ];
  const of = (tool_name: string): Promise<string> => decisionOf({ rules }, { call: { tool_name } });
  expect(await of("read_file")).toBe("continue");
  expect(await of("write_file")).toBe('ask: May it? (approval policy, rule 2 "files", tool write_file)');
  expect(await of("shell")).toBe("block: nothing else (approval policy, rule 3, tool shell)");
});

test("where no rule matches the default decides; it allows unless told otherwise", async () => {
  expect(await decisionOf({ rules: [] })).toBe("continue");
  expect(await decisionOf({ rules: [], default: "ask" })).toBe(
    "ask: Run shell? (approval policy, no rule matches, tool shell)",
  );
  expect(await decisionOf({ rules: [], default: "block" })).toBe(BLOCKED("no rule matches"));
});

interface Case {
  readonly rule: string;
  readonly given: ApprovalRule;
  readonly call: Asked;
  readonly matches: boolean;
}

const BLOCK = { action: "block" } as const;

test.for<Case>([
  { rule: "a list of globs", given: { tool: ["a", "sh*"], ...BLOCK }, call: {}, matches: true },
  { rule: "another tool", given: { tool: "shel", ...BLOCK }, call: {}, matches: false },
  { rule: "a risk of the list", given: { risk: ["high", "medium"], ...BLOCK }, call: {}, matches: true },
  { rule: "a risk outside the list", given: { risk: ["high", "unknown"], ...BLOCK }, call: {}, matches: false },
  {
    rule: "a tag by key",
    given: { tags: { key: "client" }, ...BLOCK },
    call: { turn: { tags: [{ key: "client", value: "x" }] } },
    matches: true,
  },
  {
    rule: "a tag by key and value",
    given: { tags: { key: "client", value: "y" }, ...BLOCK },
    call: { turn: { tags: [{ key: "client", value: "x" }] } },
    matches: false,
  },
  { rule: "a turn without the tag", given: { tags: { key: "client" }, ...BLOCK }, call: {}, matches: false },
  {
    rule: "an argument's text",
    given: { args: { command: "^make" }, ...BLOCK },
    call: { call: { args: { command: "make all" } } },
    matches: true,
  },
  {
    rule: "an argument over lines",
    given: { args: { command: "a.b" }, ...BLOCK },
    call: { call: { args: { command: "a\nb" } } },
    matches: true,
  },
  {
    rule: "a number as its text",
    given: { args: { port: "^80$" }, ...BLOCK },
    call: { call: { args: { port: 80 } } },
    matches: true,
  },
  { rule: "a missing argument", given: { args: { command: ".*" }, ...BLOCK }, call: {}, matches: false },
  {
    rule: "an inherited property is no argument",
    given: { args: { constructor: ".*" }, ...BLOCK },
    call: {},
    matches: false,
  },
  {
    rule: "two arguments of which one matches",
    given: { args: { a: "1", b: "2" }, ...BLOCK },
    call: { call: { args: { a: "1", b: "1" } } },
    matches: false,
  },
  {
    rule: "all conditions",
    given: { tool: "shell", risk: ["medium"], args: { a: "1" }, tags: { key: "k" }, ...BLOCK },
    call: { call: { args: { a: "1" } }, turn: { tags: [{ key: "k", value: "" }] } },
    matches: true,
  },
  {
    rule: "all conditions but one",
    given: { tool: "shell", risk: ["low"], args: { a: "1" }, ...BLOCK },
    call: { call: { args: { a: "1" } } },
    matches: false,
  },
])("$rule: matches $matches", async ({ given, call, matches }) => {
  expect(await decisionOf({ rules: [given] }, call)).toBe(matches ? BLOCKED() : "continue");
});

test("delegate_task and agent are one tool, whichever the rule and the call say", async () => {
  for (const tool of ["delegate_task", "agent", "delegate_*"]) {
    for (const tool_name of ["delegate_task", "agent"]) {
      expect(await decisionOf({ rules: [{ tool, ...BLOCK }] }, { call: { tool_name } })).toBe(
        BLOCKED("rule 1", tool_name),
      );
    }
  }
});

test("an allowing pattern must match the whole text: what follows is not allowed with it", async () => {
  const policy = { rules: [{ args: { command: "git (status|log)" }, action: "allow" }], default: "block" } as const;
  const of = (command: string): Promise<string> => decisionOf(policy, { call: { args: { command } } });
  expect(await of("git status")).toBe("continue");
  for (const command of ["git status; rm -rf /", "git status\nrm -rf /", "echo git log"]) {
    expect(await of(command)).toBe(BLOCKED("no rule matches"));
  }
});

test.for([
  { what: "a list", value: ["make"] },
  { what: "an object", value: { a: "make" } },
  { what: "a text that is too long", value: "make".repeat(3) },
])("$what cannot be tested: it matches no allowing rule, and every asking or blocking one", async ({ value }) => {
  const call = { call: { args: { command: value } } };
  const args = { command: ".*" };
  const limit = { maxTextLength: 8 };
  const note = ', its argument "command" cannot be tested';
  expect(await decisionOf({ rules: [{ args, action: "allow" }], default: "block", ...limit }, call)).toBe(
    BLOCKED("no rule matches"),
  );
  expect(await decisionOf({ rules: [{ args: { command: "never" }, ...BLOCK }], ...limit }, call)).toBe(
    BLOCKED("rule 1", "shell", note),
  );
  expect(await decisionOf({ rules: [{ args: { command: "never" }, action: "ask" }], ...limit }, call)).toBe(
    `ask: Run shell? (approval policy, rule 1, tool shell${note})`,
  );
});

test("words never show arguments", async () => {
  const call = { call: { args: { command: "make token=12345" } } };
  const rules: readonly ApprovalRule[] = [{ args: { command: "token" }, ...BLOCK }];
  expect(await decisionOf({ rules }, call)).toBe(BLOCKED());
});
