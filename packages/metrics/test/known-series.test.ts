import { defineHook } from "@hookscope/hooks";
import { expect, test } from "vitest";

import { rig, toolCall, TURN } from "./support.ts";

const policy = defineHook({ name: "policy", on: { pre_tool_call: () => undefined } });

test("a registered tool is at 0 for each outcome, and for each policy that could block it", async () => {
  const { metrics, bus, lines } = rig({}, { hooks: [policy] });
  metrics.observe(bus);
  metrics.registerTools(["shell"], { agent: "reviewer" });
  expect(await lines("agent_tool_calls_total", "agent_tool_calls_blocked_total", "agent_approvals_waiting")).toEqual([
    'agent_tool_calls_total{tool="shell",agent="reviewer",outcome="completed"} 0',
    'agent_tool_calls_total{tool="shell",agent="reviewer",outcome="failed"} 0',
    'agent_tool_calls_total{tool="shell",agent="reviewer",outcome="blocked"} 0',
    'agent_tool_calls_total{tool="shell",agent="reviewer",outcome="denied"} 0',
    'agent_tool_calls_total{tool="shell",agent="reviewer",outcome="cancelled"} 0',
    'agent_tool_calls_blocked_total{tool="shell",hook="permissions",cause="permission",agent="reviewer"} 0',
    'agent_tool_calls_blocked_total{tool="shell",hook="policy",cause="policy",agent="reviewer"} 0',
    'agent_tool_calls_blocked_total{tool="shell",hook="policy",cause="failure",agent="reviewer"} 0',
    'agent_tool_calls_blocked_total{tool="shell",hook="policy",cause="person",agent="reviewer"} 0',
    'agent_approvals_waiting{tool="shell"} 0',
  ]);
});

test("a first block raises the series that was at 0, not a new one", async () => {
  const { metrics, bus, fire, lines } = rig({}, { hooks: [policy] });
  metrics.observe(bus);
  metrics.registerTools(["shell"], { agent: "reviewer" });
  const before = await lines("agent_tool_calls_blocked_total");
  await fire("post_tool_call", toolCall({ status: "blocked", cause: "policy", hook: "policy" }));
  const after = await lines("agent_tool_calls_blocked_total");
  expect(after).toEqual(before.map((line) => (line.includes('cause="policy"') ? line.replace(/0$/, "1") : line)));
});

test("an agent that appears has the known tools at 0 from its first turn on", async () => {
  const { metrics, fire, lines } = rig();
  metrics.registerTools(["shell"], { agent: "reviewer" });
  const explorer = { ...TURN, turn_id: "t2", agent: "explorer" };
  await fire("pre_llm_call", { user_message: "hi", is_first_turn: true, model: "m1" }, explorer);
  expect((await lines("agent_tool_calls_total")).filter((line) => line.includes("explorer"))).toEqual([
    'agent_tool_calls_total{tool="shell",agent="explorer",outcome="completed"} 0',
    'agent_tool_calls_total{tool="shell",agent="explorer",outcome="failed"} 0',
    'agent_tool_calls_total{tool="shell",agent="explorer",outcome="blocked"} 0',
    'agent_tool_calls_total{tool="shell",agent="explorer",outcome="denied"} 0',
    'agent_tool_calls_total{tool="shell",agent="explorer",outcome="cancelled"} 0',
  ]);
});

test("a metric without labels is there from the start", async () => {
  const { lines } = rig();
  expect(await lines("agent_turns_in_flight", "hookscope_export_queue_size")).toEqual([
    "agent_turns_in_flight 0",
    "hookscope_export_queue_size 0",
  ]);
});

test("when the counting began is there from the start, and again where the registry is reset", async () => {
  const { metrics, lines, clock } = rig();
  const began = clock.now() / 1000;
  clock.advance(60_000);
  expect(await lines("hookscope_start_timestamp_seconds")).toEqual([`hookscope_start_timestamp_seconds ${began}`]);
  metrics.registry.resetMetrics();
  expect(await lines("hookscope_start_timestamp_seconds")).toEqual([`hookscope_start_timestamp_seconds ${began + 60}`]);
});

test("registering takes half of the room at most, so that what is recorded still has its own series", async () => {
  const { metrics, lines } = rig({ maxSeries: 6 });
  metrics.registerTools(["a", "b", "c"], { agent: "x" });
  expect((await lines("agent_tool_calls_total")).length).toBe(3);
  metrics.families.agent_tool_calls_total.add({ tool: "c", agent: "x", outcome: "denied" });
  expect((await lines("agent_tool_calls_total"))[3]).toBe(
    'agent_tool_calls_total{tool="c",agent="x",outcome="denied"} 1',
  );
  expect(await lines("hookscope_series_overflow_total")).toEqual([]);
});
