import { block, createHookBus, defineHook, modify, turnInfo } from "@hookscope/hooks";
import { ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";
import type { TraceStore } from "@hookscope/telemetry";
import { expect, test } from "vitest";

import { start } from "./support/lifecycle.ts";
import { codeOf, EPOCH, makeTurn, open } from "./support/stores.ts";

test("a turn comes back as one document: the turn, its spans and their attributes, links, events and status", async () => {
  const store = open();
  const telemetry = start({ exportSpans: false, localSink: store.exporter });
  const linked = trace.getTracer("test").startSpan("elsewhere");
  await makeTurn("t1", {
    inside: (turn) => {
      const child = trace
        .getTracer("test")
        .startSpan(
          "chat model",
          { kind: SpanKind.CLIENT, startTime: EPOCH + 1_000_010.25, links: [{ context: linked.spanContext() }] },
          trace.setSpan(ROOT_CONTEXT, turn),
        );
      child.addEvent("first", { n: 1 }, EPOCH + 1_000_020);
      child.setAttribute("bytes", new Uint8Array([1, 2, 3]));
      child.setStatus({ code: SpanStatusCode.ERROR, message: "broke" });
      child.end(EPOCH + 1_000_050.75);
    },
  });
  await telemetry.flush();
  const document = store.turn("t1");
  const [turn, child] = document?.spans ?? [];
  expect(document?.turn).toEqual({
    turnId: "t1",
    traceId: document?.traceId,
    spanId: turn?.spanId,
    sessionId: "s1",
    agent: "reviewer",
    outcome: "end_turn",
    startTime: EPOCH + 1_000_000,
    endTime: EPOCH + 1_000_100.5,
  });
  expect(turn?.parentSpanId).toBe(null);
  expect(child).toEqual({
    spanId: child?.spanId,
    parentSpanId: turn?.spanId,
    name: "chat model",
    kind: "CLIENT",
    startTime: EPOCH + 1_000_010.25,
    endTime: EPOCH + 1_000_050.75,
    attributes: { "session.id": "s1", "gen_ai.conversation.id": "s1", bytes: "AQID" },
    status: { code: "ERROR", message: "broke" },
    links: [{ traceId: linked.spanContext().traceId, spanId: linked.spanContext().spanId, attributes: {} }],
    events: [{ name: "first", time: EPOCH + 1_000_020, attributes: { n: 1 } }],
  });
  expect(document?.invocations).toEqual([]);
  expect(store.lastTurn()).toEqual(document);
});

const NO_USAGE = {
  input_tokens: 0,
  output_tokens: 0,
  cache_read_tokens: 0,
  cache_write_tokens: 0,
  reasoning_tokens: 0,
};

test("the invocations of a real bus come back from their spans as the bus published them", async () => {
  const store = open();
  const telemetry = start({ exportSpans: false, localSink: store.exporter });
  const bus = createHookBus({
    logger: { warn: () => {} },
    hooks: [
      defineHook({ name: "rewriter", on: { pre_tool_call: () => modify({ args: { path: "a" } }) } }),
      defineHook({ name: "policy", on: { pre_tool_call: () => block("not here") } }),
      defineHook({
        name: "audit",
        on: {
          post_llm_call: () => {
            throw new RangeError("audit broke");
          },
        },
      }),
    ],
  });
  const turn = turnInfo({ turn_id: "t1", session_id: "s1" });
  const published: unknown[] = [];
  bus.subscribe(({ turn: _turn, traceId: _traceId, stream: _stream, ...rest }) => {
    published.push(Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined)));
  });
  await makeTurn("t1", {
    inside: async (span) => {
      const parent = trace.setSpan(ROOT_CONTEXT, span);
      await bus.dispatch(
        "pre_tool_call",
        { tool_name: "shell", args: { path: "b" }, call_id: "c1", risk: "low" },
        { turn, parent },
      );
      await bus.dispatch(
        "post_llm_call",
        { assistant_response: "done", model: "m", usage: NO_USAGE },
        { turn, parent },
      );
    },
  });
  await telemetry.flush();
  const document = store.turn("t1");
  const invocations = (document?.invocations ?? []).map((invocation) => ({
    ...invocation,
    startTime: expect.any(Number),
    durationMs: expect.any(Number),
  }));
  expect(invocations.map((invocation) => [invocation.point, invocation.hook, invocation.execution])).toEqual([
    ["pre_tool_call", "rewriter", "ok"],
    ["pre_tool_call", "policy", "ok"],
    ["post_llm_call", "audit", "error"],
  ]);
  expect(published).toEqual(invocations);
  const spanIds = new Set(document?.spans.map((span) => span.spanId));
  expect(invocations.every((invocation) => spanIds.has(invocation.spanId))).toBe(true);
});

