import { block, defineHook } from "@hookscope/hooks";
import { expect, test } from "vitest";

import { createTestBus, hang, line, MODEL_CALL, TOOL_CALL, TURN } from "./support.ts";

test("a pending hook is left at once, its signal carries the reason, and the hooks after it are not called", async () => {
  const { bus } = createTestBus();
  const controller = new AbortController();
  const reasons: unknown[] = [];
  bus.register({
    name: "a",
    points: ["pre_llm_call"],
    call(_, { signal }) {
      signal.addEventListener("abort", () => reasons.push(signal.reason));
      return hang();
    },
  });
  bus.register(defineHook({ name: "b", on: { pre_llm_call: () => {} } }));
  const pending = bus.dispatch("pre_llm_call", MODEL_CALL, { turn: TURN, signal: controller.signal });
  controller.abort("stop");
  const { decision, invocations } = await pending;
  expect([decision, invocations.map(line), reasons]).toEqual(["aborted", ["a aborted none -"], ["stop"]]);
});

test("an aborted hook's late answer is dropped, and neither counts as late nor suspends it", async () => {
  const { bus, clock } = createTestBus();
  const controller = new AbortController();
  const { promise, resolve } = Promise.withResolvers<void>();
  bus.register(defineHook({ name: "a", on: { pre_llm_call: () => promise } }));
  const pending = bus.dispatch("pre_llm_call", MODEL_CALL, { turn: TURN, signal: controller.signal });
  controller.abort();
  await pending;
  resolve();
  await clock.advance(0);
  const [listing] = bus.list();
  expect([listing?.lateResults, listing?.inFlight, listing?.suspendedUntil]).toEqual([0, 0, undefined]);
  expect(clock.pendingTimers).toBe(1);
});

test("a signal that fired before: no hook is called", async () => {
  const { bus, records } = createTestBus({ hooks: [defineHook({ name: "a", on: { pre_llm_call: () => {} } })] });
  const { decision, invocations } = await bus.dispatch("pre_llm_call", MODEL_CALL, {
    turn: TURN,
    signal: AbortSignal.abort(),
  });
  expect([decision, invocations, records]).toEqual(["aborted", [], []]);
});

test("the verdict does not depend on whether somebody watches: without hooks it is aborted too", async () => {
  const { bus } = createTestBus();
  const signal = AbortSignal.abort();
  expect(await bus.dispatch("pre_llm_call", MODEL_CALL, { turn: TURN, signal })).toEqual({
    decision: "aborted",
    invocations: [],
  });
  expect(await bus.dispatch("agent_loop_stopped", { reason: "x" }, { turn: TURN, signal })).toEqual({
    decision: "continue",
    invocations: [],
  });
});

test("a block before the interrupt does not stand: nothing runs and nothing is blocked", async () => {
  const { bus } = createTestBus();
  const controller = new AbortController();
  bus.register(defineHook({ name: "blocks", on: { pre_tool_call: () => block("no") } }));
  bus.register(
    defineHook({
      name: "fails",
      on: {
        pre_tool_call() {
          throw new Error("broke");
        },
      },
    }),
  );
  bus.register({ name: "hangs", points: ["pre_tool_call"], call: hang });
  const pending = bus.dispatch("pre_tool_call", TOOL_CALL, { turn: TURN, signal: controller.signal });
  controller.abort();
  const { decision, invocations } = await pending;
  expect(decision).toBe("aborted");
  expect(invocations.map(line)).toEqual([
    "blocks ok block superseded",
    "fails error none superseded",
    "hangs aborted none -",
  ]);
});

const moments: readonly (readonly [string, (abort: () => void) => unknown, string])[] = [
  ["and answers at once", (abort) => abort(), "a ok continue -"],
  ["and then hangs", (abort) => (abort(), hang()), "a aborted none -"],
  ["and then answers later", (abort) => (abort(), Promise.resolve()), "a aborted none -"],
  ["after a while", async (abort) => (await Promise.resolve(), abort(), hang()), "a aborted none -"],
];

test.for(moments)("a hook that interrupts its own turn %s ends the dispatch", async ([, act, said]) => {
  for (const first of [undefined, () => Promise.resolve()]) {
    const { bus } = createTestBus();
    const controller = new AbortController();
    if (first !== undefined) bus.register({ name: "first", points: ["pre_llm_call"], call: first });
    bus.register({ name: "a", points: ["pre_llm_call"], call: () => act(() => controller.abort()) as undefined });
    bus.register({ name: "b", points: ["pre_llm_call"], call: () => {} });
    const { decision, invocations } = await bus.dispatch("pre_llm_call", MODEL_CALL, {
      turn: TURN,
      signal: controller.signal,
    });
    expect([decision, invocations.filter(({ hook }) => hook !== "first").map(line)]).toEqual(["aborted", [said]]);
  }
});

test("a dispatch that is over does not listen to its signal any more", async () => {
  const { bus } = createTestBus();
  const { signal } = new AbortController();
  let listening = 0;
  const add = signal.addEventListener.bind(signal);
  const remove = signal.removeEventListener.bind(signal);
  signal.addEventListener = (...given: Parameters<typeof add>) => (listening++, add(...given));
  signal.removeEventListener = (...given: Parameters<typeof remove>) => (listening--, remove(...given));
  bus.register(defineHook({ name: "a", on: { pre_llm_call: () => Promise.resolve() } }));
  const pending = bus.dispatch("pre_llm_call", MODEL_CALL, { turn: TURN, signal });
  const during = listening;
  await pending;
  expect([during, listening]).toEqual([1, 0]);
});
