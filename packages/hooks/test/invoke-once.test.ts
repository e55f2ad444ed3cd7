import { ROOT_CONTEXT } from "@opentelemetry/api";
import { createHookBus, TurnTotals, withTurnTotals, type HookContext, type HookInvocation } from "@hookscope/hooks";
import { coreOf, HookSite, invokeOnce } from "@hookscope/hooks/internal";
import { collectWarnings, createFakeClock, createTestTelemetry } from "@hookscope/testing";
import { expect, test } from "vitest";

import { hang, line, TURN } from "./support.ts";

/** One invocation of a mod's hook: the same guard, span and record as a bus hook's. */
function setUp(call: (event: unknown, context: HookContext) => unknown) {
  const clock = createFakeClock();
  const log = collectWarnings();
  const bus = createHookBus({ clock, logger: log });
  const records: HookInvocation[] = [];
  bus.subscribe((invocation) => void records.push(invocation));
  const core = coreOf(bus);
  const site = new HookSite(
    {
      point: "onTurnStart",
      hook: "counter",
      kind: "mod",
      failurePolicy: "open",
      timeoutMs: 60_000,
      source: "counter",
    },
    { call },
    core.deadlines.for(60_000),
  );
  const totals = new TurnTotals();
  const invoke = (signal?: AbortSignal) =>
    invokeOnce(
      {
        core,
        site,
        turn: TURN,
        parent: withTurnTotals(ROOT_CONTEXT, totals),
        signal,
        conclude: (value) => ({ execution: "ok", decision: "modify", applied: String(value) !== "" }),
      },
      "the event",
    );
  return { clock, log, records, site, totals, invoke };
}

test("a mod's hook gets its event, its result comes back, and its span looks like a bus hook's", async () => {
  const telemetry = createTestTelemetry();
  const { invoke, records, totals } = setUp((event) => `saw ${String(event)}`);
  const { value, invocation } = await invoke();
  expect(value).toBe("saw the event");
  expect(records).toEqual([invocation]);
  expect([line(invocation), invocation.kind, invocation.source]).toEqual([
    "counter ok modify applied",
    "mod",
    "counter",
  ]);
  expect(telemetry.spans().map(({ name, attributes }) => [name, attributes["agent_hook.kind"]])).toEqual([
    ["onTurnStart counter", "mod"],
  ]);
  expect(totals.attributes()["agent_turn.hook_invocations"]).toBe(1);
  await telemetry.dispose();
});

test("what it throws comes back as a value, recorded and logged, and never rejects", async () => {
  const { invoke, log } = setUp(() => Promise.reject(new RangeError("broke")));
  const { value, invocation } = await invoke();
  expect([line(invocation), value]).toEqual(["counter error none failed_open", new RangeError("broke")]);
  expect(log.messages).toEqual([
    'hook "counter" failed at onTurnStart: RangeError: broke. The point fails open. Further failures are only counted.',
  ]);
});

test("a result that cannot be read is invalid", async () => {
  const { value, invocation } = await setUp(() => Object.create(null)).invoke();
  expect([line(invocation), value]).toEqual(["counter invalid_result none not_accepted", Object.create(null)]);
});

test("one that hangs is left at its limit", async () => {
  const { invoke, clock } = setUp(hang);
  const pending = invoke();
  await clock.advance(60_000);
  expect(line((await pending).invocation)).toBe("counter timeout none failed_open");
});

test("an interrupt ends it: before, during, and where it interrupts itself", async () => {
  const before = await setUp(hang).invoke(AbortSignal.abort());
  const during = new AbortController();
  const pending = setUp(hang).invoke(during.signal);
  during.abort();
  const itself = new AbortController();
  const selfish = await setUp(() => (itself.abort(), hang())).invoke(itself.signal);
  expect([before, await pending, selfish].map(({ invocation }) => line(invocation))).toEqual(
    Array(3).fill("counter aborted none -"),
  );
});

test("a bus that is none of this package's has no core to lend", () => {
  expect(() => coreOf({} as never)).toThrow(
    "HOOK_BUS_FOREIGN: the loop runs mods through the bus's own invocation, and this bus was not made by createHookBus of this copy of @hookscope/hooks; make it there, and install the package once.",
  );
});