test("a turn's document has its subagents and the message above it, and nothing of another turn in the same trace", async () => {
  const store = open();
  const telemetry = start({ exportSpans: false, localSink: store.exporter });
  const tracer = trace.getTracer("test");
  const root = tracer.startSpan("caller", { startTime: EPOCH + 1 });
  const message = tracer.startSpan(
    "message telegram",
    { startTime: EPOCH + 2, attributes: { "agent_message.outcome": "turn" } },
    trace.setSpan(ROOT_CONTEXT, root),
  );
  tracer
    .startSpan("pre_gateway_dispatch policy", { startTime: EPOCH + 3 }, trace.setSpan(ROOT_CONTEXT, message))
    .end(EPOCH + 4);
  await makeTurn("t1", {
    parent: message,
    startTime: 5,
    inside: (turn) => makeTurn("t1a", { parent: turn, parentTurn: "t1", startTime: 6 }),
  });
  message.end(EPOCH + 200);
  await makeTurn("t2", { parent: root, startTime: 300 });
  root.end(EPOCH + 500);
  await telemetry.flush();
  expect(store.turn("t1")?.spans.map((span) => span.name)).toEqual([
    "message telegram",
    "pre_gateway_dispatch policy",
    "invoke_agent reviewer",
    "invoke_agent reviewer",
  ]);
  expect(store.turn("t1a")?.spans.length).toBe(1);
  expect(store.turns().map((turn) => turn.turnId)).toEqual(["t2", "t1"]);
  const whole = store.trace(root.spanContext().traceId);
  expect(whole?.spans.length).toBe(6);
  expect(whole?.turns.map((turn) => turn.turnId)).toEqual(["t1", "t1a", "t2"]);
});

test("turns are listed the latest first, by session and by whether something was blocked", async () => {
  const store = open();
  const telemetry = start({ exportSpans: false, localSink: store.exporter });
  await makeTurn("t1", { session: "a", startTime: 1_000, blocked: true });
  await makeTurn("t2", { session: "b", startTime: 2_000 });
  await makeTurn("t3", { session: "a", startTime: 3_000, blocked: false });
  await telemetry.flush();
  const ids = (query: Parameters<TraceStore["turns"]>[0]): readonly string[] =>
    store.turns(query).map((turn) => turn.turnId);
  expect(ids({})).toEqual(["t3", "t2", "t1"]);
  expect(ids({ limit: 2 })).toEqual(["t3", "t2"]);
  expect(ids({ session: "a" })).toEqual(["t3", "t1"]);
  expect(ids({ blocked: true })).toEqual(["t1"]);
  expect(ids({ session: "a", blocked: false })).toEqual(["t3"]);
  expect(store.turn("t4")).toBe(undefined);
  expect(store.trace("nothing")).toBe(undefined);
});

test.for([0, -1, 1.5, Number.POSITIVE_INFINITY])(
  "a limit that is no whole number of at least 1 is refused: %s",
  (limit) => {
    const store = open();
    expect(codeOf(() => store.turns({ limit }))).toBe("TELEMETRY_OPTION_INVALID");
  },
);

test("an empty store has no last turn", () => {
  expect(open().lastTurn()).toBe(undefined);
  expect(open().turns()).toEqual([]);
});

test("what the store keeps is redacted and cut like what is exported", async () => {
  const store = open();
  const telemetry = start({ exportSpans: false, localSink: store.exporter, attributeValueLengthLimit: 64 });
  const token = `ghp_${"aB3".repeat(12)}`;
  await makeTurn("t1", {
    inside: (turn) => {
      turn.setAttributes({ note: `uses ${token}`, long: "x".repeat(100) });
    },
  });
  await telemetry.flush();
  const attributes = store.turn("t1")?.spans[0]?.attributes ?? {};
  expect(attributes["note"]).toBe("uses [redacted:github_token]");
  expect(attributes["long"]).toBe(`${"x".repeat(41)}… [cut, 100 characters]`);
});

test("a store that was closed says so when it is read, and counts what is written as lost", async () => {
  const store = open();
  const telemetry = start({ exportSpans: false, localSink: store.exporter, logger: { warn: () => {} } });
  store.close();
  await makeTurn("t1");
  expect(await telemetry.flush()).toEqual({ flushed: false, reason: "dropped" });
  expect(telemetry.dropped("local").export_failed).toBe(1);
  expect(telemetry.dropped().export_failed).toBe(0);
  expect(codeOf(() => store.lastTurn())).toBe("TRACE_STORE_CLOSED");
});
