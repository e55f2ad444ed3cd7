import { createHookBus, createRedactor, defineHook, modify, turnInfo } from "@hookscope/hooks";
import { createTestTelemetry } from "@hookscope/testing";
import { describe, expect, test } from "vitest";

import { createTestBus, hang, line, MODEL_CALL, refusal, TOOL_CALL, TURN } from "./support.ts";

const revoked = (): object => {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
};

const quiet = defineHook({ name: "a", on: { pre_llm_call: () => {}, on_stream_delta: () => {} } });

describe("a turn", () => {
  const rows: readonly (readonly [string, unknown])[] = [
    ["a collection", new Map()],
    ["a date", new Date(0)],
    ["bytes", new Uint8Array(3)],
    ["something that cannot be read", revoked()],
    ["a list", []],
  ];

  test.for(rows)("%s is no turn, for dispatch and for stream", async ([, turn]) => {
    const { bus } = createTestBus({ hooks: [quiet] });
    await expect(bus.dispatch("pre_llm_call", MODEL_CALL, { turn: turn as never })).rejects.toThrow(
      "HOOK_TURN_MISSING: pre_llm_call belongs to a turn; give `turn` to dispatch. turnInfo() makes one.",
    );
    expect(refusal(() => bus.stream("on_stream_delta", { turn: turn as never }))).toBe(
      "HOOK_TURN_MISSING: on_stream_delta belongs to a turn; give `turn` to stream. turnInfo() makes one.",
    );
  });

  test("what is undefined gets its plain default, as what is not given", () => {
    const { turn_id: turn, agent } = turnInfo({ turn_id: undefined, agent: undefined } as never);
    expect([/^[\da-f-]{36}$/.test(turn), agent]).toEqual([true, "agent"]);
  });
});

describe("a payload", () => {
  const rows: readonly (readonly [string, unknown])[] = [
    ["null", null],
    ["nothing", undefined],
    ["a text", "text"],
    ["a list", []],
    ["something that cannot be read", revoked()],
  ];

  test.for(rows)("that is %s: a hook may still say what it wants to change", async ([, given]) => {
    const { bus } = createTestBus();
    bus.register(defineHook({ name: "a", on: { pre_tool_call: () => modify({ args: { path: "x" } }) } }));
    const verdict = await bus.dispatch("pre_tool_call", given as never, { turn: TURN });
    expect(verdict.invocations.map(line)).toEqual(["a ok modify applied"]);
    expect(verdict).toMatchObject({ decision: "modify", value: { args: { path: "x" } } });
  });
});

describe("a signal or a parent of another kind", () => {
  const rows: readonly (readonly [string, object, string])[] = [
    ["a controller for its signal", { signal: new AbortController() }, "signal is an object; give an AbortSignal."],
    ["null for a signal", { signal: null }, "signal is null; give an AbortSignal."],
    ["a span for a context", { parent: { spanContext() {} } }, "parent is an object; give an OpenTelemetry Context."],
    ["a trace id for a context", { parent: "4bf92f" }, 'parent is "4bf92f"; give an OpenTelemetry Context.'],
  ];

  test.for(rows)("%s is refused before a hook is called", async ([, given, problem]) => {
    const { bus, records } = createTestBus();
    bus.register({ name: "a", points: ["pre_llm_call", "on_stream_delta"], call: hang });
    await expect(bus.dispatch("pre_llm_call", MODEL_CALL, { turn: TURN, ...given })).rejects.toThrow(
      `HOOK_OPTION_INVALID: dispatch: ${problem}`,
    );
    expect(refusal(() => bus.stream("on_stream_delta", { turn: TURN, ...given }))).toBe(
      `HOOK_OPTION_INVALID: stream: ${problem}`,
    );
    expect([records, bus.list()[0]?.inFlight]).toEqual([[], 0]);
  });
});

