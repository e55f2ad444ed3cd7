import type { SpanAttributes } from "@hookscope/hooks";
import { expect, test } from "vitest";

import type { TimelineSpan } from "../../src/timeline/document.ts";
import { renderTimeline } from "../../src/timeline/render.ts";
import { span } from "../fixtures/spans.ts";

/** The line below the call's own. */
function lineBelow(attributes: SpanAttributes, children: readonly TimelineSpan[] = []): string | undefined {
  const spans = [
    span("a", null, "invoke_agent helper", [0, 100]),
    span("b", "a", "execute_tool shell", [0, 90], attributes),
    ...children,
  ];
  const lines = renderTimeline({ traceId: "t", spans }, { width: 80, colour: false });
  const at = lines.findIndex((line) => line.includes("execute_tool"));
  return lines[at + 1]?.replace(/^[\s│]+/, "");
}

const approval = (choice: string): TimelineSpan =>
  span("c", "b", "approval shell", [10, 80], { "agent_approval.choice": choice });

test.for([
  ["deny", "denied", "a person denied it", "by a person"],
  ["timeout", "denied", "nobody answered in time", "nobody answered in time"],
  ["unavailable", "denied", "nobody is there to ask", "nobody was there to ask"],
  ["cancelled", "cancelled", "Cancelled", "the turn was interrupted"],
] as const)("a call that was asked about and got the answer %s says so", ([choice, outcome, reason, text]) => {
  const attributes = {
    "agent_tool.outcome": outcome,
    "agent_tool.cause": "person",
    "agent_tool.blocked_by": "approval_policy",
    "agent_tool.block_reason": reason,
  };
  expect(lineBelow(attributes, [approval(choice)])).toBe(text);
});

test.for<readonly [string, SpanAttributes, string]>([
  ["a hook's block", { "agent_tool.cause": "policy", "agent_tool.blocked_by": "guard" }, "by guard"],
  ["a hook's failure", { "agent_tool.cause": "failure", "agent_tool.blocked_by": "guard" }, "by guard, which failed"],
  [
    "a mod's block",
    { "agent_tool.cause": "mod", "agent_tool.blocked_by": "quota", "agent_tool.block_reason": "no writes are left" },
    "by quota: no writes are left",
  ],
  [
    "a permission",
    {
      "agent_tool.cause": "permission",
      "agent_tool.blocked_by": "permissions",
      "agent_tool.block_reason": "plan mode",
    },
    "by permissions: plan mode",
  ],
  [
    "a sibling of a call not permitted",
    { "agent_tool.cause": "permission" },
    "another call of the round was not permitted",
  ],
  ["an interrupt", { "agent_tool.cause": "interrupt" }, "the turn was interrupted"],
  ["a person whose approval is not recorded", { "agent_tool.cause": "person" }, "not allowed by a person"],
])("a call stopped by %s says so", ([, attributes, text]) => {
  expect(lineBelow({ "agent_tool.outcome": "blocked", ...attributes })).toBe(text);
});

test("an answer of a kind not known is shown as it came", () => {
  const spans = [span("c", null, "approval shell", [0, 5], { "agent_approval.choice": "later" })];
  expect(renderTimeline({ traceId: "t", spans }, { width: 80, colour: false })[3]).toMatch(/ later$/);
});

test.for([
  ["unknown_tool", "there is no such tool"],
  ["invalid_input", "its input does not fit the tool's schema"],
  ["tool_error", "tool_error"],
])("a call that failed with %s says so once", ([type = "", text]) => {
  const failed = { code: "ERROR", message: type } as const;
  const spans = [
    span("a", null, "invoke_agent helper", [0, 100]),
    span("b", "a", "execute_tool shell", [0, 90], { "agent_tool.outcome": "failed", "error.type": type }, failed),
  ];
  expect(renderTimeline({ traceId: "t", spans }, { width: 80, colour: false })[5]?.trim()).toBe(text);
});

test.for([
  ["unavailable", "1 question: 1 with nobody there"],
  ["timeout", "1 question: 1 not answered in time"],
  ["deny", "1 question: 1 denied"],
])("a question that got the answer %s is summed up in words", ([choice = "", text]) => {
  const spans = [
    span("a", null, "invoke_agent helper", [0, 100]),
    span("c", "a", "approval shell", [10, 20], { "agent_approval.choice": choice }),
  ];
  const lines = renderTimeline({ traceId: "t", spans }, { width: 80, colour: false });
  expect(lines.find((line) => line.startsWith("  ░"))).toBe(`  ░ waiting    10 ms  10 %  for a person, ${text}`);
});
