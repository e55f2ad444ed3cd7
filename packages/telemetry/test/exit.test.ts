import { expect, test } from "vitest";

import { run } from "./support/exit-process.ts";
import { OtlpSink, valuesOf } from "./support/otlp-sink.ts";

/** Name, reason and status code of every span that arrived, in the order they ended. */
function spansOf(sink: OtlpSink): readonly (readonly unknown[])[] {
  return sink.accepted.map((span) => [
    span.name,
    valuesOf(span.attributes)["hookscope.ended_by"],
    span.status.code,
    span.status.message,
  ]);
}

function endedBy(reason: string, message: string): readonly (readonly unknown[])[] {
  return [
    ["finished", undefined, 0, undefined],
    ["hook", reason, 2, message],
    ["tool", reason, 2, message],
    ["turn", reason, 2, message],
  ];
}

test.for(["SIGTERM", "SIGINT"] as const)(
  "%s: open spans end with it, children before their parents, all arrives, and the parent sees the signal",
  async (signal) => {
    await using sink = await OtlpSink.start();
    const { child, ready, ended } = run(sink, "wait");
    await ready;
    child.kill(signal);
    expect(await ended).toEqual({ code: null, signal, stdout: "", stderr: "" });
    expect(spansOf(sink)).toEqual(endedBy("signal", `the process got ${signal}`));
  },
);

test("an uncaught error: the spans arrive, then Node prints the original stack and exits with 1", async () => {
  await using sink = await OtlpSink.start();
  const { code, signal, stderr } = await run(sink, "uncaught").ended;
  expect([code, signal]).toEqual([1, null]);
  expect(stderr).toMatch(/RangeError: the original error\n {4}at .*thrower/);
  expect(spansOf(sink)).toEqual(endedBy("uncaught", "the process ended by an uncaught error"));
});

test("an unhandled rejection ends like an uncaught error", async () => {
  await using sink = await OtlpSink.start();
  const { code, signal, stderr } = await run(sink, "rejection").ended;
  expect([code, signal]).toEqual([1, null]);
  expect(stderr).toMatch(/TypeError: the original rejection\n {4}at .*exit\.ts/);
  expect(spansOf(sink)).toEqual(endedBy("uncaught", "the process ended by an uncaught error"));
});

test("a natural end: the spans arrive and process.exitCode is kept", async () => {
  await using sink = await OtlpSink.start();
  expect(await run(sink, "natural").ended).toEqual({ code: 7, signal: null, stdout: "", stderr: "" });
  expect(spansOf(sink)).toEqual(endedBy("exit", "the process ended"));
});

test("an uncaught error during the flush of a natural end is printed, the spans arrive, and the exit code is 1", async () => {
  await using sink = await OtlpSink.start();
  sink.answer = "hang";
  const { ended } = run(sink, "uncaught-at-end");
  await sink.until(() => sink.requests.length === 1);
  sink.release();
  const { code, signal, stderr } = await ended;
  expect([code, signal]).toEqual([1, null]);
  expect(stderr).toMatch(/^RangeError: too late to be caught\n {4}at /);
});

test("a natural end with nothing left to send is told to onExit, once", async () => {
  await using sink = await OtlpSink.start();
  expect(await run(sink, "nothing-left").ended).toEqual({ code: 0, signal: null, stdout: "told\n", stderr: "" });
});

test.for([
  { way: "exit-function", code: 3 },
  { way: "exit-function-keeps-code", code: 9 },
])("exit(): the spans arrive, then the process ends with $code ($way)", async ({ way, code }) => {
  await using sink = await OtlpSink.start();
  expect(await run(sink, way).ended).toEqual({ code, signal: null, stdout: "", stderr: "" });
  expect(spansOf(sink)).toEqual(endedBy("exit", "the process was told to exit"));
});

