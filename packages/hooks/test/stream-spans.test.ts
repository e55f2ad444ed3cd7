import { context, ROOT_CONTEXT, trace } from "@opentelemetry/api";
import { defineHook, TurnTotals, withTurnTotals, type HookBus, type StreamDeltaPayload } from "@hookscope/hooks";
import { createTestTelemetry } from "@hookscope/testing";
import { expect, test } from "vitest";

import { createTestBus, TURN } from "./support.ts";

const POINT = "on_stream_delta";
const delta = (text: string): StreamDeltaPayload => ({ kind: "text", delta: text, iteration: 1 });

async function send(bus: HookBus, ...texts: readonly string[]): Promise<void> {
  const stream = bus.stream(POINT, { turn: TURN });
  for (const text of texts) stream.push(delta(text));
  await stream.close();
}

test("one span and one record per hook and stream, with count, times, failures and drops", async () => {
  const telemetry = createTestTelemetry();
  const { bus, clock, records } = createTestBus();
  const totals = new TurnTotals();
  bus.register(
    defineHook({
      name: "feed",
      on: { [POINT]: ({ payload }) => clock.block(payload.delta.length * 100) },
    }),
  );
  const begin = clock.now();
  const stream = bus.stream(POINT, { turn: TURN, parent: withTurnTotals(ROOT_CONTEXT, totals) });
  for (const text of ["a", "bbb", "cc"]) stream.push(delta(text));
  await stream.close();
  expect(records).toEqual([
    {
      point: POINT,
      hook: "feed",
      kind: "observer",
      index: 0,
      pass: 1,
      execution: "ok",
      decision: "continue",
      applied: false,
      failurePolicy: "open",
      startTime: begin,
      durationMs: 600,
      turn: TURN,
      stream: { count: 3, totalMs: 600, longestMs: 300, failures: 0, dropped: 0 },
      traceId: telemetry.spans()[0]?.traceId,
      spanId: telemetry.spans()[0]?.spanId,
    },
  ]);
  expect(telemetry.spans().map(({ name, startTime, endTime }) => [name, startTime - begin, endTime - begin])).toEqual([
    ["on_stream_delta feed", 0, 600],
  ]);
  expect(telemetry.spans()[0]?.attributes).toEqual({
    "agent_hook.point": POINT,
    "agent_hook.name": "feed",
    "agent_hook.kind": "observer",
    "agent_hook.index": 0,
    "agent_hook.pass": 1,
    "agent_hook.failure_policy": "open",
    "agent_hook.timeout": 60,
    "agent_hook.execution": "ok",
    "agent_hook.decision": "continue",
    "agent_hook.applied": false,
    "agent_hook.stream.count": 3,
    "agent_hook.stream.total_time": 0.6,
    "agent_hook.stream.longest": 0.3,
    "agent_hook.stream.failures": 0,
    "agent_hook.stream.dropped": 0,
    "session.id": "session-1",
    "gen_ai.conversation.id": "session-1",
    "agent_turn.id": "turn-1",
  });
  const { "agent_turn.hook_time": time, "agent_turn.hook_invocations": invocations } = totals.attributes();
  expect([time, invocations]).toEqual([0.6, 1]);
  await telemetry.dispose();
});

test("a hook is called in the stream's turn, whatever is active where a delta is pushed", async () => {
  const telemetry = createTestTelemetry();
  const { bus } = createTestBus();
  bus.register(defineHook({ name: "feed", on: { [POINT]: () => telemetry.tracer.startSpan("own").end() } }));
  const unrecorded = trace.wrapSpanContext({ traceId: "1".repeat(32), spanId: "2".repeat(16), traceFlags: 0 });
  const stream = context.with(trace.setSpan(ROOT_CONTEXT, unrecorded), () => bus.stream(POINT, { turn: TURN }));
  await telemetry.tracer.startActiveSpan("another turn", async (span) => {
    stream.push(delta("x"));
    await stream.close();
    span.end();
  });
  expect(telemetry.tree()).toEqual(["another turn"]);
  await telemetry.dispose();
});

test("a hook's own spans nest under the stream's span", async () => {
  const telemetry = createTestTelemetry();
  const { bus } = createTestBus();
  const own = ({ payload }: { payload: StreamDeltaPayload }): void => telemetry.tracer.startSpan(payload.delta).end();
  bus.register(defineHook({ name: "feed", on: { [POINT]: own } }));
  await send(bus, "x", "y");
  expect(telemetry.tree()).toEqual(["on_stream_delta feed", "  x", "  y"]);
  await telemetry.dispose();
});
