import { strict as assert } from "node:assert";

import type { Hook, HookInvocation, HookPoint } from "@hookscope/hooks";

import { dispatch, hook, line, setUp, type ConformanceCase } from "./kit.ts";

/** What registering refuses, each with its code and what the message must say. */
const REFUSED: readonly (readonly [what: string, hook: unknown, code: string, says: RegExp])[] = [
  ["no hook at all", undefined, "HOOK_NAME_MISSING", /name/],
  ["a hook without a name", { points: ["pre_tool_call"], call() {} }, "HOOK_NAME_MISSING", /name/],
  ["a blank name", hook(" ", "pre_tool_call", undefined), "HOOK_NAME_MISSING", /name/],
  ["a hook without a function", { name: "a", points: ["pre_tool_call"] }, "HOOK_NOT_CALLABLE", /"a"/],
  ["a hook without points", { name: "a", points: [], call() {} }, "HOOK_POINTS_EMPTY", /"a"/],
  [
    "an unknown point, with what was meant",
    { name: "a", points: ["preToolCall"], call() {} },
    "HOOK_POINT_UNKNOWN",
    /"preToolCall".*did you mean "pre_tool_call"\?/,
  ],
  ["a limit of 0", hook("a", "pre_tool_call", undefined, { timeoutMs: 0 }), "HOOK_TIMEOUT_INVALID", /timeoutMs is 0/],
  ["a limit below 0", hook("a", "pre_tool_call", undefined, { timeoutMs: -1 }), "HOOK_TIMEOUT_INVALID", /-1/],
  ["an endless limit", hook("a", "pre_tool_call", undefined, { timeoutMs: Infinity }), "HOOK_TIMEOUT_INVALID", /Inf/],
];

export const REGISTRATION_RULES: readonly ConformanceCase[] = [
  ...REFUSED.map(([what, given, code, says]) => refuses(what, given, code, says)),
  {
    rule: "register: a second hook of a name is refused with HOOK_NAME_DUPLICATE, and the first stays",
    async run(createBus) {
      const { bus } = setUp(createBus, [hook("a", "pre_tool_call", undefined)]);
      assert.throws(() => bus.register(hook("a", "post_tool_call", undefined)), {
        code: "HOOK_NAME_DUPLICATE",
        message: /"a"/,
      });
      assert.deepEqual(listed(bus.list()), ["pre_tool_call 0 a"]);
    },
  },
  {
    rule: "register: gives back its own unregister, which works once",
    async run(createBus) {
      const { bus } = setUp(createBus, [hook("z", "pre_tool_call", undefined)]);
      const again = hook("a", "pre_tool_call", undefined);
      const unregister = bus.register(again);
      unregister();
      bus.register(again);
      unregister();
      assert.deepEqual(listed(bus.list()), ["pre_tool_call 0 z", "pre_tool_call 1 a"]);
      assert.throws(() => bus.register(again), { code: "HOOK_NAME_DUPLICATE" });
    },
  },
  {
    rule: "register: a hook registered during a dispatch runs from the next one on; an unregistered one runs to its end",
    async run(createBus) {
      const { bus } = setUp(createBus, []);
      const removals: (() => void)[] = [];
      const first = hook("first", "pre_tool_call", () => {
        for (const remove of removals.splice(0)) remove();
        if (bus.list().length === 1) bus.register(hook("late", "pre_tool_call", undefined));
      });
      bus.register(first);
      removals.push(bus.register(hook("second", "pre_tool_call", undefined)));
      const names = async (): Promise<readonly string[]> =>
        (await dispatch(bus, "pre_tool_call")).invocations.map((invocation) => invocation.hook);
      assert.deepEqual(await names(), ["first", "second"]);
      assert.deepEqual(await names(), ["first", "late"]);
    },
  },
  {
    rule: "list: says what is registered, by point, in order, with its limits",
    async run(createBus) {
      const both: Hook = { name: "both", points: ["post_tool_call", "pre_tool_call"], call() {}, timeoutMs: 5 };
      const { bus } = setUp(createBus, [hook("a", "pre_tool_call", undefined), both], { timeoutMs: 1_000 });
      assert.deepEqual(listed(bus.list()), ["pre_tool_call 0 a", "pre_tool_call 1 both", "post_tool_call 0 both"]);
      assert.deepEqual(
        bus.list().map(({ timeoutMs, kind, failurePolicy, reinvoke }) => [timeoutMs, kind, failurePolicy, reinvoke]),
        [
          [1_000, "directive", "closed", "never"],
          [5, "directive", "closed", "never"],
          [5, "observer", "open", "never"],
        ],
      );
    },
  },
  {
    rule: "dispatch and has: an unknown point is refused with HOOK_POINT_UNKNOWN",
    async run(createBus) {
      const { bus } = setUp(createBus, []);
      for (const name of ["pre_tool_cal", "constructor", "__proto__"]) {
        const point = name as HookPoint;
        await assert.rejects(bus.dispatch(point, {} as never, {} as never), { code: "HOOK_POINT_UNKNOWN" });
        assert.throws(() => bus.has(point), { code: "HOOK_POINT_UNKNOWN" });
      }
    },
  },
  {
    rule: "subscribe: a listener that throws is counted, never felt; the others are told",
    async run(createBus) {
      const { bus, clock, log } = setUp(createBus, [hook("a", "pre_tool_call", undefined)]);
      const told: HookInvocation[] = [];
      bus.subscribe(() => {
        throw new Error("broke");
      });
      bus.subscribe(async () => Promise.reject(new Error("broke")));
      const unsubscribe = bus.subscribe((invocation) => void told.push(invocation));
      await dispatch(bus, "pre_tool_call");
      unsubscribe();
      await dispatch(bus, "pre_tool_call");
      await clock.advance(0);
      assert.deepEqual(told.map(line), ["a ok continue -"]);
      assert.equal(bus.listenerFailures, 4);
      assert.equal(log.messages.length, 1);
    },
  },
];

function refuses(what: string, given: unknown, code: string, says: RegExp): ConformanceCase {
  return {
    rule: `register: ${what} is refused with ${code}, and nothing is registered`,
    async run(createBus) {
      const { bus } = setUp(createBus, []);
      assert.throws(() => bus.register(given as Hook), { code, message: says });
      assert.deepEqual(bus.list(), []);
    },
  };
}

function listed(list: readonly { readonly point: string; readonly index: number; readonly hook: string }[]): string[] {
  return list.map(({ point, index, hook: name }) => `${point} ${index} ${name}`);
}
