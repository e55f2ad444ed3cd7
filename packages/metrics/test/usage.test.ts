import { ROOT_CONTEXT, type Context } from "@opentelemetry/api";
import { defineHook, turnInfo, TurnTotals, withTurnTotals } from "@hookscope/hooks";
import { expect, test } from "vitest";

import { failedCall, modelCall, rig, toolCall, TURN, usage } from "./support.ts";

const END = {
  completed: true,
  interrupted: false,
  failed: false,
  model: "m1",
  stop_reason: "end_turn",
  usage: usage(),
};

test("each token is counted once, under one type: cached ones are no input, reasoning ones no output", async () => {
  const { fire, lines } = rig();
  const used = usage({
    input_tokens: 1_000,
    cache_read_tokens: 600,
    cache_write_tokens: 300,
    output_tokens: 50,
    reasoning_tokens: 20,
  });
  await fire("post_api_request", modelCall({ usage: used }));
  const labels = (type: string): string =>
    `{provider="anthropic",model="claude-sonnet-4-5",type="${type}",agent="reviewer",profile="support"}`;
  expect(await lines("agent_tokens_total")).toEqual([
    `agent_tokens_total${labels("input")} 100`,
    `agent_tokens_total${labels("output")} 30`,
    `agent_tokens_total${labels("cache_read")} 600`,
    `agent_tokens_total${labels("cache_write")} 300`,
    `agent_tokens_total${labels("reasoning")} 20`,
  ]);
});

test("a failed attempt counts what it used where the provider said so, and its time either way", async () => {
  const { fire, lines } = rig();
  await fire("api_request_error", failedCall());
  await fire("api_request_error", failedCall({ usage: usage({ input_tokens: 7 }) }));
  expect((await lines("agent_tokens_total")).filter((line) => line.includes('type="input"'))).toEqual([
    'agent_tokens_total{provider="anthropic",model="claude-sonnet-4-5",type="input",agent="reviewer",profile="support"} 7',
  ]);
  const times = await lines("agent_model_request_duration_seconds");
  expect(times.filter((line) => /_sum|_count/.test(line))).toEqual([
    'agent_model_request_duration_seconds_sum{provider="anthropic",model="claude-sonnet-4-5",outcome="error"} 1',
    'agent_model_request_duration_seconds_count{provider="anthropic",model="claude-sonnet-4-5",outcome="error"} 2',
  ]);
});

test("retries and every purpose are model calls like any other", async () => {
  const { fire, lines } = rig();
  for (const purpose of ["turn", "compaction", "title", "description", "subagent"] as const) {
    await fire("post_api_request", modelCall({ purpose, attempt: 2 }));
  }
  expect((await lines("agent_tokens_total")).filter((line) => line.includes('type="input"'))).toEqual([
    'agent_tokens_total{provider="anthropic",model="claude-sonnet-4-5",type="input",agent="reviewer",profile="support"} 5000',
  ]);
});

test("a subagent's calls count for its own agent, and its sums in subagent_stop and on_session_end are not counted again", async () => {
  const { fire, lines } = rig();
  const child = turnInfo({ ...TURN, turn_id: "t2", session_id: "s2", agent: "explorer", parent_turn_id: "turn-1" });
  await fire("post_api_request", modelCall(), child);
  await fire("on_session_end", { ...END, usage: usage({ input_tokens: 1_000, output_tokens: 100 }) }, child);
  await fire("subagent_stop", {
    child_status: "completed",
    child_summary: "",
    child_role: "explorer",
    child_session_id: "s2",
    child_turn_id: "t2",
    parent_session_id: "session-1",
    parent_turn_id: "turn-1",
    call_id: "call-1",
    duration_ms: 1,
    usage: usage({ input_tokens: 1_000, output_tokens: 100 }),
    blocked_tool_calls: 0,
  });
  expect((await lines("agent_tokens_total")).filter((line) => !line.endsWith(" 0"))).toEqual([
    'agent_tokens_total{provider="anthropic",model="claude-sonnet-4-5",type="input",agent="explorer",profile="support"} 1000',
    'agent_tokens_total{provider="anthropic",model="claude-sonnet-4-5",type="output",agent="explorer",profile="support"} 100',
  ]);
});

test("a tool call is counted by outcome; only those that ran have a duration", async () => {
  const { fire, lines } = rig();
  await fire("post_tool_call", toolCall({ duration_ms: 20 }));
  await fire("post_tool_call", toolCall({ status: "error", is_error: true, duration_ms: 40 }));
  await fire(
    "post_tool_call",
    toolCall({ status: "blocked", cause: "policy", hook: "approval_policy", duration_ms: 0 }),
  );
  await fire("post_tool_call", toolCall({ status: "denied", cause: "permission", duration_ms: 0 }));
  await fire("post_tool_call", toolCall({ status: "cancelled", cause: "interrupt", duration_ms: 0 }));
  expect(await lines("agent_tool_calls_total", "agent_tool_calls_blocked_total")).toEqual([
    'agent_tool_calls_total{tool="shell",agent="reviewer",outcome="completed"} 1',
    'agent_tool_calls_total{tool="shell",agent="reviewer",outcome="failed"} 1',
    'agent_tool_calls_total{tool="shell",agent="reviewer",outcome="blocked"} 1',
    'agent_tool_calls_total{tool="shell",agent="reviewer",outcome="denied"} 1',
    'agent_tool_calls_total{tool="shell",agent="reviewer",outcome="cancelled"} 1',
    'agent_tool_calls_blocked_total{tool="shell",hook="approval_policy",cause="policy",agent="reviewer"} 1',
    'agent_tool_calls_blocked_total{tool="shell",hook="none",cause="permission",agent="reviewer"} 1',
  ]);
  expect((await lines("agent_tool_duration_seconds")).filter((line) => /_sum|_count/.test(line))).toEqual([
    'agent_tool_duration_seconds_sum{tool="shell"} 0.06',
    'agent_tool_duration_seconds_count{tool="shell"} 2',
  ]);
});

