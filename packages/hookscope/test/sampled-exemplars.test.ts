import { createHarness, type HarnessOptions, type Tool } from "@hookscope/harness";
import { askUser, block, createHookBus, defineHook, type Hook } from "@hookscope/hooks";
import { createMetrics } from "@hookscope/metrics";
import { startTelemetry, type TelemetryOptions } from "@hookscope/telemetry";
import { callTools, createFakeClock, createScriptedModel, failWith, reply, type Script } from "@hookscope/testing";
import { context, propagation, trace } from "@opentelemetry/api";
import { InMemorySpanExporter } from "@opentelemetry/sdk-trace";
import { afterEach, expect, test } from "vitest";

afterEach(() => {
  for (const api of [trace, context, propagation]) api.disable();
});

const clock = createFakeClock();
const logger = { warn: (): void => {} };
const call = callTools([{ name: "shell", input: {} }]);
const CALLS_A_TOOL: Script = [call, reply("Done.")];

const shell: Tool = {
  name: "shell",
  description: "Runs a command.",
  inputSchema: { type: "object" },
  execute: () => "done",
};
const broken: Tool = {
  ...shell,
  execute: () => {
    throw new Error("broken");
  },
};
const slow: Tool = {
  ...shell,
  execute: () => {
    clock.block(40_000);
    return "done";
  },
};

interface Case {
  readonly what: string;
  readonly steps?: Script;
  readonly tool?: Tool;
  readonly hooks?: readonly Hook[];
  readonly options?: Partial<HarnessOptions>;
  /** Whether the turn is kept, with the share at 0. */
  readonly kept: boolean;
}

const CASES: readonly Case[] = [
  { what: "nothing", steps: [reply("Hello.")], kept: false },
  { what: "a tool that fails", tool: broken, kept: false },
  { what: "a slow tool", tool: slow, kept: false },
  {
    what: "a model call that is tried again",
    steps: [failWith({ type: "overloaded", retryable: true, statusCode: 529 }), reply("Hello.")],
    kept: false,
  },
  {
    what: "a model call that fails for good",
    steps: [failWith({ type: "bad", retryable: false, statusCode: 400 })],
    kept: true,
  },
  {
    what: "a slow hook",
    hooks: [defineHook({ name: "slow", on: { post_tool_call: () => clock.block(1_500) } })],
    kept: false,
  },
  {
    what: "a result that is none",
    hooks: [defineHook({ name: "odd", on: { pre_tool_call: () => 42 as never } })],
    kept: false,
  },
  {
    what: "a hook that throws",
    hooks: [
      defineHook({
        name: "throws",
        on: {
          post_tool_call: () => {
            throw new Error("broken");
          },
        },
      }),
    ],
    kept: true,
  },
  {
    what: "a policy that throws",
    hooks: [
      defineHook({
        name: "throws",
        on: {
          pre_tool_call: () => {
            throw new Error("broken");
          },
        },
      }),
    ],
    kept: true,
  },
  {
    what: "a hook that times out",
    hooks: [
      defineHook({ name: "hangs", timeoutMs: 5, on: { post_tool_call: () => new Promise<undefined>(() => {}) } }),
    ],
    kept: true,
  },
  { what: "a block", hooks: [defineHook({ name: "policy", on: { pre_tool_call: () => block("no") } })], kept: true },
  {
    what: "a denial",
    hooks: [defineHook({ name: "policy", on: { pre_tool_call: () => askUser("May it?") } })],
    options: { approver: { ask: async () => "deny" } },
    kept: true,
  },
  {
    what: "nobody to ask",
    hooks: [defineHook({ name: "policy", on: { pre_tool_call: () => askUser("May it?") } })],
    kept: true,
  },
];

interface Seen {
  /** Traces with an exemplar, and traces that were exported. */
  readonly shown: readonly string[];
  readonly exported: readonly string[];
}

async function run(
  { steps = CALLS_A_TOOL, tool = shell, hooks = [], options = {} }: Case,
  share: number,
): Promise<Seen> {
  const spans = new InMemorySpanExporter();
  const telemetryOptions: TelemetryOptions = {
    environment: {},
    exitHandling: false,
    exportSpans: false,
    localSink: spans,
    localSpans: "sampled",
    turnSampler: { share },
    logger,
  };
  const telemetry = startTelemetry(telemetryOptions);
  const metrics = createMetrics({ clock, logger, keepsTrace: (traceId) => telemetry.keepsTrace(traceId) });
  const bus = createHookBus({ hooks: [...hooks, ...metrics.hooks], clock, logger });
  metrics.observe(bus);
  const model = createScriptedModel({ steps, clock });
  const harness = createHarness({ model, tools: [tool], bus, retry: { baseDelayMs: 1 }, ...options });
  let isOver = false;
  const turn = harness.run({ userInput: "go" }).finally(() => {
    isOver = true;
  });
  while (!isOver) await clock.advance(1);
  await turn;
  const text = await metrics.registry.metrics();
  const exported = new Set<string>();
  await telemetry.flush();
  for (const span of spans.getFinishedSpans()) exported.add(span.spanContext().traceId);
  await telemetry.shutdown();
  const shown = new Set([...text.matchAll(/ # \{trace_id="([0-9a-f]+)"/g)].map((match) => match[1] ?? ""));
  return { shown: [...shown], exported: [...exported] };
}

test.for(CASES)("an exemplar has its trace where turns are sampled: $what", async (row) => {
  const { shown, exported } = await run(row, 0);
  expect([exported.length, shown]).toEqual(row.kept ? [1, exported] : [0, []]);
});

test.for(CASES)("where every turn is kept, all that is failed, blocked or slow has an exemplar: $what", async (row) => {
  const { shown, exported } = await run(row, 1);
  expect(exported.length).toBe(1);
  expect(shown).toEqual(row.what === "nothing" ? [] : exported);
});
