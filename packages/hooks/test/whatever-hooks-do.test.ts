import {
  askUser,
  block,
  HOOK_POINT_NAMES,
  HOOK_POINTS,
  modify,
  type Hook,
  type HookContext,
  type HookEvent,
} from "@hookscope/hooks";
import { createTestTelemetry } from "@hookscope/testing";
import fc from "fast-check";
import { expect, test } from "vitest";

import { createTestBus, hang, TURN, type TestBus } from "./support.ts";

/** What a hook may get at while it runs. */
interface Scene extends TestBus {
  readonly controller: AbortController;
  readonly removals: (() => void)[];
}

type Behaviour = (scene: Scene, ms: number, event: HookEvent, context: HookContext) => unknown;

const wait = ({ clock }: Scene, ms: number, value?: unknown): Promise<unknown> =>
  new Promise((resolve) => clock.setTimer(() => resolve(value), ms));
const fail = (): never => {
  throw new Error("broke");
};

const BEHAVIOURS: { readonly [name: string]: Behaviour } = {
  "says nothing": () => undefined,
  blocks: () => block("no"),
  asks: () => askUser("really?"),
  "changes arguments": (_, ms) => modify({ args: { ms } }),
  "adds context later": (scene, ms) => wait(scene, ms, modify({ context: "more" })),
  "replaces a text": () => modify("text"),
  "returns garbage": () => ({ decision: "deny" }),
  "returns what cannot be read": () => new Proxy({}, { get: fail }),
  throws: fail,
  rejects: () => Promise.reject(new Error("broke")),
  "answers later": (scene, ms) => wait(scene, ms),
  "answers too late": (scene) => wait(scene, 300, block("late")),
  hangs: hang,
  "takes its time at once": ({ clock }, ms) => clock.block(ms),
  "interrupts its turn": ({ controller }) => controller.abort(),
  "interrupts its turn and hangs": ({ controller }) => (controller.abort(), hang()),
  "unregisters all": ({ removals }) => removals.forEach((remove) => remove()),
  "registers another": ({ bus, removals }, _, { point }) => {
    const name = `hook ${bus.list().length + 100}`;
    if (!bus.list().some(({ hook }) => hook === name))
      removals.push(bus.register({ name, points: [point], call: () => {} }));
  },
};

const scenario = fc.record({
  point: fc.constantFrom(...HOOK_POINT_NAMES),
  hooks: fc.array(
    fc.record({
      does: fc.constantFrom(...Object.keys(BEHAVIOURS)),
      again: fc.boolean(),
      ms: fc.integer({ min: 1, max: 200 }),
    }),
    { maxLength: 8 },
  ),
  isTraced: fc.boolean(),
  interruptedAt: fc.option(fc.nat(400)),
});

test("whatever hooks do, a dispatch settles with a decision its point takes, each call has its record, and nothing stays open", async () => {
  await fc.assert(
    fc.asyncProperty(scenario, async ({ point, hooks, isTraced, interruptedAt }) => {
      const telemetry = isTraced ? createTestTelemetry() : undefined;
      try {
        const parts = createTestBus({ timeoutMs: 100 });
        const { bus, clock, records } = parts;
        const scene: Scene = { ...parts, controller: new AbortController(), removals: [] };
        for (const [index, { does, again, ms }] of hooks.entries()) {
          const call = (event: HookEvent, context: HookContext): unknown =>
            BEHAVIOURS[does]?.(scene, ms, event, context);
          const reinvoke = again ? "if_modified" : "never";
          scene.removals.push(
            bus.register({ name: `hook ${index}`, points: [point], reinvoke, call: call as Hook["call"] }),
          );
        }
        if (interruptedAt !== null) clock.setTimer(() => scene.controller.abort(), interruptedAt);
        const pending = bus.dispatch(
          point,
          { args: {} } as never,
          { turn: TURN, signal: scene.controller.signal } as never,
        );
        await clock.advance(5_000);
        const { decision, invocations } = await pending;

        const accepted: readonly string[] = HOOK_POINTS[point].accepts;
        expect(["continue", "aborted", ...accepted]).toContain(decision);
        const first = invocations.filter(({ pass }) => pass === 1).map(({ hook }) => hook);
        const all = hooks.map((_, index) => `hook ${index}`);
        expect(first).toEqual(decision === "aborted" ? all.slice(0, first.length) : all);
        expect(records).toEqual(invocations);
        expect(bus.list().filter(({ inFlight }) => inFlight !== 0)).toEqual([]);
        expect([clock.pendingTimers, telemetry?.unended() ?? []]).toEqual([0, []]);
        expect(telemetry?.spans().length ?? invocations.length).toBe(invocations.length);
      } finally {
        await telemetry?.dispose();
      }
    }),
    { numRuns: 200 },
  );
});
