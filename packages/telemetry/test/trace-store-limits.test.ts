import { ROOT_CONTEXT, trace } from "@opentelemetry/api";
import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from "@opentelemetry/sdk-trace";
import { expect, test } from "vitest";

import { start } from "./support/lifecycle.ts";
import { makeTurn, open } from "./support/stores.ts";

test("beyond maxTurns the oldest go, with their spans and their subagents", async () => {
  const store = open(":memory:", 2);
  const telemetry = start({ exportSpans: false, localSink: store.exporter });
  const traces: string[] = [];
  for (const [index, turnId] of ["t1", "t2", "t3"].entries()) {
    await makeTurn(turnId, {
      startTime: 1_000 * (index + 1),
      inside: (turn) => {
        traces.push(turn.spanContext().traceId);
        return makeTurn(`${turnId}-sub`, { parent: turn, parentTurn: turnId, startTime: 1_000 * (index + 1) + 1 });
      },
    });
    await telemetry.flush();
  }
  expect(store.turns().map((turn) => turn.turnId)).toEqual(["t3", "t2"]);
  expect(traces.map((traceId) => store.trace(traceId)?.spans.length)).toEqual([undefined, 2, 2]);
  expect(store.turn("t1-sub")).toBe(undefined);
});

test("of spans without a turn the latest 50,000 stay, and what belongs to a turn is left alone", async () => {
  const store = open();
  const telemetry = start({ exportSpans: false, localSink: store.exporter });
  await makeTurn("t1", {
    inside: (turn) => trace.getTracer("test").startSpan("child", {}, trace.setSpan(ROOT_CONTEXT, turn)).end(),
  });
  await telemetry.shutdown();
  const { exporter } = store;
  const made = new InMemorySpanExporter();
  const tracer = new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter: made })] }).getTracer(
    "test",
  );
  const first = tracer.startSpan("first");
  first.end();
  const last = tracer.startSpan("last");
  for (let index = 0; index < 54_998; index += 1) {
    tracer.startSpan("span", {}, trace.setSpan(ROOT_CONTEXT, index < 20_000 ? first : last)).end();
  }
  last.end();
  const spans = made.getFinishedSpans();
  for (let from = 0; from < spans.length; from += 1_000) exporter.export(spans.slice(from, from + 1_000), () => {});
  expect(store.turn("t1")?.spans.length).toBe(2);
  const left = [first, last].map((span) => store.trace(span.spanContext().traceId)?.spans ?? []);
  expect(left.map((found) => found.length)).toEqual([15_001, 34_999]);
  expect(
    left
      .flat()
      .filter(({ name }) => name !== "span")
      .map(({ name }) => name),
  ).toEqual(["last"]);
});
