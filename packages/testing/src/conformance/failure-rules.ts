import { strict as assert } from "node:assert";

import { HOOK_POINT_NAMES, HOOK_POINTS, type HookContext, type HookEvent, type HookPoint } from "@hookscope/hooks";

import { ABORTED, assertVerdict, CONTINUE, dispatch, hang, hook, setUp, type ConformanceCase } from "./kit.ts";

/** A hook that fails: it blocks where the point fails closed, and is skipped everywhere else. */
export const FAILURE_RULES: readonly ConformanceCase[] = HOOK_POINT_NAMES.flatMap((point) => [
  throws(point, "throws", () => {
    throw new RangeError("broke");
  }),
  throws(point, "rejects", () => Promise.reject(new RangeError("broke"))),
  hangs(point),
  ownLimit(point),
  suspended(point),
  interrupted(point),
  interruptedBefore(point),
]);

function throws(point: HookPoint, how: string, answer: () => unknown): ConformanceCase {
  return {
    rule: `${point}: a hook that ${how} ${consequence(point)}; the others run`,
    async run(createBus) {
      const { bus, records } = setUp(createBus, [hook("a", point, answer), hook("b", point, undefined)]);
      const verdict = await dispatch(bus, point);
      assertVerdict(verdict, failed(point, 'hook "a" failed: RangeError: broke'), [
        `a error none ${effect(point)}`,
        "b ok continue -",
      ]);
      assert.deepEqual(records[0]?.error, { type: "RangeError", message: "broke" });
    },
  };
}

function hangs(point: HookPoint): ConformanceCase {
  return {
    rule: `${point}: a hook that never answers ${consequence(point)} after 60 s, its signal aborted, its late answer dropped and counted`,
    async run(createBus) {
      let answer: ((value: unknown) => void) | undefined;
      let signal: AbortSignal | undefined;
      const slow = hook("a", point, (_: HookEvent, context: HookContext) => {
        ({ signal } = context);
        return new Promise((resolve) => (answer = resolve));
      });
      const { bus, clock } = setUp(createBus, [slow, hook("b", point, undefined)]);
      let settled = false;
      const pending = dispatch(bus, point).finally(() => (settled = true));
      await clock.advance(59_999);
      assert.deepEqual([settled, signal?.aborted], [false, false]);
      await clock.advance(1);
      assert.deepEqual([settled, signal?.aborted], [true, true]);
      const verdict = await pending;
      assertVerdict(verdict, failed(point, 'hook "a" took longer than 60000 ms'), [
        `a timeout none ${effect(point)}`,
        "b ok continue -",
      ]);
      assert.equal(verdict.invocations[0]?.durationMs, 60_000);
      answer?.({ decision: "block", reason: "too late" });
      await clock.advance(0);
      assert.deepEqual(
        bus.list().map(({ lateResults, inFlight }) => [lateResults, inFlight]),
        [
          [1, 0],
          [0, 0],
        ],
      );
    },
  };
}

function ownLimit(point: HookPoint): ConformanceCase {
  return {
    rule: `${point}: a hook's own limit holds, not the bus's`,
    async run(createBus) {
      const { bus, clock } = setUp(createBus, [hook("a", point, hang, { timeoutMs: 250 })], { timeoutMs: 1_000 });
      const pending = dispatch(bus, point);
      await clock.advance(250);
      assertVerdict(await pending, failed(point, 'hook "a" took longer than 250 ms'), [
        `a timeout none ${effect(point)}`,
      ]);
    },
  };
}

function suspended(point: HookPoint): ConformanceCase {
  return {
    rule: `${point}: a hook that timed out is not run again for 60 s; meanwhile it ${consequence(point)}`,
    async run(createBus) {
      let calls = 0;
      const hanging = hook("a", point, () => ((calls += 1), hang()));
      const { bus, clock } = setUp(createBus, [hanging, hook("b", point, undefined)]);
      const first = dispatch(bus, point);
      await clock.advance(60_000);
      await first;
      await clock.advance(59_999);
      const reason = 'hook "a" is suspended after it took longer than 60000 ms';
      assertVerdict(await dispatch(bus, point), failed(point, reason), [
        `a suspended none ${effect(point)}`,
        "b ok continue -",
      ]);
      assert.equal(calls, 1);
      assert.deepEqual(
        bus.list().map(({ suspendedUntil }) => suspendedUntil),
        [clock.now() + 1, undefined],
      );
      await clock.advance(1);
      const last = dispatch(bus, point);
      assert.equal(calls, 2);
      await clock.advance(60_000);
      await last;
    },
  };
}

function interrupted(point: HookPoint): ConformanceCase {
  const { closes } = HOOK_POINTS[point];
  return {
    rule: closes
      ? `${point}: an interrupt does not reach its hooks`
      : `${point}: an interrupt ends the pending hook, and the verdict is aborted`,
    async run(createBus) {
      const controller = new AbortController();
      let signal: AbortSignal | undefined;
      const calls: string[] = [];
      const waits = hook("a", point, (_: HookEvent, context: HookContext) => {
        ({ signal } = context);
        return closes ? undefined : hang();
      });
      const { bus } = setUp(createBus, [waits, hook("b", point, () => void calls.push("b"))]);
      if (closes) controller.abort();
      const pending = dispatch(bus, point, { signal: controller.signal });
      controller.abort();
      if (closes) {
        assertVerdict(await pending, CONTINUE, ["a ok continue -", "b ok continue -"]);
        assert.deepEqual([signal?.aborted, calls], [false, ["b"]]);
      } else {
        assertVerdict(await pending, ABORTED, ["a aborted none -"]);
        assert.deepEqual([signal?.aborted, calls], [true, []]);
      }
    },
  };
}

function interruptedBefore(point: HookPoint): ConformanceCase {
  const { closes } = HOOK_POINTS[point];
  return {
    rule: closes
      ? `${point}: an interrupt before it changes nothing`
      : `${point}: after an interrupt no hook is called, and the verdict is aborted`,
    async run(createBus) {
      const { bus } = setUp(createBus, [hook("a", point, undefined)]);
      const verdict = await dispatch(bus, point, { signal: AbortSignal.abort() });
      if (closes) assertVerdict(verdict, CONTINUE, ["a ok continue -"]);
      else assertVerdict(verdict, ABORTED, []);
    },
  };
}

function failsClosed(point: HookPoint): boolean {
  return HOOK_POINTS[point].failurePolicy === "closed";
}

function consequence(point: HookPoint): string {
  return failsClosed(point) ? "blocks" : "is skipped";
}

function effect(point: HookPoint): string {
  return failsClosed(point) ? "applied" : "failed_open";
}

function failed(point: HookPoint, reason: string): object {
  return failsClosed(point) ? { decision: "block", reason, hook: "a", cause: "failure" } : CONTINUE;
}
