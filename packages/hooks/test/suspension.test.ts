import { defineHook, type Hook } from "@hookscope/hooks";
import { expect, test } from "vitest";

import { createTestBus, hang, line, MODEL_CALL, TOOL_CALL, TURN, type TestBus } from "./support.ts";

const hanging: Hook = { name: "a", points: ["pre_llm_call", "pre_tool_call"], call: hang };

async function timeOut({ bus, clock }: TestBus, limit: number): Promise<void> {
  const pending = bus.dispatch("pre_llm_call", MODEL_CALL, { turn: TURN });
  await clock.advance(limit);
  await pending;
}

test("holds at the point where the hook timed out, not at its other points", async () => {
  const test_ = createTestBus({ timeoutMs: 100 });
  const { bus, clock } = test_;
  bus.register(hanging);
  await timeOut(test_, 100);
  const suspended = await bus.dispatch("pre_llm_call", MODEL_CALL, { turn: TURN });
  expect(suspended.invocations.map(line)).toEqual(["a suspended none failed_open"]);
  const pending = bus.dispatch("pre_tool_call", TOOL_CALL, { turn: TURN });
  await clock.advance(100);
  expect((await pending).invocations.map(line)).toEqual(["a timeout none applied"]);
});

test("blocks at pre_tool_call at once, naming the hook", async () => {
  const { bus, clock } = createTestBus({ timeoutMs: 100 });
  bus.register(hanging);
  const first = bus.dispatch("pre_tool_call", TOOL_CALL, { turn: TURN });
  await clock.advance(100);
  await first;
  const { invocations: _, ...verdict } = await bus.dispatch("pre_tool_call", TOOL_CALL, { turn: TURN });
  expect(verdict).toEqual({
    decision: "block",
    reason: 'hook "a" is suspended after it took longer than 100 ms',
    hook: "a",
    cause: "failure",
  });
});

test("lasts as long as the bus was told, and holds for every session on the bus", async () => {
  const test_ = createTestBus({ timeoutMs: 100, suspendMs: 5_000 });
  const { bus, clock } = test_;
  bus.register(hanging);
  await timeOut(test_, 100);
  await clock.advance(4_999);
  const other = { ...TURN, session_id: "session-2", turn_id: "turn-2" };
  const last = await bus.dispatch("pre_llm_call", MODEL_CALL, { turn: other });
  expect(last.invocations.map(line)).toEqual(["a suspended none failed_open"]);
  await clock.advance(1);
  expect(bus.list().map(({ suspendedUntil }) => suspendedUntil)).toEqual([undefined, undefined]);
  const running = bus.dispatch("pre_llm_call", MODEL_CALL, { turn: other });
  expect(bus.list().map(({ inFlight }) => inFlight)).toEqual([1, 0]);
  await clock.advance(100);
  await running;
});

test("a failure that is no timeout suspends nothing", async () => {
  const { bus } = createTestBus();
  let calls = 0;
  bus.register(
    defineHook({
      name: "a",
      on: {
        pre_llm_call() {
          calls += 1;
          throw new Error("broke");
        },
      },
    }),
  );
  for (let time = 0; time < 3; time += 1) await bus.dispatch("pre_llm_call", MODEL_CALL, { turn: TURN });
  expect(calls).toBe(3);
});

test("a call that was running already is not cut short by another's timeout", async () => {
  const { bus, clock } = createTestBus({ timeoutMs: 100 });
  const answers: (() => void)[] = [];
  const call = (): Promise<void> => new Promise((resolve) => answers.push(resolve));
  bus.register({ name: "a", points: ["pre_llm_call"], call });
  const first = bus.dispatch("pre_llm_call", MODEL_CALL, { turn: TURN });
  await clock.advance(60);
  const second = bus.dispatch("pre_llm_call", MODEL_CALL, { turn: TURN });
  await clock.advance(40);
  answers[1]?.();
  expect((await first).invocations.map(line)).toEqual(["a timeout none failed_open"]);
  expect((await second).invocations.map(line)).toEqual(["a ok continue -"]);
});

test("is over when the hook is registered again", async () => {
  const test_ = createTestBus({ timeoutMs: 100 });
  const { bus } = test_;
  const unregister = bus.register(hanging);
  await timeOut(test_, 100);
  unregister();
  bus.register(defineHook({ name: "a", on: { pre_llm_call: () => {} } }));
  const verdict = await bus.dispatch("pre_llm_call", MODEL_CALL, { turn: TURN });
  expect(verdict.invocations.map(line)).toEqual(["a ok continue -"]);
});
