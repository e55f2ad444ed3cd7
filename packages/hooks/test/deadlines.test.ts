import { createHookBus, defineHook, modify, type Hook } from "@hookscope/hooks";
import { expect, test } from "vitest";

import { createTestBus, hang, line, MODEL_CALL, TURN } from "./support.ts";

test("an answer at the very limit counts, one after it does not", async () => {
  const settled = [];
  for (const takes of [60_000, 60_001]) {
    const { bus, clock } = createTestBus();
    const { promise, resolve } = Promise.withResolvers<void>();
    clock.setTimer(resolve, takes);
    bus.register(defineHook({ name: "a", on: { pre_llm_call: () => promise } }));
    const pending = bus.dispatch("pre_llm_call", MODEL_CALL, { turn: TURN });
    await clock.advance(60_001);
    settled.push((await pending).invocations.map(line));
  }
  expect(settled).toEqual([["a ok continue -"], ["a timeout none failed_open"]]);
});

test("each of many pending calls has its own, counted from its own start", async () => {
  const { bus, clock, records } = createTestBus({ timeoutMs: 1_000 });
  for (const name of ["a", "b", "c"]) {
    bus.register({ name, points: ["pre_llm_call"], call: hang, timeoutMs: name === "b" ? 400 : undefined });
  }
  const pending = [];
  for (let index = 0; index < 3; index += 1) {
    pending.push(bus.dispatch("pre_llm_call", MODEL_CALL, { turn: TURN }));
    await clock.advance(10);
  }
  await clock.advance(10_000);
  await Promise.all(pending);
  const begin = records[0]?.startTime ?? 0;
  expect(records.map(({ hook, startTime, durationMs }) => `${hook} ${startTime - begin} + ${durationMs}`)).toEqual([
    "a 0 + 1000",
    "b 1000 + 400",
    "c 1400 + 1000",
    "a 10 + 1000",
    "b 1010 + 400",
    "c 1410 + 1000",
    "a 20 + 1000",
    "b 1020 + 400",
    "c 1420 + 1000",
  ]);
});

test("the hooks of one dispatch have one each, whatever the one before it used of its own", async () => {
  const { bus, clock, records } = createTestBus({ timeoutMs: 1_000 });
  const wait = (ms: number) => () => new Promise<void>((resolve) => clock.setTimer(resolve, ms));
  bus.register({ name: "a", points: ["pre_llm_call"], call: wait(900) });
  bus.register({ name: "b", points: ["pre_llm_call"], call: wait(900) });
  bus.register({ name: "at once", points: ["pre_llm_call"], call: () => {} });
  bus.register({ name: "short", points: ["pre_llm_call"], call: hang, timeoutMs: 50 });
  bus.register({ name: "c", points: ["pre_llm_call"], call: wait(900) });
  bus.register({ name: "d", points: ["pre_llm_call"], call: hang });
  const pending = bus.dispatch("pre_llm_call", MODEL_CALL, { turn: TURN });
  await clock.advance(10_000);
  await pending;
  const begin = records[0]?.startTime ?? 0;
  expect(
    records.map(
      ({ hook, execution, startTime, durationMs }) => `${hook} ${execution} ${startTime - begin}+${durationMs}`,
    ),
  ).toEqual([
    "a ok 0+900",
    "b ok 900+900",
    "at once ok 1800+0",
    "short timeout 1800+50",
    "c ok 1850+900",
    "d timeout 2750+1000",
  ]);
});

test("a dispatch that is over leaves none behind", async () => {
  const { bus, clock, records } = createTestBus({ timeoutMs: 1_000 });
  bus.register({ name: "a", points: ["pre_llm_call"], call: async () => {} });
  bus.register({ name: "b", points: ["pre_llm_call"], call: async () => {} });
  await bus.dispatch("pre_llm_call", MODEL_CALL, { turn: TURN });
  await clock.advance(10_000);
  expect(records.map(line)).toEqual(["a ok continue -", "b ok continue -"]);
  expect(clock.pendingTimers).toBe(0);
  expect(bus.list().map(({ inFlight, suspendedUntil }) => [inFlight, suspendedUntil])).toEqual([
    [0, undefined],
    [0, undefined],
  ]);
});

test("a hook that answers at once but took longer than its limit has timed out; its answer is late", async () => {
  const { bus, clock } = createTestBus();
  const slow: Hook = {
    name: "slow",
    points: ["pre_llm_call"],
    timeoutMs: 100,
    call(_, { signal }) {
      clock.block(101);
      expect(signal.aborted).toBe(false);
      return { decision: "modify", value: { context: "late" } };
    },
  };
  bus.register(slow);
  const verdict = await bus.dispatch("pre_llm_call", MODEL_CALL, { turn: TURN });
  expect(verdict.decision).toBe("continue");
  expect(verdict.invocations.map(line)).toEqual(["slow timeout none failed_open"]);
  expect(bus.list()[0]?.lateResults).toBe(1);
});

