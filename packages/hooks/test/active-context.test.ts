import { context, createContextKey, ROOT_CONTEXT, trace, type Context, type ContextManager } from "@opentelemetry/api";
import { defineHook, modify } from "@hookscope/hooks";
import { createTestTelemetry } from "@hookscope/testing";
import { afterEach, beforeEach, describe, expect, test } from "vitest";

import { createTestBus, hang, MODEL_CALL, TOOL_CALL, TURN } from "./support.ts";

/*
 * Where a hook has no span, the turn's context is the active one in it: the one given to dispatch, or the one that was
 * active. None of the turns here is recorded.
 */

const UNRECORDED = trace.wrapSpanContext({ traceId: "1".repeat(32), spanId: "2".repeat(16), traceFlags: 0 });
const NAME = createContextKey("the name of a context in a test");
const named = (name: string): Context => trace.setSpan(ROOT_CONTEXT.setValue(NAME, name), UNRECORDED);
const activeName = (): unknown => context.active().getValue(NAME);

/** What a browser's SDK has: the context holds while a function runs, and is gone after its first await. */
function createStackContextManager(): ContextManager {
  let current = ROOT_CONTEXT;
  const manager: ContextManager = {
    active: () => current,
    with(given, callback, thisArgument, ...args) {
      const before = current;
      current = given;
      try {
        return callback.call(thisArgument as ThisParameterType<typeof callback>, ...args);
      } finally {
        current = before;
      }
    },
    bind: (_, target) => target,
    enable: () => manager,
    disable: () => manager,
  };
  return manager;
}

const MANAGERS = [
  {
    kind: "that follows promises",
    start: () => {
      const telemetry = createTestTelemetry();
      return () => telemetry.dispose();
    },
  },
  {
    kind: "of synchronous code only, as a browser has it",
    start: () => {
      context.setGlobalContextManager(createStackContextManager());
      return () => context.disable();
    },
  },
] as const;

describe.for(MANAGERS)("with a context manager $kind", ({ start }) => {
  let stop: () => unknown;
  beforeEach(() => {
    stop = start();
  });
  afterEach(() => stop());

  function createNamingBus() {
    const made = createTestBus({ timeoutMs: 100 });
    const seen: unknown[] = [];
    const hook = (name: string, answer: () => unknown): void => {
      made.bus.register({
        name,
        points: ["pre_llm_call", "pre_tool_call"],
        reinvoke: "if_modified",
        call() {
          seen.push([name, activeName()]);
          return answer() as undefined;
        },
      });
    };
    return { ...made, seen, hook };
  }

  test("every hook sees the context that was given, also after a promise and after a limit", async () => {
    const { bus, clock, seen, hook } = createNamingBus();
    hook("at once", () => {});
    hook("later", async () => {});
    hook("after a promise", () => Promise.reject(new Error("broken")));
    hook("after a failure", hang);
    hook("after a limit", async () => {});
    hook("last", () => {});
    const pending = bus.dispatch("pre_llm_call", MODEL_CALL, { turn: TURN, parent: named("turn") });
    await clock.advance(200);
    await pending;
    expect(seen).toEqual([
      ["at once", "turn"],
      ["later", "turn"],
      ["after a promise", "turn"],
      ["after a failure", "turn"],
      ["after a limit", "turn"],
      ["last", "turn"],
    ]);
  });

  test("every hook sees the context that was active where none is given", async () => {
    const { bus, clock, seen, hook } = createNamingBus();
    hook("later", async () => {});
    hook("hangs", hang);
    hook("last", () => {});
    const pending = context.with(named("turn"), () => bus.dispatch("pre_llm_call", MODEL_CALL, { turn: TURN }));
    await context.with(named("another turn"), () => clock.advance(200));
    await pending;
    expect(seen).toEqual([
      ["later", "turn"],
      ["hangs", "turn"],
      ["last", "turn"],
    ]);
  });

  test("the caller's own context is untouched, at once and after the dispatch", async () => {
    const { bus, hook } = createNamingBus();
    hook("later", async () => {});
    const before = context.active();
    const pending = bus.dispatch("pre_llm_call", MODEL_CALL, { turn: TURN, parent: named("turn") });
    expect(context.active()).toBe(before);
    await pending;
    expect(context.active()).toBe(before);
  });

  test("the second pass sees it, too", async () => {
    const { bus, seen, hook } = createNamingBus();
    hook("policy", async () => {});
    bus.register(defineHook({ name: "jail", on: { pre_tool_call: () => modify({ args: { cwd: "/jail" } }) } }));
    await bus.dispatch("pre_tool_call", TOOL_CALL, { turn: TURN, parent: named("turn") });
    expect(seen).toEqual([
      ["policy", "turn"],
      ["policy", "turn"],
    ]);
  });
});
