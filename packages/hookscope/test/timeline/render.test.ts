import { stripVTControlCharacters } from "node:util";

import stringWidth from "string-width";
import { expect, test } from "vitest";

import { renderTimeline } from "../../src/timeline/render.ts";
import { LARGE_TURN } from "../fixtures/large-turn.ts";
import { hookSpan, span } from "../fixtures/spans.ts";

const plain = { width: 80, colour: false };

test("a turn is its spans in order, with bars on one axis, and a summary", () => {
  const lines = renderTimeline(
    {
      traceId: "0af7651916cd43dd8448eb211c80319c",
      spans: [
        // As exported: in the order in which they ended.
        hookSpan("b", "a", "pre_api_request audit", [0, 100]),
        span("c", "a", "chat small", [100, 600], { "gen_ai.response.finish_reasons": ["tool_use"] }),
        hookSpan("e", "d", "pre_tool_call guard", [600, 700], {
          kind: "directive",
          decision: "block",
          reason: "not on a Friday",
        }),
        span("d", "a", "execute_tool shell", [600, 700], {
          "agent_tool.outcome": "blocked",
          "agent_tool.cause": "policy",
          "agent_tool.blocked_by": "guard",
        }),
        span("a", null, "invoke_agent helper", [0, 1000], { "agent_turn.outcome": "end_turn" }),
      ],
    },
    plain,
  );
  expect(lines).toEqual([
    "Turn of helper: end_turn in 1.00 s        trace 0af7651916cd43dd8448eb211c80319c",
    "",
    "  span                    0                            1.00 s    time outcome",
    "  invoke_agent helper     ◆◆◆◆▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓◆◆◆◆──────────  1.00 s end_turn",
    "  ├ pre_api_request audit ◆◆◆◆                                 100 ms ok",
    "  ├ chat small               ▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓                500 ms tool_use",
    "⊘ └ execute_tool shell                         ◆◆◆◆            100 ms BLOCKED",
    "    │   by guard",
    "⊘   └ pre_tool_call guard                      ◆◆◆◆            100 ms BLOCKED",
    "          not on a Friday",
    "",
    "total 1.00 s",
    "  ▓ model     500 ms  50 %  1 call",
    "  █ tools       0 ms   0 %  1 call: 1 blocked",
    "  ◆ hooks     200 ms  20 %  2 invocations, 200 ms in sum: 1 blocked",
    "  ░ waiting     0 ms   0 %  for a person, nothing was asked",
    "  ─ other     300 ms  30 %  the loop",
    "  marks: ⊘ blocked",
  ]);
});

test("without spans the reader is told why that may be", () => {
  expect(renderTimeline({ traceId: "ab12", spans: [] }, plain)).toEqual([
    "No spans were recorded for trace ab12.",
    "A turn is recorded when telemetry is started and its trace is sampled:",
    "OTEL_SDK_DISABLED, OTEL_TRACES_SAMPLER or a caller's sampled=0 turn it off.",
  ]);
});

test("a span whose parent is missing stands at the root, with a note", () => {
  const lines = renderTimeline({ traceId: "t", spans: [hookSpan("b", "gone", "post_tool_call audit", [0, 2])] }, plain);
  expect(lines.slice(0, 5)).toEqual([
    `post_tool_call audit: ok in 2.0 ms${" ".repeat(39)}trace t`,
    "",
    "  span                 0                               2.0 ms    time outcome",
    `  post_tool_call audit ${"◆".repeat(38)}  2.0 ms ok`,
    "      its parent span is not in this trace's records",
  ]);
});

test("a turn whose parent is elsewhere has no such note", () => {
  const lines = renderTimeline({ traceId: "t", spans: [span("b", "gone", "invoke_agent helper", [0, 2])] }, plain);
  expect(lines.filter((line) => line.includes("parent"))).toEqual([]);
});

test("spans that are each other's parents are shown once", () => {
  const spans = [span("a", "b", "chat one", [0, 2]), span("b", "a", "chat two", [1, 2])];
  const lines = renderTimeline({ traceId: "t", spans }, plain);
  expect(lines.filter((line) => /chat \w+ +▓/.test(line)).map((line) => line.trim().split(/ +/)[1])).toEqual([
    "one",
    "chat",
  ]);
});

