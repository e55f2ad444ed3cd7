import { strict as assert } from "node:assert";

import { HOOK_POINT_NAMES, HOOK_POINTS, type HookEvent, type HookPoint } from "@hookscope/hooks";

import { assertVerdict, CONTINUE, dispatch, hook, setUp, type ConformanceCase } from "./kit.ts";
import { SAMPLE_PAYLOADS, SAMPLE_TURN } from "./samples.ts";

/** What every point does with its event, whatever its kind. */
export const EVENT_RULES: readonly ConformanceCase[] = HOOK_POINT_NAMES.flatMap((point) => [
  withoutHooks(point),
  inOrder(point),
  oneFrozenEvent(point),
  garbagePayload(point),
  turnMissing(point),
]);

function withoutHooks(point: HookPoint): ConformanceCase {
  return {
    rule: `${point}: without a hook the payload is not made`,
    async run(createBus) {
      const { bus, records } = setUp(createBus, []);
      let made = 0;
      const verdict = await dispatch(bus, point, {}, () => (made += 1));
      assertVerdict(verdict, CONTINUE, []);
      assert.equal(made, 0);
      assert.equal(bus.has(point), false);
      assert.deepEqual(records, []);
    },
  };
}

function inOrder(point: HookPoint): ConformanceCase {
  return {
    rule: `${point}: hooks run in registration order, one after another`,
    async run(createBus) {
      const steps: string[] = [];
      const step = (name: string) =>
        hook(name, point, async () => {
          steps.push(`${name} starts`);
          await Promise.resolve();
          steps.push(`${name} ends`);
        });
      const { bus, records } = setUp(createBus, [step("b"), step("a"), step("c")]);
      const verdict = await dispatch(bus, point);
      assertVerdict(verdict, CONTINUE, ["b ok continue -", "a ok continue -", "c ok continue -"]);
      assert.deepEqual(steps, ["b starts", "b ends", "a starts", "a ends", "c starts", "c ends"]);
      assert.deepEqual(records, verdict.invocations);
      const { kind, failurePolicy } = HOOK_POINTS[point];
      assert.deepEqual(
        records.map((record) => [record.point, record.kind, record.failurePolicy, record.index]),
        [0, 1, 2].map((index) => [point, kind, failurePolicy, index]),
      );
    },
  };
}

function oneFrozenEvent(point: HookPoint): ConformanceCase {
  return {
    rule: `${point}: every hook is given the same event, which none can change`,
    async run(createBus) {
      const seen: HookEvent[] = [];
      const original = structuredClone(SAMPLE_PAYLOADS[point]);
      const vandal = (event: HookEvent): void => {
        seen.push(event);
        for (const target of objectsIn(event)) Reflect.set(target, "vandal", true);
        Reflect.set(event, "payload", {});
      };
      const { bus } = setUp(createBus, [hook("vandal", point, vandal), hook("witness", point, vandal)]);
      await dispatch(bus, point);
      const turn = HOOK_POINTS[point].hasTurn ? SAMPLE_TURN : undefined;
      assert.deepEqual(seen, [
        { point, payload: original, turn },
        { point, payload: original, turn },
      ]);
      assert.equal(seen[0]?.payload, seen[1]?.payload);
      assert.deepEqual(SAMPLE_PAYLOADS[point], original);
    },
  };
}

function garbagePayload(point: HookPoint): ConformanceCase {
  return {
    rule: `${point}: a payload that is no JSON value becomes one; what JSON cannot say is marked`,
    async run(createBus) {
      const circle: Record<string, unknown> = { big: 12n, bytes: new Uint8Array(3), gone: undefined };
      circle["self"] = circle;
      const seen: unknown[] = [];
      const { bus } = setUp(createBus, [hook("a", point, (event: HookEvent) => void seen.push(event.payload))]);
      assertVerdict(await dispatch(bus, point, {}, circle), CONTINUE, ["a ok continue -"]);
      assert.deepEqual(seen, [{ big: "[bigint 12]", bytes: "[bytes 3]", self: "[circular]" }]);
    },
  };
}

function turnMissing(point: HookPoint): ConformanceCase {
  const { hasTurn } = HOOK_POINTS[point];
  return {
    rule: hasTurn
      ? `${point}: a dispatch without a turn is refused with HOOK_TURN_MISSING`
      : `${point}: fires before a turn exists`,
    async run(createBus) {
      const { bus } = setUp(createBus, [hook("a", point, undefined)]);
      const send = bus.dispatch.bind(bus) as unknown as (point: HookPoint, payload: unknown) => Promise<unknown>;
      const sent = send(point, SAMPLE_PAYLOADS[point]);
      if (hasTurn) await assert.rejects(sent, { code: "HOOK_TURN_MISSING" });
      else await sent;
    },
  };
}

function objectsIn(value: unknown): object[] {
  if (typeof value !== "object" || value === null) return [];
  return [value, ...Object.values(value).flatMap(objectsIn)];
}
