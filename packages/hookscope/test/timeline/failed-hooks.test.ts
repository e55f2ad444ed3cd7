import { expect, test } from "vitest";

import { renderTimeline } from "../../src/timeline/render.ts";
import { hookSpan, span, type HookSpanSettings } from "../fixtures/spans.ts";

test.for<readonly [string, HookSpanSettings, string]>([
  ["fails open", { execution: "error", failurePolicy: "open" }, "the turn goes on without it"],
  ["fails closed", { execution: "timeout", failurePolicy: "closed", applied: true }, "so the call is blocked"],
  [
    "fails closed beside a block",
    { execution: "error", failurePolicy: "closed", applied: false },
    "another decision counts",
  ],
  [
    "returns what is no result",
    { execution: "invalid_result", failurePolicy: "closed", applied: false },
    "so what it returned is ignored",
  ],
])("of a hook that %s the timeline says what came of it", ([, settings, consequence]) => {
  const spans = [
    span("a", null, "execute_tool shell", [0, 9]),
    hookSpan("b", "a", "pre_tool_call guard", [1, 2], { kind: "directive", reason: "why", ...settings }),
  ];
  const lines = renderTimeline({ traceId: "t", spans }, { width: 80, colour: false }).map((line) => line.trim());
  const at = lines.findIndex((line) => line.includes("pre_tool_call"));
  expect(lines.slice(at + 1, at + 3)).toEqual(["why", consequence]);
});