test("each turn of a trace has a part of its own", () => {
  const spans = [span("a", null, "invoke_agent one", [0, 10]), span("b", null, "invoke_agent two", [20, 30])];
  const lines = renderTimeline({ traceId: "t", spans }, plain);
  expect(lines.filter((line) => line.startsWith("Turn of ")).map((line) => line.split("  ")[0])).toEqual([
    "Turn of one in 10 ms",
    "Turn of two in 10 ms",
  ]);
});

test("a turn past its limit of spans says how many are not shown", () => {
  const spans = [span("a", null, "invoke_agent one", [0, 10], { "agent_turn.spans_suppressed": 1200 })];
  const lines = renderTimeline({ traceId: "t", spans }, plain);
  expect(lines[4]).toBe("      1200 plain observer invocations not shown: past the turn's limit of spans");
});

test("a long wait for a person is drawn shorter, and that is said", () => {
  const spans = [
    span("a", null, "invoke_agent one", [0, 10_000]),
    span("b", "a", "chat small", [0, 500]),
    span("c", "a", "approval shell", [500, 9_500], { "agent_approval.choice": "deny" }),
  ];
  const lines = renderTimeline({ traceId: "t", spans }, { ...plain, width: 60 });
  expect(lines.slice(2, 6)).toEqual([
    "  span             0               10.0 s    time outcome",
    "  invoke_agent one ▓▓▓▓▓▓▓▓░░░░░░────────  10.0 s",
    "  ├ chat small     ▓▓▓▓▓▓▓▓                500 ms unfinished",
    "⊘ └ approval shell         ░░░░░░          9.00 s DENIED",
  ]);
  expect(lines).toContain("  ░ waiting   9.00 s  90 %  for a person, 1 question: 1");
});

test("what a turn waits before another try is the loop's time", () => {
  const status = { code: "ERROR" } as const;
  const spans = [
    span("a", null, "invoke_agent one", [0, 1_000]),
    span("b", "a", "chat small", [0, 100], { "agent_model.attempt": 1 }, status),
    span("c", "a", "chat small", [800, 1_000], { "agent_model.attempt": 2 }),
  ];
  const lines = renderTimeline({ traceId: "t", spans }, plain);
  expect(lines.filter((line) => line.startsWith("  ─ other"))).toEqual([
    "  ─ other     700 ms  70 %  the loop, 1 wait before another try",
  ]);
});

test("names cannot move the cursor, colour the line or turn it around", () => {
  const spans = [span("a", null, "chat \u001B[31mred\u001B[0m\u0007\n\u202Eevil", [0, 1])];
  const lines = renderTimeline({ traceId: "t", spans }, plain);
  expect(lines[3]?.slice(0, 24)).toBe("  chat red\u2407 \uFFFDevil ▓▓▓▓▓▓");
});

test("colour changes nothing but the colours", () => {
  const coloured = renderTimeline(LARGE_TURN, { width: 100, colour: true });
  const uncoloured = coloured.map((line) => stripVTControlCharacters(line));
  expect(coloured.join("\n")).toContain("\u001B[");
  expect(uncoloured.map((line) => line.trimEnd())).toEqual(renderTimeline(LARGE_TURN, { width: 100, colour: false }));
});

test.for([60, 80, 120, 200])("the large turn in %i columns", async (width) => {
  const text = renderTimeline(LARGE_TURN, { width, colour: false }).join("\n");
  await expect(`${text}\n`).toMatchFileSnapshot(`../fixtures/large-turn-${width}.txt`);
});

test("no line is wider than asked for, whatever the names", () => {
  const names = [
    "",
    "x".repeat(300),
    "漢字".repeat(60),
    "👩‍👩‍👧 ".repeat(40),
    "e\u0301".repeat(200),
    "\u001B[2J".repeat(9),
  ];
  const spans = names.flatMap((name, index) => [
    span(`s${index}`, index === 0 ? null : `s${index - 1}`, `execute_tool ${name}`, [0, 10]),
    hookSpan(`h${index}`, `s${index}`, `pre_tool_call ${name.replaceAll(" ", "") || "h"}`, [1, 2], {
      decision: "block",
      reason: name,
    }),
  ]);
  for (let width = 40; width <= 220; width += 1) {
    const widths = renderTimeline({ traceId: "t", spans }, { width, colour: false }).map((line) => stringWidth(line));
    expect(Math.max(...widths)).toBeLessThanOrEqual(width);
  }
});