test("time spent before the promise was given counts", async () => {
  const { bus, clock, records } = createTestBus();
  const call = (): Promise<never> => {
    clock.block(40);
    return hang();
  };
  bus.register({ name: "a", points: ["pre_llm_call"], call, timeoutMs: 100 });
  const pending = bus.dispatch("pre_llm_call", MODEL_CALL, { turn: TURN });
  await clock.advance(60);
  await pending;
  expect(records.map(({ execution, durationMs }) => [execution, durationMs])).toEqual([["timeout", 100]]);
});

test("an answer that comes after the limit but before its timer, which a busy thread delays, is late", async () => {
  const { bus, clock, records } = createTestBus();
  const { promise, resolve } = Promise.withResolvers<void>();
  bus.register(defineHook({ name: "a", on: { pre_llm_call: () => promise } }));
  const pending = bus.dispatch("pre_llm_call", MODEL_CALL, { turn: TURN });
  clock.block(60_001);
  resolve();
  await pending;
  expect(records.map(line)).toEqual(["a timeout none failed_open"]);
  expect(bus.list()[0]).toMatchObject({ lateResults: 1, inFlight: 0, suspendedUntil: clock.now() + 60_000 });
});

test("a late answer is not taken for the answer of the hook that runs meanwhile", async () => {
  const { bus, clock } = createTestBus({ timeoutMs: 100 });
  const late = Promise.withResolvers<void>();
  const next = Promise.withResolvers<void>();
  bus.register(defineHook({ name: "a", on: { pre_llm_call: () => late.promise } }));
  bus.register(
    defineHook({ name: "b", on: { pre_llm_call: () => next.promise.then(() => modify({ context: "b" })) } }),
  );
  const pending = bus.dispatch("pre_llm_call", MODEL_CALL, { turn: TURN });
  await clock.advance(100);
  late.resolve();
  await clock.advance(10);
  next.resolve();
  expect((await pending).invocations.map(line)).toEqual(["a timeout none failed_open", "b ok modify applied"]);
  expect(bus.list().map(({ lateResults }) => lateResults)).toEqual([1, 0]);
});

test("a late rejection is dropped and counted, and nobody hears of it", async () => {
  const unhandled: unknown[] = [];
  const listener = (error: unknown): void => void unhandled.push(error);
  process.on("unhandledRejection", listener);
  const { bus, clock } = createTestBus({ timeoutMs: 10 });
  const { promise, reject } = Promise.withResolvers<void>();
  bus.register(defineHook({ name: "a", on: { pre_llm_call: () => promise } }));
  const pending = bus.dispatch("pre_llm_call", MODEL_CALL, { turn: TURN });
  await clock.advance(10);
  await pending;
  reject(new Error("late"));
  await clock.advance(0);
  process.off("unhandledRejection", listener);
  expect(unhandled).toEqual([]);
  expect(bus.list()[0]?.lateResults).toBe(1);
});

test("the signal says why: a TimeoutError that names the hook", async () => {
  const { bus, clock } = createTestBus({ timeoutMs: 10 });
  const reasons: unknown[] = [];
  bus.register({
    name: "a",
    points: ["pre_llm_call"],
    call(_, { signal }) {
      signal.addEventListener("abort", () => reasons.push(signal.reason));
      return hang();
    },
  });
  const pending = bus.dispatch("pre_llm_call", MODEL_CALL, { turn: TURN });
  await clock.advance(10);
  await pending;
  expect(reasons.map((reason) => `${(reason as Error).name}: ${(reason as Error).message}`)).toEqual([
    "TimeoutError: pre_llm_call a took longer than 10 ms",
  ]);
});

test("a signal first read after the time is over is aborted", async () => {
  const { bus, clock } = createTestBus({ timeoutMs: 10 });
  const later: boolean[] = [];
  bus.register({
    name: "a",
    points: ["pre_llm_call"],
    async call(_, context) {
      await new Promise<void>((resolve) => clock.setTimer(resolve, 20));
      later.push(context.signal.aborted);
    },
  });
  const pending = bus.dispatch("pre_llm_call", MODEL_CALL, { turn: TURN });
  await clock.advance(20);
  await pending;
  expect(later).toEqual([true]);
});

test.for([0, -1, Number.NaN, Infinity, 2 ** 31])("a bus refuses the limit %s", (limit) => {
  expect(() => createHookBus({ timeoutMs: limit })).toThrow(`HOOK_TIMEOUT_INVALID: the bus: timeoutMs is ${limit};`);
  expect(() => createHookBus({ suspendMs: limit })).toThrow(`HOOK_TIMEOUT_INVALID: the bus: suspendMs is ${limit};`);
});

test("the longest limit is the longest that a timer of the platform takes", () => {
  expect(() => createHookBus({ timeoutMs: 2 ** 31 - 1, suspendMs: 2 ** 31 - 1 })).not.toThrow();
});
