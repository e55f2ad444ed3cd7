import { ROOT_CONTEXT, trace } from "@opentelemetry/api";
import { AlwaysOffSampler } from "@opentelemetry/sdk-trace";
import { createHookBus, defineHook, modify } from "@hookscope/hooks";
import { collectWarnings, createFakeClock, createTestTelemetry, type TestTelemetry } from "@hookscope/testing";
import { afterEach, beforeEach, expect, test } from "vitest";

import { createTestBus, MODEL_CALL, TURN } from "./support.ts";

let telemetry: TestTelemetry;
beforeEach(() => {
  telemetry = createTestTelemetry();
});
afterEach(() => telemetry.dispose());

test("no span is made under an unrecorded turn, its hooks' own spans neither", async () => {
  const { bus, records } = createTestBus();
  const spans: boolean[] = [];
  bus.register(
    defineHook({
      name: "a",
      on: {
        pre_llm_call(_, { span }) {
          spans.push(span.isRecording());
          telemetry.tracer.startSpan("own").end();
        },
      },
    }),
  );
  const unrecorded = trace.wrapSpanContext({ traceId: "1".repeat(32), spanId: "2".repeat(16), traceFlags: 0 });
  const parent = trace.setSpan(ROOT_CONTEXT, unrecorded);
  await bus.dispatch("pre_llm_call", MODEL_CALL, { turn: TURN, parent });
  expect(telemetry.tree()).toEqual([]);
  expect(spans).toEqual([false]);
  expect([records[0]?.traceId, records[0]?.spanId]).toEqual([undefined, undefined]);
});

test("no span is named where a sampler refused it", async () => {
  await telemetry.dispose();
  telemetry = createTestTelemetry({ sampler: new AlwaysOffSampler() });
  const { bus, records } = createTestBus();
  bus.register(defineHook({ name: "a", on: { pre_llm_call: () => {} } }));
  await bus.dispatch("pre_llm_call", MODEL_CALL, { turn: TURN });
  expect([telemetry.tree(), records[0]?.spanId]).toEqual([[], undefined]);
});

test("without an SDK hooks run all the same", async () => {
  await telemetry.dispose();
  const { bus, records } = createTestBus();
  bus.register(defineHook({ name: "a", on: { pre_llm_call: (_, { span }) => void span.setAttribute("own", 1) } }));
  await bus.dispatch("pre_llm_call", MODEL_CALL, { turn: TURN });
  expect([records[0]?.execution, records[0]?.spanId]).toEqual(["ok", undefined]);
  telemetry = createTestTelemetry();
});

test("a bus made before the SDK starts records once it has", async () => {
  await telemetry.dispose();
  const { bus } = createTestBus();
  bus.register(defineHook({ name: "a", on: { pre_llm_call: () => {} } }));
  await bus.dispatch("pre_llm_call", MODEL_CALL, { turn: TURN });
  telemetry = createTestTelemetry();
  await bus.dispatch("pre_llm_call", MODEL_CALL, { turn: TURN });
  expect(telemetry.tree()).toEqual(["pre_llm_call a"]);
});
test("a tracer that throws is logged once and felt by nobody", async () => {
  const log = collectWarnings();
  const fail = (): never => {
    throw new Error("no tracer");
  };
  const tracer = { startSpan: fail, startActiveSpan: fail };
  const bus = createHookBus({ tracer, logger: log, clock: createFakeClock() });
  bus.register(defineHook({ name: "a", on: { pre_llm_call: () => modify({ context: "more" }) } }));
  const verdicts = [
    await bus.dispatch("pre_llm_call", MODEL_CALL, { turn: TURN }),
    await bus.dispatch("pre_llm_call", MODEL_CALL, { turn: TURN }),
  ];
  expect(verdicts.map(({ decision }) => decision)).toEqual(["modify", "modify"]);
  expect(log.messages).toEqual([
    "the span of a hook invocation could not be made: Error: no tracer. Its record was still published.",
  ]);
});

test("a span that throws when it ends is logged once and felt by nobody", async () => {
  const log = collectWarnings();
  const broken = telemetry.tracer.startSpan("broken");
  Reflect.set(broken, "end", () => {
    throw new Error("no processor");
  });
  const tracer = { startSpan: () => broken, startActiveSpan: telemetry.tracer.startActiveSpan.bind(telemetry.tracer) };
  const bus = createHookBus({ tracer, logger: log, clock: createFakeClock() });
  bus.register(defineHook({ name: "a", on: { pre_llm_call: () => {} } }));
  const { decision } = await bus.dispatch("pre_llm_call", MODEL_CALL, { turn: TURN });
  expect(decision).toBe("continue");
  expect(log.messages).toEqual([
    "the span of a hook invocation could not be made: Error: no processor. Its record was still published.",
  ]);
});

test("a span is made under a parent that is sampled but no longer recording", async () => {
  const { bus } = createTestBus();
  bus.register(defineHook({ name: "a", on: { pre_llm_call: () => undefined } }));
  const ended = telemetry.tracer.startSpan("ended");
  ended.end();
  const parent = trace.setSpan(ROOT_CONTEXT, ended);
  await bus.dispatch("pre_llm_call", MODEL_CALL, { turn: TURN, parent });
  expect(telemetry.tree()).toEqual(["ended", "  pre_llm_call a"]);
});
