import { createBackendHints, type BackendHint } from "@hookscope/telemetry";
import type { Attributes } from "@opentelemetry/api";
import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from "@opentelemetry/sdk-trace";
import { expect, test } from "vitest";

import { codeOf } from "./support/stores.ts";

const hook = (kind: string): Attributes => ({ "agent_hook.point": "some_point", "agent_hook.kind": kind });

const SPANS: readonly (readonly [string, Attributes, string | undefined, string | undefined])[] = [
  ["message telegram", {}, "CHAIN", "chain"],
  ["invoke_agent reviewer", {}, "AGENT", "agent"],
  ["chat some-model", {}, "LLM", "generation"],
  ["execute_tool shell", {}, "TOOL", "tool"],
  ["approval shell", {}, "CHAIN", "span"],
  ["compact_context", {}, "CHAIN", "chain"],
  ["session reviewer", {}, "CHAIN", "chain"],
  ["pre_tool_call policy", hook("directive"), "GUARDRAIL", "guardrail"],
  ["post_tool_call audit", hook("observer"), "CHAIN", "chain"],
  ["transform_llm_output filter", hook("transform"), "CHAIN", "chain"],
  ["beforeToolCall mod", hook("mod"), "CHAIN", "chain"],
  ["GET /somewhere", {}, undefined, undefined],
];

function hinted(backends: readonly BackendHint[]): readonly (readonly unknown[])[] {
  const exporter = new InMemorySpanExporter();
  const provider = new TracerProvider({
    spanProcessors: [createBackendHints(backends), new SimpleSpanProcessor({ exporter })],
  });
  for (const [name, attributes] of SPANS) provider.getTracer("test").startSpan(name, { attributes }).end();
  return exporter
    .getFinishedSpans()
    .map(({ name, attributes }) => [
      name,
      attributes["openinference.span.kind"],
      attributes["langfuse.observation.type"],
    ]);
}

test("each kind of span is told to both backends in their words", () => {
  expect(hinted(["openinference", "langfuse"])).toEqual(
    SPANS.map(([name, , openinference, langfuse]) => [name, openinference, langfuse]),
  );
});

test("a backend that was not named is told nothing", () => {
  expect(hinted(["langfuse"])).toEqual(SPANS.map(([name, , , langfuse]) => [name, undefined, langfuse]));
  expect(hinted([])).toEqual(SPANS.map(([name]) => [name, undefined, undefined]));
});

test("a span that says itself what it is keeps its word", () => {
  const exporter = new InMemorySpanExporter();
  const provider = new TracerProvider({
    spanProcessors: [createBackendHints(["openinference"]), new SimpleSpanProcessor({ exporter })],
  });
  const attributes = { "openinference.span.kind": "RETRIEVER" };
  provider.getTracer("test").startSpan("execute_tool search", { attributes }).end();
  expect(exporter.getFinishedSpans().map((span) => span.attributes)).toEqual([attributes]);
});

test("a backend nobody knows is refused", () => {
  expect(codeOf(() => createBackendHints(["phoenix" as never]))).toBe("TELEMETRY_OPTION_INVALID");
});
