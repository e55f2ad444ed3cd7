import { createHookBus, createRedactor, defineHook, type HookInvocation } from "@hookscope/hooks";
import { collectWarnings } from "@hookscope/testing";
import { expect, test } from "vitest";

import { createTestBus, line, MODEL_CALL, TURN } from "./support.ts";

const quiet = defineHook({ name: "a", on: { pre_llm_call: () => {} } });

test("the record of a call that changed nothing, whole", async () => {
  const { bus, clock, records } = createTestBus();
  bus.register(defineHook({ name: "a", source: "plugin-1", on: { pre_llm_call: () => {} } }));
  const verdict = await bus.dispatch("pre_llm_call", MODEL_CALL, { turn: TURN });
  expect(records).toEqual([
    {
      point: "pre_llm_call",
      hook: "a",
      kind: "directive",
      index: 0,
      pass: 1,
      execution: "ok",
      decision: "continue",
      applied: false,
      failurePolicy: "open",
      startTime: clock.now(),
      durationMs: 0,
      source: "plugin-1",
      turn: TURN,
    },
  ]);
  expect(verdict.invocations[0]).toBe(records[0]);
});

test("a listener that throws is counted each time, logged once, and costs nobody their record", async () => {
  const { bus, log } = createTestBus({ hooks: [quiet] });
  const told: HookInvocation[] = [];
  bus.subscribe(() => {
    throw new TypeError("broke with password=hunter2-hunter2");
  });
  bus.subscribe((invocation) => void told.push(invocation));
  for (let time = 0; time < 3; time += 1) await bus.dispatch("pre_llm_call", MODEL_CALL, { turn: TURN });
  expect(told.map(line)).toEqual(["a ok continue -", "a ok continue -", "a ok continue -"]);
  expect(bus.listenerFailures).toBe(3);
  expect(log.messages).toEqual([
    "a listener of hook invocations failed: TypeError: broke with password=[redacted]. Further failures are only counted.",
  ]);
});

test("a listener whose promise rejects is counted, and the process does not hear of it", async () => {
  const unhandled: unknown[] = [];
  const listener = (error: unknown): void => void unhandled.push(error);
  process.on("unhandledRejection", listener);
  const { bus, clock } = createTestBus({ hooks: [quiet] });
  bus.subscribe(async () => Promise.reject(new Error("broke")));
  await bus.dispatch("pre_llm_call", MODEL_CALL, { turn: TURN });
  await clock.advance(0);
  process.off("unhandledRejection", listener);
  expect([unhandled, bus.listenerFailures]).toEqual([[], 1]);
});

test("what a listener throws may be anything, and the redactor may throw too", async () => {
  const log = collectWarnings();
  const redact = {
    ...createRedactor(),
    value(): never {
      throw new Error("no redactor");
    },
  };
  const bus = createHookBus({ hooks: [quiet], logger: log, redact });
  bus.subscribe(() => {
    throw Object.create(null);
  });
  const { decision } = await bus.dispatch("pre_llm_call", MODEL_CALL, { turn: TURN });
  expect([decision, bus.listenerFailures]).toEqual(["continue", 1]);
  expect(log.messages).toEqual([
    "a listener of hook invocations failed: [redaction failed]. Further failures are only counted.",
  ]);
});

test("a listener may be subscribed twice; each unsubscribe ends one, and only once", async () => {
  const { bus } = createTestBus({ hooks: [quiet] });
  let told = 0;
  const count = (): void => void (told += 1);
  const unsubscribe = bus.subscribe(count);
  bus.subscribe(count);
  await bus.dispatch("pre_llm_call", MODEL_CALL, { turn: TURN });
  unsubscribe();
  unsubscribe();
  await bus.dispatch("pre_llm_call", MODEL_CALL, { turn: TURN });
  expect(told).toBe(3);
});

test("a listener that unsubscribes another while being told does not take its record away", async () => {
  const { bus } = createTestBus({ hooks: [quiet] });
  const told: string[] = [];
  const ends: (() => void)[] = [];
  bus.subscribe(() => {
    told.push("first");
    for (const end of ends) end();
  });
  ends.push(bus.subscribe(() => void told.push("second")));
  await bus.dispatch("pre_llm_call", MODEL_CALL, { turn: TURN });
  await bus.dispatch("pre_llm_call", MODEL_CALL, { turn: TURN });
  expect(told).toEqual(["first", "second", "first"]);
});
