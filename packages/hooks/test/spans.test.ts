import { context, ROOT_CONTEXT, trace, TraceFlags } from "@opentelemetry/api";
import { createHookBus, defineHook, type Hook } from "@hookscope/hooks";
import { createTestTelemetry, type TestTelemetry } from "@hookscope/testing";
import { afterEach, beforeEach, describe, expect, test } from "vitest";

import { createTestBus, hang, MODEL_CALL, TURN } from "./support.ts";

let telemetry: TestTelemetry;
beforeEach(() => {
  telemetry = createTestTelemetry();
});
afterEach(() => telemetry.dispose());

describe("time", () => {
  test("a span starts and ends with the hook, on the bus's clock, and the next begins where it ended", async () => {
    const { bus, clock } = createTestBus();
    const begin = clock.now();
    const wait = (ms: number) => () => new Promise<void>((resolve) => clock.setTimer(resolve, ms));
    bus.register(defineHook({ name: "a", on: { pre_llm_call: wait(250) } }));
    bus.register(defineHook({ name: "b", on: { pre_llm_call: () => clock.block(5) } }));
    bus.register(defineHook({ name: "c", on: { pre_llm_call: wait(100) } }));
    const pending = bus.dispatch("pre_llm_call", MODEL_CALL, { turn: TURN });
    await clock.advance(1_000);
    const { invocations } = await pending;
    const times = telemetry.spans().map((span) => [span.name, span.startTime - begin, span.endTime - begin]);
    expect(times).toEqual([
      ["pre_llm_call a", 0, 250],
      ["pre_llm_call b", 250, 255],
      ["pre_llm_call c", 255, 355],
    ]);
    expect(invocations.map(({ durationMs }) => durationMs)).toEqual([250, 5, 100]);
  });

  test("the span of a hook that said nothing ends when it returns, whatever the next one still does", async () => {
    const { bus, clock } = createTestBus();
    bus.register(defineHook({ name: "a", on: { pre_llm_call: () => {} } }));
    bus.register(defineHook({ name: "b", timeoutMs: 10, on: { pre_llm_call: hang } }));
    const pending = bus.dispatch("pre_llm_call", MODEL_CALL, { turn: TURN });
    expect([telemetry.spans().map(({ name }) => name), telemetry.unended()]).toEqual([
      ["pre_llm_call a"],
      ["pre_llm_call b"],
    ]);
    await clock.advance(10);
    await pending;
    expect(telemetry.unended()).toEqual([]);
  });

  test("a clock that goes back makes no negative time", async () => {
    let now = 4_102_444_800_000;
    const clock = { now: () => (now -= 10), setTimer: () => ({ cancel() {} }) };
    const bus = createHookBus({ clock });
    bus.register(defineHook({ name: "a", on: { pre_llm_call: () => {} } }));
    const { invocations } = await bus.dispatch("pre_llm_call", MODEL_CALL, { turn: TURN });
    const [span] = telemetry.spans();
    expect([invocations[0]?.durationMs, (span?.endTime ?? 0) - (span?.startTime ?? 0)]).toEqual([0, 0]);
  });
});

describe("parents", () => {
  const nesting: Hook = {
    name: "a",
    points: ["pre_llm_call"],
    async call() {
      telemetry.tracer.startSpan("at once").end();
      await Promise.resolve();
      telemetry.tracer.startActiveSpan("later", (span) => {
        telemetry.tracer.startSpan("within later").end();
        span.end();
      });
    },
  };

  test("a hook's own spans nest under its invocation, also after it waited", async () => {
    const { bus } = createTestBus({ hooks: [nesting] });
    bus.register({ ...nesting, name: "b" });
    await telemetry.tracer.startActiveSpan("invoke_agent reviewer", async (turn) => {
      await bus.dispatch("pre_llm_call", MODEL_CALL, { turn: TURN });
      turn.end();
    });
    expect(telemetry.tree()).toEqual([
      "invoke_agent reviewer",
      "  pre_llm_call a",
      "    at once",
      "    later",
      "      within later",
      "  pre_llm_call b",
      "    at once",
      "    later",
      "      within later",
    ]);
    expect(telemetry.unended()).toEqual([]);
  });

  test("the parent that is given counts, not the active span", async () => {
    const { bus } = createTestBus({ hooks: [nesting] });
    const parent = telemetry.tracer.startSpan("given", {}, ROOT_CONTEXT);
    await telemetry.tracer.startActiveSpan("active", async (active) => {
      await bus.dispatch("pre_llm_call", MODEL_CALL, { turn: TURN, parent: trace.setSpan(ROOT_CONTEXT, parent) });
      active.end();
    });
    parent.end();
    expect(telemetry.tree()).toEqual([
      "given",
      "  pre_llm_call a",
      "    at once",
      "    later",
      "      within later",
      "active",
    ]);
  });

  test("a parent in another process counts", async () => {
    const { bus, records } = createTestBus({ hooks: [nesting] });
    const remote = {
      traceId: "0af7651916cd43dd8448eb211c80319c",
      spanId: "b7ad6b7169203331",
      traceFlags: TraceFlags.SAMPLED,
      isRemote: true,
    };
    const parent = trace.setSpanContext(ROOT_CONTEXT, remote);
    await bus.dispatch("pre_llm_call", MODEL_CALL, { turn: TURN, parent });
    const [span] = telemetry.spans();
    expect([span?.traceId, span?.parentSpanId]).toEqual([remote.traceId, remote.spanId]);
    expect(records[0]?.traceId).toBe(remote.traceId);
  });

  test("context.span is the invocation's, and takes what the hook sets on it", async () => {
    const { bus } = createTestBus();
    bus.register(defineHook({ name: "a", on: { pre_llm_call: (_, { span }) => void span.setAttribute("own", 1) } }));
    await bus.dispatch("pre_llm_call", MODEL_CALL, { turn: TURN });
    expect(telemetry.spans()[0]?.attributes["own"]).toBe(1);
  });

  test("a hook that runs after another turn's timer fired is in its own turn, not in that one", async () => {
    const { bus, clock } = createTestBus({ timeoutMs: 100 });
    const active: (string | undefined)[] = [];
    bus.register({ name: "hangs", points: ["pre_llm_call"], call: hang });
    bus.register(
      defineHook({
        name: "looks",
        on: { pre_llm_call: () => void active.push(trace.getSpan(context.active())?.spanContext().spanId) },
      }),
    );
    const unrecorded = trace.wrapSpanContext({ traceId: "1".repeat(32), spanId: "2".repeat(16), traceFlags: 0 });
    const other = telemetry.tracer.startSpan("other turn");
    const first = context.with(trace.setSpan(ROOT_CONTEXT, other), () =>
      bus.dispatch("pre_llm_call", MODEL_CALL, { turn: TURN }),
    );
    const second = context.with(trace.setSpan(ROOT_CONTEXT, unrecorded), () =>
      bus.dispatch("pre_llm_call", MODEL_CALL, { turn: TURN }),
    );
    await context.with(trace.setSpan(ROOT_CONTEXT, other), () => clock.advance(100));
    await Promise.all([first, second]);
    other.end();
    const looks = telemetry.spans().find(({ name }) => name === "pre_llm_call looks");
    expect(active).toEqual([looks?.spanId, "2".repeat(16)]);
  });
});
