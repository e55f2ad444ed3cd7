import { ROOT_CONTEXT, trace, type Context } from "@opentelemetry/api";
import { defineHook, TurnTotals, withTurnTotals } from "@hookscope/hooks";
import { createTestTelemetry, type TestTelemetry } from "@hookscope/testing";
import { afterEach, beforeEach, expect, test } from "vitest";

import { createTestBus, MODEL_CALL, TURN } from "./support.ts";

let telemetry: TestTelemetry;
beforeEach(() => {
  telemetry = createTestTelemetry();
});
afterEach(() => telemetry.dispose());

function turnContext(totals: TurnTotals): Context {
  const span = trace.wrapSpanContext({ traceId: "1".repeat(32), spanId: "2".repeat(16), traceFlags: 0 });
  return withTurnTotals(trace.setSpan(ROOT_CONTEXT, span), totals);
}

test("past the turn's limit plain observers are only counted", async () => {
  const { bus, records } = createTestBus({ maxSpansPerTurn: 2 });
  bus.register(defineHook({ name: "usage", on: { agent_loop_stopped: () => {} } }));
  const totals = new TurnTotals();
  const span = telemetry.tracer.startSpan("turn");
  const parent = withTurnTotals(trace.setSpan(ROOT_CONTEXT, span), totals);
  for (let time = 0; time < 5; time += 1)
    await bus.dispatch("agent_loop_stopped", { reason: "x" }, { turn: TURN, parent });
  span.end();
  expect(telemetry.tree()).toEqual(["turn", "  agent_loop_stopped usage", "  agent_loop_stopped usage"]);
  expect(records.map(({ spanId }) => spanId !== undefined)).toEqual([true, true, false, false, false]);
  expect([totals.get("agent_turn.spans_suppressed"), totals.attributes()["agent_turn.hook_invocations"]]).toEqual([
    3, 5,
  ]);
});

test("a failure, a wrong result and a slow one are never suppressed; theirs is a whole span, made afterwards", async () => {
  const { bus, clock } = createTestBus({ maxSpansPerTurn: 0 });
  const fails = (): never => {
    throw new Error("broke");
  };
  const point = "agent_loop_stopped";
  bus.register(defineHook({ name: "plain", on: { [point]: () => {} } }));
  bus.register(defineHook({ name: "fails", on: { [point]: fails } }));
  bus.register({ name: "blocks", points: [point], call: () => ({ decision: "block", reason: "no" }) });
  bus.register(defineHook({ name: "slow", on: { [point]: () => clock.block(1_000) } }));
  bus.register(defineHook({ name: "quick", on: { [point]: () => clock.block(999) } }));
  const span = telemetry.tracer.startSpan("turn");
  const parent = withTurnTotals(trace.setSpan(ROOT_CONTEXT, span), new TurnTotals());
  const begin = clock.now();
  await bus.dispatch(point, { reason: "x" }, { turn: TURN, parent });
  span.end();
  const made = telemetry.spans().slice(1);
  expect(made.map(({ name, startTime, endTime }) => [name, startTime - begin, endTime - begin])).toEqual([
    ["agent_loop_stopped fails", 0, 0],
    ["agent_loop_stopped blocks", 0, 0],
    ["agent_loop_stopped slow", 0, 1_000],
  ]);
  expect(made.map(({ parentSpanId }) => parentSpanId)).toEqual(Array(3).fill(span.spanContext().spanId));
  expect(made[0]?.status).toEqual({ code: "ERROR", message: "broke" });
});

test("directives always have their span: what they will say is not known when they start", async () => {
  const { bus } = createTestBus({ maxSpansPerTurn: 0 });
  bus.register(defineHook({ name: "memory", on: { pre_llm_call: () => {} } }));
  const span = telemetry.tracer.startSpan("turn");
  const parent = withTurnTotals(trace.setSpan(ROOT_CONTEXT, span), new TurnTotals());
  await bus.dispatch("pre_llm_call", MODEL_CALL, { turn: TURN, parent });
  span.end();
  expect(telemetry.tree()).toEqual(["turn", "  pre_llm_call memory"]);
});

test("a subagent's spans count for the turn above it", async () => {
  const { bus, records } = createTestBus({ maxSpansPerTurn: 3 });
  bus.register(defineHook({ name: "usage", on: { agent_loop_stopped: () => {} } }));
  const totals = new TurnTotals();
  const child = new TurnTotals(totals);
  const span = telemetry.tracer.startSpan("turn");
  const at = (each: TurnTotals): Context => withTurnTotals(trace.setSpan(ROOT_CONTEXT, span), each);
  for (const each of [totals, child, child, totals, child]) {
    await bus.dispatch("agent_loop_stopped", { reason: "x" }, { turn: TURN, parent: at(each) });
  }
  span.end();
  expect(records.map(({ spanId }) => spanId !== undefined)).toEqual([true, true, true, false, false]);
  expect(totals.get("agent_turn.spans_suppressed")).toBe(2);
});

test("a turn that is not recorded suppresses nothing", async () => {
  const { bus } = createTestBus({ maxSpansPerTurn: 0 });
  bus.register(defineHook({ name: "usage", on: { agent_loop_stopped: () => {} } }));
  const totals = new TurnTotals();
  const parent = turnContext(totals);
  await bus.dispatch("agent_loop_stopped", { reason: "x" }, { turn: TURN, parent });
  expect(totals.get("agent_turn.spans_suppressed")).toBe(0);
});

test.for([-1, 1.5, Number.NaN])("a limit of %s is refused", (maxSpansPerTurn) => {
  expect(() => createTestBus({ maxSpansPerTurn })).toThrow(
    `HOOK_OPTION_INVALID: the bus: maxSpansPerTurn is ${maxSpansPerTurn}; give a whole number from 0 on, or Infinity.`,
  );
});

test("without totals there is no limit", async () => {
  const { bus } = createTestBus({ maxSpansPerTurn: 0 });
  bus.register(defineHook({ name: "usage", on: { agent_loop_stopped: () => {} } }));
  await bus.dispatch("agent_loop_stopped", { reason: "x" }, { turn: TURN });
  expect(telemetry.tree()).toEqual(["agent_loop_stopped usage"]);
});
