import type { Tracer } from "@opentelemetry/api";
import { TracerProvider, type SpanProcessor } from "@opentelemetry/sdk-trace";
import { createHookBus } from "@hookscope/hooks";
import { callTools, collectWarnings, createScriptedModel, failWith, reply } from "@hookscope/testing";
import { expect, test } from "vitest";

import { createHarness, createMemorySessionStore, type RunResult } from "../../src/index.ts";
import { tool } from "../support/rig.ts";
import { recordSpans } from "../support/telemetry.ts";

interface Outcome {
  readonly result: RunResult;
  readonly warnings: readonly string[];
}

/** A message with a tool call, taken in, worked on, and closed, with a session that must be free again afterwards. */
async function turnWith(tracer: Tracer): Promise<Outcome> {
  const warnings = collectWarnings();
  const session = await createMemorySessionStore().create();
  const harness = createHarness({
    model: createScriptedModel({ steps: [callTools([{ name: "look", input: {} }]), reply("done"), reply("again")] }),
    tools: [tool("look", "seen")],
    bus: createHookBus({ tracer, logger: warnings }),
    session,
  });
  const received = await harness.receive({ text: "hello", source: "ada" });
  if (received.outcome !== "turn") throw new Error(`no turn: ${received.outcome}`);
  expect((await harness.run({ userInput: "again" })).stopReason).toBe("end_turn");
  await harness.close("over");
  return { result: received.result, warnings: warnings.messages };
}

const WARNING = "a span could not be made, changed or ended: Error: broken. The turn goes on without it.";

test.for(["onStart", "onEnd"] as const)(
  "a span processor that throws in %s is told once, and never felt",
  async (where) => {
    const fail = (): never => {
      throw new Error("broken");
    };
    const processor: SpanProcessor = {
      onStart: () => undefined,
      onEnd: () => undefined,
      forceFlush: () => Promise.resolve(),
      shutdown: () => Promise.resolve(),
      [where]: fail,
    };
    const tracer = new TracerProvider({ spanProcessors: [processor] }).getTracer("broken");
    const { result, warnings } = await turnWith(tracer);
    expect([result.stopReason, result.finalText, result.turnCount]).toEqual(["end_turn", "done", 2]);
    expect(warnings).toEqual([WARNING]);
  },
);

test("a tracer whose spans throw whatever is done to them is told once, and never felt", async () => {
  const broken = new Proxy(
    {},
    {
      get: () => () => {
        throw new Error("broken");
      },
    },
  );
  const tracer = { startSpan: () => broken, startActiveSpan: () => undefined } as unknown as Tracer;
  const { result, warnings } = await turnWith(tracer);
  expect([result.stopReason, result.finalText, result.traceId]).toEqual(["end_turn", "done", undefined]);
  expect(warnings).toEqual([WARNING]);
});

test("where one span cannot be made, those under it go under its parent", async () => {
  const telemetry = recordSpans();
  const start = telemetry.tracer.startSpan.bind(telemetry.tracer);
  const tracer: Tracer = {
    ...telemetry.tracer,
    startSpan(name, options, parent) {
      if (name.startsWith("invoke_agent")) throw new Error("broken");
      return start(name, options, parent);
    },
  };
  await turnWith(tracer);
  expect(telemetry.tree().slice(0, 5)).toEqual([
    "message embedded",
    "  chat scripted-model",
    "  execute_tool look",
    "  chat scripted-model",
    "session agent",
  ]);
  expect(telemetry.unended()).toEqual([]);
});

test("what a span says of an error is cut at 256 characters", async () => {
  const telemetry = recordSpans();
  const message = "<html>".repeat(10_000);
  const harness = createHarness({
    model: createScriptedModel({
      steps: [failWith({ statusCode: 400, retryable: false, type: "invalid_request", message })],
    }),
  });
  await harness.run({ userInput: "hello" });
  await harness.close();
  const lengths = telemetry
    .spans()
    .filter(({ status }) => status.code === "ERROR")
    .map(({ name, status }) => [name, status.message?.length]);
  expect(lengths).toEqual([
    ["invoke_agent agent", 256],
    ["chat scripted-model", 256],
  ]);
});
