import { createHookBus, defineHook, type Hook } from "@hookscope/hooks";
import { createFakeClock } from "@hookscope/testing";
import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { Deadlines, type DeadlineEntry } from "../src/deadlines.ts";
import { createTestBus, hang, line, MODEL_CALL, TURN } from "./support.ts";

describe("a call's limit", () => {
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

  test.for([0, -1, Number.NaN, Infinity, 2 ** 31, "60" as unknown as number])("a bus refuses the limit %s", (limit) => {
    expect(() => createHookBus({ timeoutMs: limit })).toThrow(`HOOK_TIMEOUT_INVALID: the bus: timeoutMs is ${limit};`);
    expect(() => createHookBus({ suspendMs: limit })).toThrow(`HOOK_TIMEOUT_INVALID: the bus: suspendMs is ${limit};`);
  });
});

describe("the list of deadlines", () => {
  interface Call extends DeadlineEntry {
    readonly name: string;
  }

  function setUp() {
    const clock = createFakeClock({ startTime: 0 });
    const deadlines = new Deadlines(clock, 100);
    const expired: string[] = [];
    const call = (name: string, expire: () => void = () => expired.push(`${clock.now()} ${name}`)): Call => ({
      name,
      deadline: 0,
      previous: undefined,
      next: undefined,
      expire,
    });
    return { clock, deadlines, expired, call };
  }

  test("calls expire in the order they started, each at its time", async () => {
    const { clock, deadlines, expired, call } = setUp();
    deadlines.arm(call("a"), clock.now());
    await clock.advance(30);
    deadlines.arm(call("b"), clock.now());
    deadlines.arm(call("c"), clock.now());
    await clock.advance(200);
    expect(expired).toEqual(["100 a", "130 b", "130 c"]);
    expect(clock.pendingTimers).toBe(0);
  });

  test("a call that started earlier but became pending later expires first", async () => {
    const { clock, deadlines, expired, call } = setUp();
    await clock.advance(50);
    deadlines.arm(call("inner"), 40);
    deadlines.arm(call("outer"), 10);
    deadlines.arm(call("middle"), 20);
    await clock.advance(200);
    expect(expired).toEqual(["110 outer", "120 middle", "140 inner"]);
  });

  test("one timer serves them all", () => {
    const { clock, deadlines, call } = setUp();
    for (let index = 0; index < 1_000; index += 1) deadlines.arm(call(String(index)), clock.now());
    expect(clock.pendingTimers).toBe(1);
  });

  test("a call that is armed while others expire gets its own time", async () => {
    const { clock, deadlines, expired, call } = setUp();
    deadlines.arm(
      call("a", () => deadlines.arm(call("next"), clock.now())),
      clock.now(),
    );
    deadlines.arm(call("b"), clock.now());
    await clock.advance(300);
    expect(expired).toEqual(["100 b", "200 next"]);
  });

  test("whatever is armed and disarmed, exactly the rest expires, in order", async () => {
    const step = fc.record({ wait: fc.nat(60), disarm: fc.option(fc.nat(9)) });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
        const { clock, deadlines, expired, call } = setUp();
        const armed = new Map<Call, number>();
        const alive: Call[] = [];
        const expected: string[] = [];
        for (const [index, { wait, disarm }] of steps.entries()) {
          const until = clock.now() + wait;
          for (const entry of alive.filter((each) => (armed.get(each) ?? 0) + 100 <= until)) {
            expected.push(`${(armed.get(entry) ?? 0) + 100} ${entry.name}`);
            alive.splice(alive.indexOf(entry), 1);
          }
          await clock.advance(wait);
          const entry = call(String(index));
          deadlines.arm(entry, clock.now());
          armed.set(entry, clock.now());
          alive.push(entry);
          const gone = disarm === null ? undefined : alive[disarm];
          if (gone !== undefined) {
            deadlines.disarm(gone);
            alive.splice(alive.indexOf(gone), 1);
          }
        }
        await clock.advance(1_000);
        for (const entry of alive) expected.push(`${(armed.get(entry) ?? 0) + 100} ${entry.name}`);
        expect(expired).toEqual(expected);
      }),
      { numRuns: 40 },
    );
  });
});
