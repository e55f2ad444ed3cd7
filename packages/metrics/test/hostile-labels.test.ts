import { expect, test } from "vitest";

import { labelValue } from "../src/cells/label-values.ts";
import { rig, toolCall } from "./support.ts";

test("a label value is one line of well-formed text, at most 120 characters, never blank and never __other__", () => {
  expect(labelValue("shell")).toBe("shell");
  expect(labelValue(" two\r\n lines\t\u2028 ")).toBe("two  lines");
  expect(labelValue("\ud800x")).toBe("\ufffdx");
  expect(labelValue("a".repeat(121))).toBe(`${"a".repeat(119)}…`);
  expect(labelValue("a".repeat(120))).toBe("a".repeat(120));
  expect(labelValue(`${"a".repeat(118)}😀😀`)).toBe(`${"a".repeat(118)}…`);
  expect(labelValue("")).toBe("unknown");
  expect(labelValue(undefined)).toBe("unknown");
  expect(labelValue({})).toBe("unknown");
  expect(labelValue("__other__")).toBe("__other___");
});

test("a quote and a backslash are escaped, so that a name cannot end its label", async () => {
  const { fire, plainLines } = rig();
  await fire("post_tool_call", toolCall({ tool_name: 'x",outcome="completed"} 99\nagent_tool_calls_total{tool="y\\' }));
  expect(await plainLines("agent_tool_calls_total")).toEqual([
    String.raw`agent_tool_calls_total{tool="x\",outcome=\"completed\"} 99 agent_tool_calls_total{tool=\"y\\",agent="reviewer",outcome="completed"} 1`,
  ]);
});

test("names that look the same outside are one series", async () => {
  const { fire, lines } = rig();
  for (const tool_name of ["read\nfile", "read file", " read file", "read\tfile"]) {
    await fire("post_tool_call", toolCall({ tool_name }));
  }
  expect(await lines("agent_tool_calls_total")).toEqual([
    'agent_tool_calls_total{tool="read file",agent="reviewer",outcome="completed"} 4',
  ]);
});

test("of 50,000 tool names the first 1,000 have series; the rest are __other__ by outcome, and counted", async () => {
  const { metrics, lines, warnings } = rig();
  const calls = metrics.families.agent_tool_calls_total;
  for (let index = 0; index < 50_000; index += 1) {
    const outcome = index % 2 === 0 ? "completed" : "failed";
    calls.add({ tool: `tool-${index}`, agent: "reviewer", outcome });
  }
  const seen = await lines("agent_tool_calls_total");
  expect(seen.length).toBe(1_002);
  expect(seen.filter((line) => line.includes("__other__"))).toEqual([
    'agent_tool_calls_total{tool="__other__",agent="__other__",outcome="completed"} 24500',
    'agent_tool_calls_total{tool="__other__",agent="__other__",outcome="failed"} 24500',
  ]);
  expect(await lines("hookscope_series_overflow_total")).toEqual([
    'hookscope_series_overflow_total{metric="agent_tool_calls_total"} 49000',
  ]);
  expect(warnings).toEqual([
    "agent_tool_calls_total has 1000 series, the most it may have; further ones are __other__.",
  ]);
});

test("a series that has its place keeps it after the cap, however its name is written", async () => {
  const { metrics, lines } = rig({ maxSeries: 2 });
  const waiting = metrics.families.agent_tool_calls_total;
  for (const tool of ["a", "b", "c", "a", "a ", "c"]) waiting.add({ tool, agent: "x", outcome: "completed" });
  expect(await lines("agent_tool_calls_total")).toEqual([
    'agent_tool_calls_total{tool="a",agent="x",outcome="completed"} 3',
    'agent_tool_calls_total{tool="b",agent="x",outcome="completed"} 1',
    'agent_tool_calls_total{tool="__other__",agent="__other__",outcome="completed"} 2',
  ]);
});

test("a cap below the number of metrics does not make the overflow overflow for ever", async () => {
  const { metrics, lines } = rig({ maxSeries: 1 });
  for (const tool of ["a", "b"]) {
    metrics.families.agent_tool_duration_seconds.observe({ tool }, 1);
    metrics.families.agent_tool_hook_wait_seconds.observe({ tool }, 1);
  }
  expect(await lines("hookscope_series_overflow_total")).toEqual([
    'hookscope_series_overflow_total{metric="agent_tool_duration_seconds"} 1',
    'hookscope_series_overflow_total{metric="__other__"} 1',
  ]);
});
