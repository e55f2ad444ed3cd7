import { askUser, block, defineHook, modify, type Hook } from "@hookscope/hooks";
import { expect, test } from "vitest";

import { modelCall, rig, TURN } from "./support.ts";

const CALL = { tool_name: "shell", args: { command: "ls" }, risk: "low", call_id: "call-1" } as const;

test("each invocation is one observation, by point, hook, execution and decision", async () => {
  const policy = defineHook({ name: "policy", on: { pre_tool_call: () => block("no") } });
  const { metrics, bus, fire, lines } = rig({}, { hooks: [policy] });
  metrics.observe(bus);
  await fire("pre_tool_call", CALL);
  await fire("pre_tool_call", CALL);
  const labels = 'point="pre_tool_call",hook="policy",execution="ok",decision="block"';
  const bounds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, "+Inf"];
  expect(await lines("agent_hook_duration_seconds")).toEqual([
    ...bounds.map((bound) => `agent_hook_duration_seconds_bucket{le="${bound}",${labels}} 2`),
    `agent_hook_duration_seconds_sum{${labels}} 0`,
    `agent_hook_duration_seconds_count{${labels}} 2`,
  ]);
});

test("a time falls into the first bucket whose bound it does not exceed, and the sum is in seconds", async () => {
  const slow = defineHook({
    name: "slow",
    on: { on_session_end: () => clock.advance(250) },
  });
  const { metrics, bus, fire, lines, clock } = rig({}, { hooks: [slow] });
  metrics.observe(bus);
  await fire("on_session_end", END);
  const counts = (await lines("agent_hook_duration_seconds")).filter((line) => line.includes('hook="slow"'));
  expect(counts.filter((line) => /le="0\.(1|25|5)"|_sum/.test(line)).map((line) => line.split(" ").at(-1))).toEqual([
    "0",
    "1",
    "1",
    "0.25",
  ]);
});

test("a failure is counted by how it failed; those that have not happened are at 0", async () => {
  const broken = defineHook({
    name: "broken",
    on: {
      on_session_end: () => {
        throw new Error("boom");
      },
    },
  });
  const { metrics, bus, fire, lines } = rig({}, { hooks: [broken] });
  metrics.observe(bus);
  await fire("on_session_end", END);
  const failures = (await lines("agent_hook_failures_total")).filter((line) => line.includes('"broken"'));
  expect(failures).toEqual([
    'agent_hook_failures_total{point="on_session_end",hook="broken",execution="error"} 1',
    'agent_hook_failures_total{point="on_session_end",hook="broken",execution="timeout"} 0',
    'agent_hook_failures_total{point="on_session_end",hook="broken",execution="suspended"} 0',
    'agent_hook_failures_total{point="on_session_end",hook="broken",execution="invalid_result"} 0',
  ]);
});

test("a hook that times out is seen in flight, then suspended, then late, and runs again after its suspension", async () => {
  const answer = Promise.withResolvers<void>();
  const hanging = defineHook({ name: "hanging", timeoutMs: 1_000, on: { on_session_end: () => answer.promise } });
  const { metrics, bus, fire, lines, clock } = rig({}, { hooks: [hanging] });
  metrics.observe(bus);
  const state = async (): Promise<readonly string[]> => {
    const all = await lines("agent_hooks_in_flight", "agent_hooks_suspended", "agent_hook_late_results_total");
    return all.filter((line) => line.includes('"hanging"')).map((line) => line.replace(/\{.*\}/, ""));
  };
  const firing = fire("on_session_end", END);
  expect(await state()).toEqual([
    "agent_hook_late_results_total 0",
    "agent_hooks_suspended 0",
    "agent_hooks_in_flight 1",
  ]);
  clock.advance(1_000);
  await firing;
  expect((await state())[1]).toEqual("agent_hooks_suspended 1");
  answer.resolve();
  await answer.promise;
  await Promise.resolve();
  expect(await state()).toEqual([
    "agent_hook_late_results_total 1",
    "agent_hooks_suspended 1",
    "agent_hooks_in_flight 0",
  ]);
  clock.advance(60_000);
  expect(await state()).toEqual([
    "agent_hook_late_results_total 1",
    "agent_hooks_suspended 0",
    "agent_hooks_in_flight 0",
  ]);
});

test("a result that its point does not take is counted, and by whether it was a result at all", async () => {
  const eager = {
    name: "eager",
    points: ["on_session_end", "pre_llm_call"],
    call: ({ point }: { point: string }) => (point === "on_session_end" ? askUser("really?") : 42),
  };
  const { metrics, bus, fire, lines } = rig({}, { hooks: [eager as never] });
  metrics.observe(bus);
  await fire("on_session_end", END);
  await fire("pre_llm_call", { user_message: "hi", is_first_turn: true, model: "m1" });
  const ignored = (await lines("agent_hook_results_ignored_total")).filter((line) => line.includes('"eager"'));
  expect(ignored).toEqual([
    'agent_hook_results_ignored_total{point="on_session_end",hook="eager",reason="not_accepted"} 1',
    'agent_hook_results_ignored_total{point="pre_llm_call",hook="eager",reason="invalid_result"} 1',
    'agent_hook_results_ignored_total{point="pre_llm_call",hook="eager",reason="not_accepted"} 0',
    'agent_hook_results_ignored_total{point="on_session_end",hook="eager",reason="invalid_result"} 0',
  ]);
});