test("the time a call waited for hooks is a metric of its own, where the loop tells it", async () => {
  const { fire, lines } = rig();
  await fire("post_tool_call", toolCall());
  await fire("post_tool_call", toolCall({ hook_wait_ms: 1_500 }));
  expect((await lines("agent_tool_hook_wait_seconds")).filter((line) => /_sum|_count/.test(line))).toEqual([
    'agent_tool_hook_wait_seconds_sum{tool="shell"} 1.5',
    'agent_tool_hook_wait_seconds_count{tool="shell"} 1',
  ]);
});

test("a question waits until it is answered, or until its turn is over", async () => {
  const { fire, lines } = rig();
  const asked = { tool_name: "shell", args: {}, risk: "high", question: "?", hook: "policy", call_id: "c" } as const;
  await fire("pre_approval_request", { approval_id: "a1", ...asked });
  await fire("pre_approval_request", { approval_id: "a2", ...asked });
  await fire("pre_approval_request", { approval_id: "a3", ...asked, tool_name: "mail" }, { ...TURN, turn_id: "t2" });
  const mail = 'agent_approvals_waiting{tool="mail"} 1';
  expect(await lines("agent_approvals_waiting")).toEqual(['agent_approvals_waiting{tool="shell"} 2', mail]);
  await fire("post_approval_response", { approval_id: "a1", tool_name: "shell", choice: "deny", wait_ms: 4_000 });
  expect(await lines("agent_approvals_waiting", "agent_approvals_total")).toEqual([
    'agent_approvals_total{tool="shell",choice="deny"} 1',
    'agent_approvals_waiting{tool="shell"} 1',
    mail,
  ]);
  await fire("on_session_end", END);
  expect(await lines("agent_approvals_waiting")).toEqual(['agent_approvals_waiting{tool="shell"} 0', mail]);
  expect((await lines("agent_approval_wait_seconds")).filter((line) => /_sum|_count/.test(line))).toEqual([
    "agent_approval_wait_seconds_sum 4",
    "agent_approval_wait_seconds_count 1",
  ]);
});

test("a turn is in flight from pre_llm_call to on_session_end, and is counted by its stop reason", async () => {
  const { fire, lines, clock } = rig();
  const child = turnInfo({ ...TURN, turn_id: "t2", agent: "explorer", parent_turn_id: "turn-1" });
  await fire("pre_llm_call", { user_message: "hi", is_first_turn: true, model: "m1" });
  await fire("pre_llm_call", { user_message: "hi", is_first_turn: true, model: "m1" }, child);
  expect(await lines("agent_turns_in_flight")).toEqual(["agent_turns_in_flight 2"]);
  clock.advance(3_000);
  await fire("on_session_end", { ...END, completed: false, failed: true, stop_reason: "error" }, child);
  await fire("on_session_end", END);
  expect(await lines("agent_turns_in_flight", "agent_turns_total")).toEqual([
    'agent_turns_total{agent="explorer",outcome="error",subagent="true"} 1',
    'agent_turns_total{agent="reviewer",outcome="end_turn",subagent="false"} 1',
    "agent_turns_in_flight 0",
  ]);
  expect((await lines("agent_turn_duration_seconds")).filter((line) => line.includes("_sum"))).toEqual([
    'agent_turn_duration_seconds_sum{agent="explorer"} 3',
    'agent_turn_duration_seconds_sum{agent="reviewer"} 3',
  ]);
});

test("a turn's hook time is what its hooks took, those of its subagents included", async () => {
  const busy = defineHook({ name: "busy", on: { pre_llm_call: () => clock.advance(1_250) } });
  const { bus, clock, lines } = rig({}, { hooks: [busy] });
  const totals = new TurnTotals();
  const started = { user_message: "hi", is_first_turn: true, model: "m1" };
  const within = (above?: TurnTotals): Context => withTurnTotals(ROOT_CONTEXT, new TurnTotals(above));
  const parent = withTurnTotals(ROOT_CONTEXT, totals);
  await bus.dispatch("pre_llm_call", started, { turn: TURN, parent });
  await bus.dispatch("pre_llm_call", started, { turn: { ...TURN, turn_id: "t2" }, parent: within(totals) });
  await bus.dispatch("on_session_end", END, { turn: TURN, parent });
  expect((await lines("agent_turn_hook_time_seconds")).filter((line) => /_sum|_count/.test(line))).toEqual([
    'agent_turn_hook_time_seconds_sum{agent="reviewer"} 2.5',
    'agent_turn_hook_time_seconds_count{agent="reviewer"} 1',
  ]);
});

test("no shipped observer is at pre_tool_call, where its failure would block", () => {
  const { metrics } = rig();
  expect(metrics.hooks.map(({ name, points }) => [name, points.includes("pre_tool_call")])).toEqual([
    ["usage", false],
    ["cost", false],
  ]);
});