describe("createHookBus", () => {
  const rows: readonly (readonly [string, unknown, string])[] = [
    ["hooks that are no list", { hooks: quiet }, "the bus: hooks is an object; give a list of hooks."],
    ["a clock without timers", { clock: { now: Date.now } }, "the bus: clock has no function `setTimer`."],
    ["a clock that is a function", { clock: Date.now }, "the bus: clock has no function `now`."],
    ["a logger that cannot warn", { logger: { error() {} } }, "the bus: logger has no function `warn`."],
    ["a function for a redactor", { redact: (text: string) => text }, "the bus: redact has no function `text`."],
    ["a provider for a tracer", { tracer: { getTracer() {} } }, "the bus: tracer has no function `startSpan`."],
    ["null for a tracer", { tracer: null }, "the bus: tracer is null; give an object with `startSpan`."],
    [
      "a limit of spans below 0",
      { maxSpansPerTurn: -1 },
      "the bus: maxSpansPerTurn is -1; give a whole number from 0 on, or Infinity.",
    ],
    [
      "a limit of spans in a text",
      { maxSpansPerTurn: "9" },
      'the bus: maxSpansPerTurn is "9"; give a whole number from 0 on, or Infinity.',
    ],
  ];

  test.for(rows)("refuses %s", ([, options, problem]) => {
    expect(refusal(() => createHookBus(options as never))).toBe(`HOOK_OPTION_INVALID: ${problem}`);
  });

  test("says which of the hooks it cannot use, where that has no name", () => {
    expect(refusal(() => createHookBus({ hooks: [quiet, undefined as never] }))).toBe(
      "HOOK_NAME_MISSING: hooks[1] is undefined; give an object with a non-blank name: `name` identifies a hook in spans and metrics.",
    );
  });
});

test.for([undefined, null, {}, "listener"])("subscribe refuses %o", (listener) => {
  const { bus } = createTestBus();
  expect(refusal(() => bus.subscribe(listener as never))).toMatch(
    /^HOOK_NOT_CALLABLE: subscribe was given .*; give it a function, which is called with each invocation\.$/,
  );
});

test("a redactor that gives back something else than it was given lets nothing out, and is not felt", async () => {
  for (const given of [undefined, null, 7, Object.create(null), Promise.resolve("text")]) {
    const { bus, records } = createTestBus({ redact: { text: () => given, value: () => given } as never });
    bus.register(
      defineHook({ name: "a", source: "plugin", on: { pre_tool_call: () => modify({ args: { path: 1 } }) } }),
    );
    bus.register({ name: "b", points: ["pre_tool_call"], call: () => Promise.reject(new Error("broke")) });
    const { decision } = await bus.dispatch("pre_tool_call", TOOL_CALL, { turn: TURN });
    expect(decision).toBe("block");
    expect(
      records.map(({ hook, source, turn, changedKeys, reason }) => [hook, source, turn, changedKeys, reason]),
    ).toEqual([
      ["a", "plugin", undefined, ["[redaction failed]"], undefined],
      ["b", undefined, undefined, undefined, "[redaction failed]"],
    ]);
  }
});

test("a span that cannot say which it is costs nobody the verdict or the record", async () => {
  const telemetry = createTestTelemetry();
  const tracer = {
    startSpan: () =>
      new Proxy(telemetry.tracer.startSpan("given"), {
        get: (span, key) => (key === "spanContext" ? fail : Reflect.get(span, key)),
      }),
    startActiveSpan: fail,
  } as never;
  const { bus, log, records } = createTestBus({ tracer });
  bus.register(defineHook({ name: "a", on: { pre_llm_call: async () => modify({ context: "more" }) } }));
  const { decision } = await bus.dispatch("pre_llm_call", MODEL_CALL, { turn: TURN });
  await telemetry.dispose();
  expect([decision, records.map(line), records[0]?.spanId]).toEqual(["modify", ["a ok modify applied"], undefined]);
  expect(log.messages).toEqual([
    "the span of a hook invocation could not be made: Error: broke. Its record was still published.",
  ]);
});

function fail(): never {
  throw new Error("broke");
}

test("a listener that dispatches is told of that dispatch too, before the one it was told of is over", async () => {
  const { bus } = createTestBus({ hooks: [quiet] });
  bus.register(defineHook({ name: "b", on: { post_llm_call: () => {} } }));
  const told: string[] = [];
  const dispatched: Promise<unknown>[] = [];
  bus.subscribe(({ point, hook }) => {
    told.push(`${point} ${hook}`);
    if (point === "pre_llm_call") dispatched.push(bus.dispatch("post_llm_call", {} as never, { turn: TURN }));
  });
  await bus.dispatch("pre_llm_call", MODEL_CALL, { turn: TURN });
  await Promise.all(dispatched);
  expect(told).toEqual(["pre_llm_call a", "post_llm_call b"]);
});

test("the redactor's own errors end in one full stop", () => {
  const shape = Object.defineProperty({}, "id", {
    get: () => {
      throw new Error("It cannot be read.");
    },
  });
  expect(refusal(() => createRedactor({ shapes: [shape as never] }))).toBe(
    "HOOK_REDACTOR_INVALID: `shapes[0]` cannot be used: It cannot be read.",
  );
});
