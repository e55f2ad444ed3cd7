import { trace } from "@opentelemetry/api";
import { expect, test } from "vitest";

import { start } from "./support/lifecycle.ts";
import { OtlpSink, valuesOf } from "./support/otlp-sink.ts";

test("startTelemetry sets them by option, and by default does not", async () => {
  for (const [backendHints, expected] of [
    [["openinference", "langfuse"], { "openinference.span.kind": "TOOL", "langfuse.observation.type": "tool" }],
    [undefined, {}],
  ] as const) {
    await using sink = await OtlpSink.start();
    const telemetry = start({ endpoint: sink.endpoint, ...(backendHints === undefined ? {} : { backendHints }) });
    trace.getTracer("test").startSpan("execute_tool shell").end();
    await telemetry.shutdown();
    expect(sink.accepted.map((span) => valuesOf(span.attributes))).toEqual([expected]);
  }
});
