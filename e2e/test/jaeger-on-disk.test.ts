import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { temporaryDirectory } from "../backends/process.ts";
import { startJaeger, type Jaeger } from "../backends/start.ts";
import { findTraces, readTrace } from "../jaeger-client.ts";
import { newSpanId, newTraceId, postSpans } from "./post-spans.ts";

const config = ["jaeger.yaml", "jaeger-on-disk.yaml"].map((file) => join(import.meta.dirname, "../../collector", file));
const traceId = newTraceId();
const now = BigInt(Date.now()) * 1_000_000n;
let folder: Awaited<ReturnType<typeof temporaryDirectory>>;
let jaeger: Jaeger;

beforeAll(async () => {
  folder = await temporaryDirectory("traces");
  const start = () => startJaeger({ config, env: { HOOKSCOPE_TRACES: folder.path }, writes: [folder.path] });
  const before = await start();
  await postSpans(before.otlpHttpUrl, "kept", [invocation("folder", "continue"), invocation("notes", "modify")]);
  await readTrace(before.queryUrl, traceId, { expectedSpans: 2 });
  await before.stop();
  jaeger = await start();
});
afterAll(async () => {
  await jaeger?.stop();
  await folder?.remove();
});

test("a trace is there after a restart", async () => {
  const spans = await readTrace(jaeger.queryUrl, traceId, { expectedSpans: 2 });
  expect(spans.map(({ name }) => name).toSorted()).toEqual(["pre_tool_call folder", "pre_tool_call notes"]);
});

test("a search by tags finds what is on one span, and also what is on two, as the file says", async () => {
  const find = (hook: string, decision: string) =>
    findTraces(jaeger.queryUrl, {
      service: "kept",
      tags: { "agent_hook.name": hook, "agent_hook.decision": decision },
    });
  expect(await find("notes", "modify")).toEqual([traceId]);
  expect(await find("folder", "modify")).toEqual([traceId]);
  expect(await find("folder", "block")).toEqual([]);
});

function invocation(hook: string, decision: string) {
  return {
    traceId,
    spanId: newSpanId(),
    name: `pre_tool_call ${hook}`,
    kind: 1,
    startTimeUnixNano: String(now),
    endTimeUnixNano: String(now + 2_000_000n),
    attributes: [
      { key: "agent_hook.name", value: { stringValue: hook } },
      { key: "agent_hook.decision", value: { stringValue: decision } },
    ],
  };
}
