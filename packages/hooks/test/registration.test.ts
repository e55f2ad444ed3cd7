import {
  createHookBus,
  defineHook,
  HOOK_ERRORS,
  HookError,
  proceed,
  type Hook,
  type HookErrorCode,
} from "@hookscope/hooks";
import { describe, expect, test } from "vitest";

import { createTestBus, MODEL_CALL, refusal, TURN } from "./support.ts";

const call = (): void => {};

describe("defineHook", () => {
  test("handlers are called with `on` as this, and only at their point", async () => {
    const seen: string[] = [];
    const on = {
      pre_llm_call(this: unknown) {
        seen.push(`pre_llm_call ${this === on}`);
      },
      post_llm_call: () => void seen.push("post_llm_call"),
    };
    const { bus } = createTestBus({ hooks: [defineHook({ name: "a", on })] });
    await bus.dispatch("pre_llm_call", MODEL_CALL, { turn: TURN });
    expect(seen).toEqual(["pre_llm_call true"]);
  });
});

describe("register", () => {
  test("a class instance keeps its this", async () => {
    class Counter implements Hook {
      readonly name = "counter";
      readonly points = ["pre_llm_call"] as const;
      #count = 0;
      call(): void {
        this.#count += 1;
      }
      get count(): number {
        return this.#count;
      }
    }
    const counter = new Counter();
    const { bus } = createTestBus({ hooks: [counter] });
    await bus.dispatch("pre_llm_call", MODEL_CALL, { turn: TURN });
    expect(counter.count).toBe(1);
  });

  test("a point named twice counts once", async () => {
    const { bus, records } = createTestBus();
    bus.register({ name: "a", points: ["pre_llm_call", "pre_llm_call"], call });
    await bus.dispatch("pre_llm_call", MODEL_CALL, { turn: TURN });
    expect(records.length).toBe(1);
  });

  test("a refused hook leaves nothing behind: its name can be used at once", () => {
    const bus = createHookBus();
    expect(refusal(() => bus.register({ name: "a", points: ["pre_llm_call", "nowhere" as never], call }))).toMatch(
      /^HOOK_POINT_UNKNOWN: /,
    );
    bus.register({ name: "a", points: ["pre_llm_call"], call });
    expect(bus.list().map(({ point }) => point)).toEqual(["pre_llm_call"]);
  });

  test("a bus given a hook it cannot use is not made", () => {
    const hook = defineHook({ name: "a", on: { pre_llm_call: call } });
    expect(refusal(() => createHookBus({ hooks: [hook, hook] }))).toBe(
      'HOOK_NAME_DUPLICATE: a hook named "a" is registered already; unregister it first, or choose another name.',
    );
  });

  test("an unregister is for its own registration, though the same hook be registered again", () => {
    const bus = createHookBus();
    const hook = defineHook({ name: "a", on: { pre_llm_call: call } });
    const first = bus.register(hook);
    first();
    const second = bus.register(hook);
    first();
    expect(bus.list().length).toBe(1);
    expect(refusal(() => bus.register(hook))).toMatch(/^HOOK_NAME_DUPLICATE: /);
    second();
    expect(bus.list()).toEqual([]);
    expect(bus.has("pre_llm_call")).toBe(false);
  });

  test("hooks move up when one before them is unregistered", async () => {
    const { bus, records } = createTestBus();
    const removals = ["a", "b", "c"].map((name) => bus.register({ name, points: ["pre_llm_call"], call }));
    removals[0]?.();
    await bus.dispatch("pre_llm_call", MODEL_CALL, { turn: TURN });
    expect(records.map(({ index, hook }) => `${index} ${hook}`)).toEqual(["0 b", "1 c"]);
  });

  test("what is registered while a dispatch waits counts from the next one on", async () => {
    const { bus, clock } = createTestBus();
    const { promise, resolve } = Promise.withResolvers<void>();
    bus.register(defineHook({ name: "waits", on: { pre_llm_call: () => promise } }));
    const gone = bus.register(defineHook({ name: "gone", on: { pre_llm_call: call } }));
    const pending = bus.dispatch("pre_llm_call", MODEL_CALL, { turn: TURN });
    gone();
    bus.register(defineHook({ name: "new", on: { pre_llm_call: call } }));
    resolve();
    await clock.advance(0);
    const names = ({ invocations }: Awaited<typeof pending>) => invocations.map(({ hook }) => hook);
    expect(names(await pending)).toEqual(["waits", "gone"]);
    expect(names(await bus.dispatch("pre_llm_call", MODEL_CALL, { turn: TURN }))).toEqual(["waits", "new"]);
  });
});

test("list: each registration whole", () => {
  const { bus } = createTestBus({ timeoutMs: 1_000 });
  bus.register({ name: "a", points: ["pre_tool_call"], call, reinvoke: "if_modified", source: "plugin-1" });
  expect(bus.list()).toEqual([
    {
      point: "pre_tool_call",
      hook: "a",
      index: 0,
      kind: "directive",
      failurePolicy: "closed",
      timeoutMs: 1_000,
      reinvoke: "if_modified",
      source: "plugin-1",
      inFlight: 0,
      lateResults: 0,
      resultsIgnored: 0,
      deltasDropped: 0,
    },
  ]);
});

test("every error has a code, an explanation and the code in its message", () => {
  for (const code of Object.keys(HOOK_ERRORS) as HookErrorCode[]) {
    const error = new HookError(code, "what happened.", { cause: "why" });
    expect([error.code, error.name, error.message, error.cause]).toEqual([
      code,
      "HookError",
      `${code}: what happened.`,
      "why",
    ]);
    expect(HOOK_ERRORS[code]).toMatch(/\.$/);
  }
});

test("proceed() is nothing anybody could change", () => {
  expect(Object.isFrozen(proceed())).toBe(true);
});

test.for([
  ["returns nothing", undefined],
  ["is ignored", "not a result"],
] as const)("a hook that %s and moved up while it ran keeps its place in the record", async ([, answer]) => {
  const { bus } = createTestBus();
  const unregister = bus.register({ name: "first", points: ["pre_llm_call"], call: () => {} });
  bus.register({
    name: "second",
    points: ["pre_llm_call"],
    call() {
      unregister();
      return answer as undefined;
    },
  });
  const { invocations } = await bus.dispatch("pre_llm_call", MODEL_CALL, { turn: TURN });
  expect(invocations.map(({ hook, index }) => [hook, index])).toEqual([
    ["first", 0],
    ["second", 1],
  ]);
});
