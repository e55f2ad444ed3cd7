import { createRedactor } from "@hookscope/hooks";
import { expect, test } from "vitest";

import { describeQuestion } from "../../src/describe-question.ts";
import { request } from "./pseudo-terminal.ts";

const redact = createRedactor();

test("the question, the tool, who asks, and the arguments", () => {
  expect(describeQuestion(request({ args: { command: "make deploy", times: 2, to: ["a", "b"] } }), redact)).toBe(
    [
      "",
      "Approval: Run it?",
      "  tool  shell (risk high), asked by approval_policy",
      "  command: make deploy",
      "  times: 2",
      '  to: ["a","b"]',
      "",
    ].join("\n"),
  );
});

test("nothing a model writes can draw: controls, escapes, directions, line separators", () => {
  const hostile = "a\u001b[2J\r\n\tb\u202Ec\u2028d\u009be\u200bf\u0000";
  const shown = String.raw`a\u{1b}[2J\u{d}\n\tb\u{202e}c\u{2028}d\u{9b}e\u{200b}f\u{0}`;
  const text = describeQuestion(
    request({ question: hostile, tool_name: hostile, hook: hostile, args: { [hostile]: hostile } }),
    redact,
  );
  expect(text).toBe(`\nApproval: ${shown}\n  tool  ${shown} (risk high), asked by ${shown}\n  ${shown}: ${shown}\n`);
});

test("a question cannot write lines of its own", () => {
  expect(describeQuestion(request({ question: "Fine?\n  command: ls", args: {} }), redact).split("\n").length).toBe(4);
});

test("secrets are not shown, also where a cut would have hidden their shape", () => {
  const token = `ghp_${"a1B2".repeat(9)}`;
  const text = describeQuestion(
    request({
      question: `use ${token}?`,
      args: { command: `curl ${"x".repeat(480)}${" "}${token} ${"y".repeat(2_000)}`, password: "hunter22" },
    }),
    redact,
  );
  expect(text.includes("ghp_")).toBe(false);
  expect(text.includes("hunter22")).toBe(false);
  expect(text.includes("  password: [redacted]\n")).toBe(true);
});

test("a long value is cut in the middle, and says so; so is a long list of arguments", () => {
  const args = Object.fromEntries(
    Array.from({ length: 25 }, (_, index) => [
      `key${index}`,
      index === 0 ? `${"a".repeat(600)}${"b".repeat(600)}` : "x",
    ]),
  );
  const lines = describeQuestion(request({ args }), redact).split("\n");
  expect(lines[3]).toBe(`  key0: ${"a".repeat(500)} [… 200 characters left out …] ${"b".repeat(500)}`);
  expect(lines.slice(-3)).toEqual(["  key19: x", "  [5 further arguments not shown]", ""]);
});
