import { strict as assert } from "node:assert";

import { HOOK_POINT_NAMES, type HookPoint } from "@hookscope/hooks";

import {
  ABORTED,
  assertVerdict,
  CONTINUE,
  dispatch,
  hang,
  hook,
  setUp,
  thenable,
  type ConformanceCase,
} from "./kit.ts";

export const CONCURRENCY_RULES: readonly ConformanceCase[] = [
  ...HOOK_POINT_NAMES.map(parallelCalls),
  {
    rule: "an interrupt that comes while a later hook is pending takes back an earlier block: the verdict is aborted",
    async run(createBus) {
      const controller = new AbortController();
      const { bus } = setUp(createBus, [
        hook("a", "pre_tool_call", { decision: "block", reason: "no" }),
        hook("b", "pre_tool_call", hang),
      ]);
      const pending = dispatch(bus, "pre_tool_call", { signal: controller.signal });
      controller.abort();
      assertVerdict(await pending, ABORTED, ["a ok block superseded", "b aborted none -"]);
    },
  },
  {
    rule: "a hook that interrupts its own turn and then hangs does not hold it",
    async run(createBus) {
      const controller = new AbortController();
      const selfish = hook("a", "pre_tool_call", () => (controller.abort(), hang()));
      const { bus } = setUp(createBus, [selfish]);
      const verdict = await dispatch(bus, "pre_tool_call", { signal: controller.signal });
      assertVerdict(verdict, ABORTED, ["a aborted none -"]);
    },
  },
  {
    rule: "a thenable that calls back at once, twice, never or by throwing counts as one answer",
    async run(createBus) {
      const twice = thenable((resolve) => {
        resolve(undefined);
        resolve({ decision: "block", reason: "twice" });
      });
      const throwing = thenable(() => {
        throw new RangeError("broke");
      });
      const never = thenable(() => {});
      const point = "pre_llm_call";
      const hooks = [hook("a", point, twice), hook("b", point, throwing), hook("c", point, never)];
      const { bus, clock } = setUp(createBus, hooks);
      const pending = dispatch(bus, point);
      await clock.advance(60_000);
      assertVerdict(await pending, CONTINUE, [
        "a ok continue -",
        "b error none failed_open",
        "c timeout none failed_open",
      ]);
    },
  },
];

function parallelCalls(point: HookPoint): ConformanceCase {
  return {
    rule: `${point}: parallel calls through one slow but healthy hook both run`,
    async run(createBus) {
      const waiting: (() => void)[] = [];
      const slow = hook("a", point, () => new Promise<void>((resolve) => waiting.push(resolve)));
      const { bus, clock } = setUp(createBus, [slow]);
      const both = [dispatch(bus, point), dispatch(bus, point)];
      await clock.advance(59_999);
      assert.equal(bus.list()[0]?.inFlight, 2);
      for (const goOn of waiting) goOn();
      for (const verdict of await Promise.all(both)) assertVerdict(verdict, CONTINUE, ["a ok continue -"]);
      assert.equal(bus.list()[0]?.inFlight, 0);
    },
  };
}