test("a stream counts one invocation, the deltas it dropped and the results it ignored", async () => {
  const watcher = {
    name: "watcher",
    points: ["on_stream_delta"],
    call: () => modify("mine"),
  };
  const { metrics, bus, lines } = rig({}, { hooks: [watcher as never] });
  metrics.observe(bus);
  const stream = bus.stream("on_stream_delta", { turn: TURN });
  for (let count = 0; count < 300; count += 1) stream.push({ kind: "text", delta: "x", iteration: 1 });
  await stream.close();
  const seen = await lines("agent_stream_deltas_dropped_total", "agent_hook_results_ignored_total");
  expect(seen.filter((line) => line.includes('"watcher"'))).toEqual([
    'agent_hook_results_ignored_total{point="on_stream_delta",hook="watcher",reason="not_accepted"} 256',
    'agent_hook_results_ignored_total{point="on_stream_delta",hook="watcher",reason="invalid_result"} 0',
    'agent_stream_deltas_dropped_total{hook="watcher"} 44',
  ]);
  const counts = (await lines("agent_hook_duration_seconds")).filter((line) => line.includes("_count"));
  expect(counts).toEqual([
    'agent_hook_duration_seconds_count{point="on_stream_delta",hook="watcher",execution="ok",decision="continue"} 1',
  ]);
});

test("a hook registered again counts on: what it had counted before is not lost and not counted twice", async () => {
  const { metrics, bus, fire, lines, clock } = rig();
  metrics.observe(bus);
  const late = async (): Promise<void> => {
    const answer = Promise.withResolvers<void>();
    const unregister = bus.register(
      defineHook({ name: "hanging", timeoutMs: 1_000, on: { on_session_end: () => answer.promise } }),
    );
    const firing = fire("on_session_end", END);
    clock.advance(1_000);
    await firing;
    answer.resolve();
    await answer.promise;
    await Promise.resolve();
    await lines("agent_hook_late_results_total");
    unregister();
    await lines("agent_hook_late_results_total");
  };
  await late();
  await late();
  expect((await lines("agent_hook_late_results_total")).filter((line) => line.includes('"hanging"'))).toEqual([
    'agent_hook_late_results_total{point="on_session_end",hook="hanging"} 2',
  ]);
});

test("past the cap each invocation counts as an overflow, not only the first one of its hook", async () => {
  const { metrics, bus, fire, lines } = rig({ maxSeries: 1 }, { bus: { hooks: [] } });
  metrics.observe(bus);
  const [first, second] = metrics.hooks.map(({ name, points }) => ({ name, points, call: () => undefined }));
  bus.register(first as Hook);
  bus.register(second as Hook);
  await fire("on_session_end", END);
  await fire("post_api_request", modelCall());
  await fire("post_api_request", modelCall());
  expect((await lines("agent_hook_duration_seconds")).filter((line) => line.includes("_count"))).toEqual([
    'agent_hook_duration_seconds_count{point="on_session_end",hook="usage",execution="ok",decision="continue"} 1',
    'agent_hook_duration_seconds_count{point="post_api_request",hook="__other__",execution="ok",decision="continue"} 4',
  ]);
  const overflows = await lines("hookscope_series_overflow_total");
  expect(overflows.filter((line) => line.includes("agent_hook_duration_seconds"))).toEqual([
    'hookscope_series_overflow_total{metric="agent_hook_duration_seconds"} 4',
  ]);
});

test("observing a bus twice counts once; what it gives back ends it", async () => {
  const { metrics, bus, fire, lines } = rig();
  const end = metrics.observe(bus);
  expect(metrics.observe(bus)).toBe(end);
  await fire("on_session_end", END);
  end();
  await fire("on_session_end", END);
  const counts = (await lines("agent_hook_duration_seconds")).filter((line) => line.includes("_count"));
  expect(counts).toEqual([
    'agent_hook_duration_seconds_count{point="on_session_end",hook="usage",execution="ok",decision="continue"} 1',
  ]);
  expect(await lines("agent_hooks_in_flight")).toEqual([]);
});

const END = {
  completed: true,
  interrupted: false,
  model: "m1",
  failed: false,
  stop_reason: "end_turn",
  usage: { input_tokens: 0, output_tokens: 0, cache_read_tokens: 0, cache_write_tokens: 0, reasoning_tokens: 0 },
};
