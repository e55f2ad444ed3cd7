import { callTools, reply } from "@hookscope/testing";
import { context, propagation, ROOT_CONTEXT, trace, type TextMapPropagator } from "@opentelemetry/api";
import { AlwaysOffSampler, type Sampler } from "@opentelemetry/sdk-trace";
import { expect, onTestFinished, test } from "vitest";

import { createRig, policy, tool } from "../support/rig.ts";
import { recordSpans, spanNamed } from "../support/telemetry.ts";

const TRACE_ID = "0af7651916cd43dd8448eb211c80319c";
const SPAN_ID = "b7ad6b7169203331";

test("a turn starts a trace of its own, linked to whatever span is active", async () => {
  const telemetry = recordSpans();
  const rig = createRig({ steps: [reply("hi")] });
  const outer = telemetry.tracer.startSpan("a long-lived consumer");
  await context.with(trace.setSpan(context.active(), outer), () => rig.run());
  outer.end();
  const turn = spanNamed(telemetry, "invoke_agent agent");
  const { traceId, spanId } = outer.spanContext();
  expect(turn.parentSpanId).toBe(undefined);
  expect(turn.traceId).not.toBe(traceId);
  expect(turn.links).toEqual([{ traceId, spanId }]);
});

test("with no span active a turn has no link", async () => {
  const telemetry = recordSpans();
  await createRig({ steps: [reply("hi")] }).run();
  expect(spanNamed(telemetry, "invoke_agent agent").links).toEqual([]);
});

test("a turn goes under `parent` when it is given, without a link", async () => {
  const telemetry = recordSpans();
  const rig = createRig({ steps: [reply("hi")] });
  const outer = telemetry.tracer.startSpan("request");
  await rig.run("hello", { parent: trace.setSpan(ROOT_CONTEXT, outer) });
  outer.end();
  const turn = spanNamed(telemetry, "invoke_agent agent");
  expect([turn.parentSpanId, turn.links]).toEqual([outer.spanContext().spanId, []]);
});

test("the turn's span is active while it runs: what a tool or a hook starts nests under its own", async () => {
  const telemetry = recordSpans();
  const rig = createRig({
    steps: [reply("hi")],
    watchMods: false,
    watch: [],
    mods: [
      {
        id: "spanning",
        onTurnStart: ({ state }) => {
          telemetry.tracer.startSpan("within the mod").end();
          return state;
        },
      },
    ],
  });
  await rig.run();
  expect(telemetry.tree()).toEqual([
    "invoke_agent agent",
    "  onTurnStart spanning",
    "    within the mod",
    "  chat scripted-model",
  ]);
});

test("what a tool starts nests under its call, what a hook starts under its invocation", async () => {
  const telemetry = recordSpans();
  const rig = createRig({
    steps: [callTools([{ name: "shell", input: {} }]), reply("hi")],
    tools: [
      tool("shell", async () => {
        await Promise.resolve();
        telemetry.tracer.startSpan("within the tool").end();
        return "ran";
      }),
    ],
    watchMods: false,
    watch: [],
    hooks: [policy(() => telemetry.tracer.startSpan("within the hook").end())],
  });
  await rig.run();
  expect(telemetry.tree()).toEqual([
    "invoke_agent agent",
    "  chat scripted-model",
    "  execute_tool shell",
    "    pre_tool_call policy",
    "      within the hook",
    "    within the tool",
    "  chat scripted-model",
  ]);
});

test("under a parent that is not recorded no span is made, and no id is given out", async () => {
  const telemetry = recordSpans();
  const rig = createRig({ steps: [reply("hi")] });
  const unrecorded = trace.wrapSpanContext({ traceId: TRACE_ID, spanId: SPAN_ID, traceFlags: 0 });
  const result = await rig.run("hello", { parent: trace.setSpan(ROOT_CONTEXT, unrecorded) });
  expect(telemetry.spans()).toEqual([]);
  expect([result.traceId, rig.events.filter((event) => event.spanId !== undefined)]).toEqual([undefined, []]);
});

test("a turn that its sampler drops has no spans below it, even from a sampler that looks at each span", async () => {
  const dropsTurns: Sampler = {
    shouldSample: (_, __, name) => ({ decision: name.startsWith("invoke_agent") ? 0 : 2 }),
    toString: () => "drops turns",
  };
  const telemetry = recordSpans({ sampler: dropsTurns });
  await createRig({ steps: [reply("hi")] }).run();
  expect(telemetry.spans()).toEqual([]);
});

test("without a recording SDK a turn runs the same, and carries no ids", async () => {
  const telemetry = recordSpans({ sampler: new AlwaysOffSampler() });
  const rig = createRig({ steps: [reply("hi")] });
  const { finalText, traceId } = await rig.run();
  expect([finalText, traceId, telemetry.spans()]).toEqual(["hi", undefined, []]);
});

/** Reads `traceparent`, as the propagator of an application's own SDK does. */
const PROPAGATOR: TextMapPropagator = {
  inject: () => undefined,
  fields: () => ["traceparent"],
  extract(given, carrier, getter) {
    const [, traceId = "", spanId = "", flags] = String(getter.get(carrier, "traceparent")).split("-");
    return trace.setSpanContext(given, { traceId, spanId, traceFlags: Number(flags), isRemote: true });
  },
};

test.for([
  ["a link by default", undefined],
  ["the parent by option", "parent"],
] as const)("an inbound traceparent is %s", async ([, traceParent]) => {
  propagation.setGlobalPropagator(PROPAGATOR);
  onTestFinished(() => propagation.disable());
  const telemetry = recordSpans();
  const rig = createRig({ steps: [reply("hi")] });
  await rig.harness.receive({
    text: "hello",
    source: "someone",
    platform: "http",
    headers: { traceparent: `00-${TRACE_ID}-${SPAN_ID}-01` },
    ...(traceParent && { traceParent }),
  });
  const message = spanNamed(telemetry, "message http");
  const inbound = { traceId: TRACE_ID, spanId: SPAN_ID };
  expect([message.parentSpanId, message.links]).toEqual(
    traceParent === "parent" ? [SPAN_ID, []] : [undefined, [inbound]],
  );
});
