import { afterAll, beforeAll, expect, test } from "vitest";
import { startJaeger, type Jaeger } from "../backends/start.ts";
import { findTraces, listServices, readTrace } from "../jaeger-client.ts";
import { newSpanId, newTraceId, postSpans } from "./post-spans.ts";

let jaeger: Jaeger;
beforeAll(async () => {
  jaeger = await startJaeger();
});
afterAll(() => jaeger?.stop());

const start = BigInt(Date.now()) * 1_000_000n + 123n;
const linked = { traceId: newTraceId(), spanId: newSpanId() };

test("a span posted by hand comes back from Jaeger exactly as it was sent", async () => {
  const [traceId, root, child] = [newTraceId(), newSpanId(), newSpanId()];
  await postSpans(jaeger.otlpHttpUrl, "exactness", [
    {
      traceId,
      spanId: child,
      parentSpanId: root,
      name: "pre_tool_call approval_policy",
      kind: 1,
      startTimeUnixNano: String(start + 1_000n),
      endTimeUnixNano: String(start + 2_001n),
      attributes: [
        { key: "agent_hook.decision", value: { stringValue: "block" } },
        { key: "agent_hook.index", value: { intValue: "3" } },
        { key: "agent_hook.timeout", value: { doubleValue: 0.25 } },
        { key: "agent_hook.applied", value: { boolValue: false } },
        {
          key: "agent_hook.changed_keys",
          value: { arrayValue: { values: [{ stringValue: "a" }, { stringValue: "b" }] } },
        },
      ],
      status: { code: 2, message: "it broke" },
      events: [
        {
          name: "exception",
          timeUnixNano: String(start + 1_500n),
          attributes: [{ key: "exception.type", value: { stringValue: "Error" } }],
        },
      ],
    },
    {
      traceId,
      spanId: root,
      name: "invoke_agent reviewer",
      kind: 5,
      startTimeUnixNano: String(start),
      endTimeUnixNano: String(start + 5_000_001n),
      links: [linked],
    },
  ]);

  const shared = { traceId, resource: { "service.name": "exactness" }, scope: "hand-made" };
  expect(await readTrace(jaeger.queryUrl, traceId, { expectedSpans: 2 })).toEqual([
    {
      ...shared,
      spanId: root,
      name: "invoke_agent reviewer",
      kind: "CONSUMER",
      startTime: start,
      endTime: start + 5_000_001n,
      attributes: {},
      status: { code: "UNSET" },
      links: [{ ...linked, attributes: {} }],
      events: [],
    },
    {
      ...shared,
      spanId: child,
      parentSpanId: root,
      name: "pre_tool_call approval_policy",
      kind: "INTERNAL",
      startTime: start + 1_000n,
      endTime: start + 2_001n,
      attributes: {
        "agent_hook.decision": "block",
        "agent_hook.index": 3,
        "agent_hook.timeout": 0.25,
        "agent_hook.applied": false,
        "agent_hook.changed_keys": ["a", "b"],
      },
      status: { code: "ERROR", message: "it broke" },
      links: [],
      events: [{ name: "exception", time: start + 1_500n, attributes: { "exception.type": "Error" } }],
    },
  ]);
});

test("equality of a boolean tag finds the one trace that has it, and the other value finds the other", async () => {
  const [blocked, free] = [newTraceId(), newTraceId()];
  const turn = (traceId: string, hasBlock: boolean) => ({
    traceId,
    spanId: newSpanId(),
    name: "invoke_agent reviewer",
    kind: 1,
    startTimeUnixNano: String(start),
    endTimeUnixNano: String(start + 2_000_000n),
    attributes: [{ key: "agent_turn.has_block", value: { boolValue: hasBlock } }],
  });
  await postSpans(jaeger.otlpHttpUrl, "search", [turn(blocked, true), turn(free, false)]);
  await findTraces(jaeger.queryUrl, { service: "search", expectedTraces: 2 });

  const search = (tags: Record<string, string>): Promise<readonly string[]> =>
    findTraces(jaeger.queryUrl, { service: "search", operation: "invoke_agent reviewer", tags });
  expect(await search({ "agent_turn.has_block": "true" })).toEqual([blocked]);
  expect(await search({ "agent_turn.has_block": "false" })).toEqual([free]);
  expect(await search({ "agent_turn.has_block": "maybe" })).toEqual([]);
});

test("a trace that never arrives is TRACE_NOT_FOUND, one that lacks spans is TRACE_INCOMPLETE and names what came", async () => {
  const traceId = newTraceId();
  await postSpans(jaeger.otlpHttpUrl, "partial", [
    {
      traceId,
      spanId: newSpanId(),
      name: "alone",
      startTimeUnixNano: String(start),
      endTimeUnixNano: String(start + 1n),
    },
  ]);
  await readTrace(jaeger.queryUrl, traceId);

  await expect(readTrace(jaeger.queryUrl, newTraceId(), { timeoutMs: 0 })).rejects.toMatchObject({
    code: "TRACE_NOT_FOUND",
  });
  await expect(readTrace(jaeger.queryUrl, traceId, { expectedSpans: 2, timeoutMs: 0 })).rejects.toMatchObject({
    code: "TRACE_INCOMPLETE",
    message: expect.stringMatching(/ only these 1 spans .*: alone$/),
  });
  expect(await listServices(jaeger.queryUrl)).toContain("partial");
});