test("onExit runs before spans are ended from outside: a loop ends its turn with its own outcome", async () => {
  await using sink = await OtlpSink.start();
  const { child, ready, ended } = run(sink, "exit-callback");
  await ready;
  child.kill("SIGTERM");
  expect((await ended).signal).toBe("SIGTERM");
  const outcomes = sink.accepted.map((span) => {
    const attributes = valuesOf(span.attributes);
    return [span.name, attributes["agent_tool.outcome"] ?? attributes["agent_turn.outcome"], span.status.code];
  });
  expect(outcomes).toEqual([
    ["finished", undefined, 0],
    ["tool", "cancelled", 0],
    ["turn", "interrupted", 0],
    ["hook", undefined, 2],
  ]);
});

test.for([
  { way: "stuck-callback", message: "a function given to onExit took too long" },
  { way: "broken-callback", message: "a function given to onExit threw: callback broke" },
])(
  "an onExit function that fails is said, and holds neither the spans nor the process: $way",
  async ({ way, message }) => {
    await using sink = await OtlpSink.start();
    const { child, ready, ended } = run(sink, way);
    await ready;
    child.kill("SIGTERM");
    expect(await ended).toEqual({
      code: null,
      signal: "SIGTERM",
      stdout: "",
      stderr: `[hookscope] TELEMETRY_EXIT_CALLBACK_FAILED: ${message}\n`,
    });
    expect(spansOf(sink)).toEqual(endedBy("signal", "the process got SIGTERM"));
  },
);

test("OTEL_TRACES_EXPORTER=console prints the spans and sends none", async () => {
  await using sink = await OtlpSink.start();
  const { code, stdout } = await run(sink, "exit-function", { env: { OTEL_TRACES_EXPORTER: "console" } }).ended;
  expect(code).toBe(3);
  expect([...stdout.matchAll(/^ {2}name: '(.*)'/gm)].map((match) => match[1])).toEqual([
    "finished",
    "hook",
    "tool",
    "turn",
  ]);
  expect(sink.requests).toEqual([]);
});

test("a program's own listener of a signal works, and the end is its affair", async () => {
  await using sink = await OtlpSink.start();
  const { child, ready, ended } = run(sink, "listener");
  await ready;
  child.kill("SIGTERM");
  expect(await ended).toEqual({ code: 6, signal: null, stdout: "listener called\n", stderr: "" });
  expect(spansOf(sink)).toEqual(endedBy("exit", "the process was told to exit"));
});

test("a program that catches uncaught errors itself lives on", async () => {
  await using sink = await OtlpSink.start();
  expect(await run(sink, "caught-by-program").ended).toEqual({
    code: 5,
    signal: null,
    stdout: "survived\n",
    stderr: "",
  });
  expect(spansOf(sink)).toEqual(endedBy("exit", "the process was told to exit"));
});

test.for([3, 4])(
  "listeners of signal-exit %i do not hold the process, and get their turn before it ends",
  async (version) => {
    await using sink = await OtlpSink.start();
    const { child, ready, ended } = run(sink, `signal-exit-${version}`);
    await ready;
    child.kill("SIGTERM");
    expect(await ended).toEqual({ code: null, signal: "SIGTERM", stdout: "cleaned up\n", stderr: "" });
    expect(spansOf(sink)).toEqual(endedBy("signal", "the process got SIGTERM"));
  },
);

test("process.exit() cannot wait: what it loses is counted and said", async () => {
  await using sink = await OtlpSink.start();
  const { code, stderr } = await run(sink, "process-exit").ended;
  expect(code).toBe(4);
  expect(stderr).toMatch(/TELEMETRY_SPANS_DROPPED: 4 spans lost .*\(shutdown_timeout/);
  expect(spansOf(sink)).toEqual([]);
});

test.for([
  { way: "wait", end: [null, "SIGTERM"] },
  { way: "natural", end: [7, null] },
  { way: "exit-function", end: [3, null] },
  { way: "uncaught", end: [1, null] },
] as const)("a backend that hangs does not hold the process: $way", async ({ way, end }) => {
  await using sink = await OtlpSink.start();
  sink.answer = "hang";
  const { child, ready, ended } = run(sink, way, { timeoutMs: 200 });
  await ready;
  if (way === "wait") child.kill("SIGTERM");
  const { code, signal, stderr } = await ended;
  expect([code, signal]).toEqual(end);
  expect(stderr).toMatch(/TELEMETRY_SPANS_DROPPED: 4 spans lost .*\(shutdown_timeout/);
});
