import { context, ROOT_CONTEXT, SpanStatusCode, trace } from "@opentelemetry/api";
import { AlwaysOffSampler } from "@opentelemetry/sdk-trace";
import { createTestTelemetry } from "@hookscope/testing";
import { expect, test } from "vitest";

test("a span is plain data, times in milliseconds", async () => {
  const telemetry = createTestTelemetry();
  const linked = telemetry.tracer.startSpan("linked");
  const link = { context: linked.spanContext() };
  const span = telemetry.tracer.startSpan("work", {
    startTime: 4_102_444_800_000,
    attributes: { a: 1 },
    links: [link],
  });
  span.setStatus({ code: SpanStatusCode.ERROR, message: "broke" });
  span.end(4_102_444_800_250.5);
  expect(telemetry.spans()).toEqual([
    {
      name: "work",
      kind: "INTERNAL",
      traceId: span.spanContext().traceId,
      spanId: span.spanContext().spanId,
      startTime: 4_102_444_800_000,
      endTime: 4_102_444_800_250.5,
      attributes: { a: 1 },
      status: { code: "ERROR", message: "broke" },
      links: [{ traceId: linked.spanContext().traceId, spanId: linked.spanContext().spanId }],
    },
  ]);
  expect(telemetry.unended()).toEqual(["linked"]);
  await telemetry.dispose();
});

test("spans come in the order they started, the tree shows them under their parents", async () => {
  const telemetry = createTestTelemetry();
  await telemetry.tracer.startActiveSpan("turn", async (turn) => {
    await Promise.resolve();
    const slow = telemetry.tracer.startSpan("slow");
    telemetry.tracer.startActiveSpan("quick", (quick) => {
      telemetry.tracer.startSpan("inner").end();
      quick.end();
    });
    slow.end();
    turn.end();
  });
  telemetry.tracer.startSpan("other root", {}, ROOT_CONTEXT).end();
  expect(telemetry.spans().map(({ name }) => name)).toEqual(["turn", "slow", "quick", "inner", "other root"]);
  expect(telemetry.tree()).toEqual(["turn", "  slow", "  quick", "    inner", "other root"]);
  expect(telemetry.spans().map(({ parentSpanId }) => parentSpanId === undefined)).toEqual([
    true,
    false,
    false,
    false,
    true,
  ]);
  await telemetry.dispose();
});

test("the child of a span that is not recorded, or in another process, is a root of the tree", async () => {
  const telemetry = createTestTelemetry();
  const remote = { traceId: "1".repeat(32), spanId: "2".repeat(16), traceFlags: 1, isRemote: true };
  telemetry.tracer.startSpan("child", {}, trace.setSpanContext(ROOT_CONTEXT, remote)).end();
  expect(telemetry.tree()).toEqual(["child"]);
  expect(telemetry.spans()[0]?.parentSpanId).toBe("2".repeat(16));
  await telemetry.dispose();
});

test("a sampler may be given", async () => {
  const telemetry = createTestTelemetry({ sampler: new AlwaysOffSampler() });
  telemetry.tracer.startSpan("unseen").end();
  expect([telemetry.spans(), telemetry.unended()]).toEqual([[], []]);
  await telemetry.dispose();
});

test("it is global while it lives, and wholly gone when disposed of: the next one records", async () => {
  for (const name of ["first", "second"]) {
    const telemetry = createTestTelemetry();
    trace.getTracer("an application").startActiveSpan(name, (span) => {
      expect(trace.getSpan(context.active())).toBe(span);
      span.end();
    });
    expect(telemetry.tree()).toEqual([name]);
    await telemetry.dispose();
    trace.getTracer("an application").startActiveSpan("unseen", (span) => {
      expect(span.isRecording()).toBe(false);
      expect(trace.getSpan(context.active())).toBeUndefined();
    });
  }
});

test("two at once are refused, and the first stays whole", async () => {
  const first = createTestTelemetry();
  expect(() => createTestTelemetry()).toThrow(
    new Error("A context manager is registered already; dispose of the earlier telemetry first."),
  );
  first.tracer.startActiveSpan("turn", (turn) => {
    first.tracer.startSpan("inner").end();
    turn.end();
  });
  expect(first.tree()).toEqual(["turn", "  inner"]);
  await first.dispose();
});

test("a tracer provider of somebody else is left alone, and so is the context", async () => {
  trace.setGlobalTracerProvider({ getTracer: () => trace.getTracer("none") });
  expect(() => createTestTelemetry()).toThrow(
    new Error("A tracer provider is registered already; dispose of the earlier telemetry first."),
  );
  trace.disable();
  const next = createTestTelemetry();
  next.tracer.startSpan("recorded").end();
  expect(next.tree()).toEqual(["recorded"]);
  await next.dispose();
});
