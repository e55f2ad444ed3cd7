import { block, defineHook } from "@hookscope/hooks";
import { expect, test } from "vitest";

import { countingTracer, failedCall, modelCall, rig, toolCall, turnContext, TURN, usage } from "./support.ts";

const TRACE = 'trace_id="0af7651916cd43dd8448eb211c80319c"';
const CALL = { tool_name: "shell", args: {}, risk: "low", call_id: "call-1" } as const;

/** Lines with an exemplar, without what stands before it but the name. */
function exemplars(lines: readonly string[]): readonly string[] {
  return lines
    .filter((line) => line.includes(" # "))
    .map((line) => line.replace(/\{.*?\} /, " ").replace(TRACE, "trace"));
}

test("what is blocked, failed or slow carries its trace and span; what is plain does not", async () => {
  const tracer = countingTracer();
  let slow = false;
  const policy = defineHook({ name: "policy", on: { pre_tool_call: () => block("no") } });
  const plain = defineHook({
    name: "plain",
    on: { on_session_end: () => (slow ? clock.advance(1_000) : undefined) },
  });
  const { metrics, bus, clock, lines } = rig({}, { hooks: [policy, plain], bus: { tracer } });
  metrics.observe(bus);
  const parent = turnContext(tracer);
  const end = {
    completed: true,
    interrupted: false,
    failed: false,
    model: "m",
    stop_reason: "end_turn",
    usage: usage(),
  };
  await bus.dispatch("on_session_end", end, { turn: TURN, parent });
  expect(exemplars(await lines("agent_hook_duration_seconds"))).toEqual([]);
  await bus.dispatch("pre_tool_call", CALL, { turn: TURN, parent });
  slow = true;
  await bus.dispatch("on_session_end", end, { turn: TURN, parent });
  expect(exemplars(await lines("agent_hook_duration_seconds"))).toEqual([
    'agent_hook_duration_seconds_bucket 2 # {trace,span_id="0000000000000005"} 1 1796040001',
    'agent_hook_duration_seconds_bucket 1 # {trace,span_id="0000000000000004"} 0 1796040000',
  ]);
});

test("blocked and failed tool calls, failed model calls and refusals have an exemplar", async () => {
  const tracer = countingTracer();
  const { fire, lines } = rig({}, { bus: { tracer } });
  const parent = turnContext(tracer);
  await fire("post_tool_call", toolCall(), TURN, parent);
  await fire("post_api_request", modelCall(), TURN, parent);
  await fire("post_approval_response", { approval_id: "a", tool_name: "t", choice: "once", wait_ms: 1 }, TURN, parent);
  const names = [
    "agent_tool_calls_total",
    "agent_tool_calls_blocked_total",
    "agent_model_request_duration_seconds",
    "agent_approvals_total",
  ];
  expect(exemplars(await lines(...names))).toEqual([]);
  await fire("post_tool_call", toolCall({ status: "blocked", cause: "policy", hook: "p" }), TURN, parent);
  await fire("api_request_error", failedCall(), TURN, parent);
  await fire("post_approval_response", { approval_id: "b", tool_name: "t", choice: "deny", wait_ms: 1 }, TURN, parent);
  expect(exemplars(await lines(...names))).toEqual([
    'agent_tool_calls_total 1 # {trace,span_id="0000000000000006"} 1 1796040000',
    'agent_tool_calls_blocked_total 1 # {trace,span_id="0000000000000006"} 1 1796040000',
    'agent_approvals_total 1 # {trace,span_id="0000000000000009"} 1 1796040000',
    'agent_model_request_duration_seconds_bucket 1 # {trace,span_id="0000000000000007"} 0.5 1796040000',
  ]);
});

test("a failed turn has an exemplar, a completed one has none", async () => {
  const tracer = countingTracer();
  const { fire, lines } = rig({}, { bus: { tracer } });
  const parent = turnContext(tracer);
  const end = { completed: true, interrupted: false, model: "m", usage: usage() };
  await fire("on_session_end", { ...end, failed: false, stop_reason: "end_turn" }, TURN, parent);
  await fire("on_session_end", { ...end, failed: true, stop_reason: "error" }, TURN, parent);
  expect(exemplars(await lines("agent_turns_total"))).toEqual([
    'agent_turns_total 1 # {trace,span_id="0000000000000003"} 1 1796040000',
  ]);
});

test("without a recorded trace there is no exemplar, since it would open nothing", async () => {
  const { fire, lines } = rig();
  await fire("post_tool_call", toolCall({ status: "blocked", cause: "policy", hook: "p" }));
  expect(exemplars(await lines("agent_tool_calls_blocked_total"))).toEqual([]);
});
