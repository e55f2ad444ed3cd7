// The bus in a loop of one's own, with one's own OpenTelemetry SDK: every hook becomes a span under the turn's.

import { block, createHookBus, defineHook, turnInfo } from "@hookscope/hooks";
import { context, trace } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { resourceFromAttributes } from "@opentelemetry/resources";
import { BatchSpanProcessor, TracerProvider } from "@opentelemetry/sdk-trace";

const provider = new TracerProvider({
  resource: resourceFromAttributes({ "service.name": "my-agent" }),
  spanProcessors: [new BatchSpanProcessor({ exporter: new OTLPTraceExporter() })],
});
trace.setGlobalTracerProvider(provider);
context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());

const bus = createHookBus();
bus.register(
  defineHook({
    name: "no_force_push",
    on: {
      pre_tool_call: ({ payload }) =>
        /push.*--force/.test(JSON.stringify(payload.args)) ? block("history is shared") : undefined,
    },
  }),
);

await trace.getTracer("my-agent").startActiveSpan("my turn", async (span) => {
  const call = { tool_name: "shell", args: { command: "git push --force" }, risk: "high", call_id: "1" } as const;
  const verdict = await bus.dispatch("pre_tool_call", call, { turn: turnInfo({ agent: "my-agent" }) });
  console.log(verdict.decision === "block" ? `Blocked: ${verdict.reason}` : "running the command");
  span.end();
});

// The SDK tries for about ten seconds. What it cannot send is lost, and must not fail an agent.
await provider.shutdown().catch((error: unknown) => {
  console.error(`Spans were not sent: ${String(error)}. Is a Collector or Jaeger at OTEL_EXPORTER_OTLP_ENDPOINT?`);
});
