import { ROOT_CONTEXT } from "@opentelemetry/api";
import { defineHook, TurnTotals, turnTotalsOf, withTurnTotals } from "@hookscope/hooks";
import { expect, test } from "vitest";

import { createTestBus, hang, MODEL_CALL, TURN } from "./support.ts";

const ZERO = {
  "agent_turn.hook_time": 0,
  "agent_turn.hook_wall_time": 0,
  "agent_turn.hook_invocations": 0,
  "agent_turn.hook_failures": 0,
  "agent_turn.blocked_tool_calls": 0,
  "agent_turn.tool_calls": 0,
  "agent_turn.rounds": 0,
  "agent_turn.has_block": false,
  "agent_turn.has_failure": false,
  "agent_turn.has_timeout": false,
};

test("a turn in which nothing happened says so with zeros", () => {
  expect(new TurnTotals().attributes()).toEqual(ZERO);
});

test("hook time is a sum, wall time a union: two hooks at once take their time together", async () => {
  const { bus, clock } = createTestBus();
  const wait = (ms: number) => () => new Promise<void>((resolve) => clock.setTimer(resolve, ms));
  bus.register(defineHook({ name: "a", on: { pre_llm_call: wait(1_000), post_llm_call: wait(3_000) } }));
  const totals = new TurnTotals();
  const options = { turn: TURN, parent: withTurnTotals(ROOT_CONTEXT, totals) };
  const both = [bus.dispatch("pre_llm_call", MODEL_CALL, options)];
  await clock.advance(500);
  both.push(bus.dispatch("post_llm_call", {} as never, options) as never);
  await clock.advance(10_000);
  await Promise.all(both);
  expect(totals.attributes()).toEqual({
    ...ZERO,
    "agent_turn.hook_time": 4,
    "agent_turn.hook_wall_time": 3.5,
    "agent_turn.hook_invocations": 2,
  });
});

test("hooks one after another take their times, without the pause between", async () => {
  const { bus, clock } = createTestBus();
  bus.register(defineHook({ name: "a", on: { pre_llm_call: () => clock.block(200) } }));
  bus.register(defineHook({ name: "b", on: { pre_llm_call: () => clock.block(300) } }));
  const totals = new TurnTotals();
  const options = { turn: TURN, parent: withTurnTotals(ROOT_CONTEXT, totals) };
  await bus.dispatch("pre_llm_call", MODEL_CALL, options);
  await clock.advance(5_000);
  await bus.dispatch("pre_llm_call", MODEL_CALL, options);
  const { "agent_turn.hook_time": sum, "agent_turn.hook_wall_time": union } = totals.attributes();
  expect([sum, union]).toEqual([1, 1]);
});

test("a subagent's totals are its own, and its parent's", async () => {
  const { bus, clock } = createTestBus({ timeoutMs: 1_000 });
  bus.register({ name: "hangs", points: ["pre_llm_call"], call: hang });
  const parent = new TurnTotals();
  const child = new TurnTotals(parent);
  child.add("agent_turn.tool_calls", 2);
  parent.add("agent_turn.tool_calls", 1);
  const pending = bus.dispatch("pre_llm_call", MODEL_CALL, { turn: TURN, parent: withTurnTotals(ROOT_CONTEXT, child) });
  await clock.advance(1_000);
  await pending;
  const ofChild = {
    ...ZERO,
    "agent_turn.hook_time": 1,
    "agent_turn.hook_wall_time": 1,
    "agent_turn.hook_invocations": 1,
    "agent_turn.hook_failures": 1,
    "agent_turn.tool_calls": 2,
    "agent_turn.has_failure": true,
    "agent_turn.has_timeout": true,
  };
  expect(child.attributes()).toEqual(ofChild);
  expect(parent.attributes()).toEqual({ ...ofChild, "agent_turn.tool_calls": 3 });
});

test("hooks of two subagents at once: the parent's wall time is the union", async () => {
  const { bus, clock } = createTestBus();
  bus.register(
    defineHook({
      name: "a",
      on: { pre_llm_call: () => new Promise<void>((resolve) => clock.setTimer(resolve, 1_000)) },
    }),
  );
  const parent = new TurnTotals();
  const pending = [new TurnTotals(parent), new TurnTotals(parent)].map((child) =>
    bus.dispatch("pre_llm_call", MODEL_CALL, { turn: TURN, parent: withTurnTotals(ROOT_CONTEXT, child) }),
  );
  await clock.advance(1_000);
  await Promise.all(pending);
  const { "agent_turn.hook_time": sum, "agent_turn.hook_wall_time": union } = parent.attributes();
  expect([sum, union]).toEqual([2, 1]);
});

test("a failure sets the flag and counts each time; a flag that is set stays", async () => {
  const { bus } = createTestBus();
  bus.register(defineHook({ name: "a", on: { pre_llm_call: () => Promise.reject(new Error("broke")) } }));
  const totals = new TurnTotals();
  const options = { turn: TURN, parent: withTurnTotals(ROOT_CONTEXT, totals) };
  for (let time = 0; time < 3; time += 1) await bus.dispatch("pre_llm_call", MODEL_CALL, options);
  expect([totals.has("agent_turn.has_failure"), totals.has("agent_turn.has_timeout")]).toEqual([true, false]);
  expect(totals.get("agent_turn.hook_failures")).toBe(3);
});

test("a hook adds to its turn by its context; what is not finite is ignored, what was measured cannot be overwritten", async () => {
  const { bus } = createTestBus();
  bus.register(
    defineHook({
      name: "cost",
      on: {
        post_api_request(_, { turn }) {
          turn?.add("agent_turn.cost_usd", 0.25);
          turn?.add("agent_turn.cost_usd", Number.NaN);
          turn?.add("agent_turn.hook_invocations", 100);
        },
      },
    }),
  );
  const totals = new TurnTotals();
  const options = { turn: TURN, parent: withTurnTotals(ROOT_CONTEXT, totals) };
  await bus.dispatch("post_api_request", {} as never, options);
  await bus.dispatch("post_api_request", {} as never, options);
  expect(totals.attributes()).toEqual({ ...ZERO, "agent_turn.cost_usd": 0.5, "agent_turn.hook_invocations": 2 });
});

test("the totals travel in the context", () => {
  const totals = new TurnTotals();
  expect(turnTotalsOf(withTurnTotals(ROOT_CONTEXT, totals))).toBe(totals);
  expect(turnTotalsOf(ROOT_CONTEXT)).toBeUndefined();
});

test("a hook outside a turn's context has no totals", async () => {
  const { bus } = createTestBus();
  const seen: unknown[] = [];
  bus.register(defineHook({ name: "a", on: { pre_llm_call: (_, { turn }) => void seen.push(turn) } }));
  await bus.dispatch("pre_llm_call", MODEL_CALL, { turn: TURN });
  expect(seen).toEqual([undefined]);
});
