import { context, ROOT_CONTEXT, trace, TraceFlags } from "@opentelemetry/api";
import { AlwaysOffSampler } from "@opentelemetry/sdk-trace";
import { askUser, block, createHookBus, defineHook, modify, type Hook } from "@hookscope/hooks";
import { collectWarnings, createFakeClock, createTestTelemetry, type TestTelemetry } from "@hookscope/testing";
import { afterEach, beforeEach, describe, expect, test } from "vitest";

import { createTestBus, hang, MODEL_CALL, TOOL_CALL, TURN } from "./support.ts";

let telemetry: TestTelemetry;
beforeEach(() => {
  telemetry = createTestTelemetry();
});
afterEach(() => telemetry.dispose());

/** What every span of this hook at this point has. */
function common(point: string, hook: string, kind: string, policy: string, index = 0) {
  return {
    "agent_hook.point": point,
    "agent_hook.name": hook,
    "agent_hook.kind": kind,
    "agent_hook.index": index,
    "agent_hook.pass": 1,
    "agent_hook.failure_policy": policy,
    "agent_hook.timeout": 60,
    "session.id": "session-1",
    "gen_ai.conversation.id": "session-1",
    "agent_turn.id": "turn-1",
  };
}

describe("attributes", () => {
  test("of a call that said nothing", async () => {
    const { bus } = createTestBus();
    bus.register(defineHook({ name: "usage", source: "billing", timeoutMs: 1_500, on: { post_llm_call: () => {} } }));
    await bus.dispatch("post_llm_call", {} as never, { turn: TURN });
    expect(telemetry.spans().map(({ name, kind, attributes, status }) => ({ name, kind, attributes, status }))).toEqual(
      [
        {
          name: "post_llm_call usage",
          kind: "INTERNAL",
          attributes: {
            ...common("post_llm_call", "usage", "observer", "open"),
            "agent_hook.timeout": 1.5,
            "agent_hook.source": "billing",
            "agent_hook.execution": "ok",
            "agent_hook.decision": "continue",
            "agent_hook.applied": false,
          },
          status: { code: "UNSET" },
        },
      ],
    );
  });

  test("of an ask, a change, a block and a block that came too late: none is an error", async () => {
    const { bus } = createTestBus();
    bus.register(defineHook({ name: "asks", on: { pre_tool_call: () => askUser("run it?") } }));
    bus.register(defineHook({ name: "jails", on: { pre_tool_call: () => modify({ args: { cwd: "/jail" } }) } }));
    bus.register(defineHook({ name: "blocks", on: { pre_tool_call: () => block("no shell") } }));
    await bus.dispatch("pre_tool_call", TOOL_CALL, { turn: TURN });
    const of = (hook: string, index: number) => common("pre_tool_call", hook, "directive", "closed", index);
    expect(telemetry.spans().map(({ attributes, status }) => ({ attributes, status }))).toEqual([
      {
        attributes: {
          ...of("asks", 0),
          "agent_hook.execution": "ok",
          "agent_hook.decision": "ask_user",
          "agent_hook.applied": false,
          "agent_hook.not_applied_reason": "superseded",
          "agent_hook.reason": "run it?",
        },
        status: { code: "UNSET" },
      },
      {
        attributes: {
          ...of("jails", 1),
          "agent_hook.execution": "ok",
          "agent_hook.decision": "modify",
          "agent_hook.applied": false,
          "agent_hook.not_applied_reason": "superseded",
          "agent_hook.changed_keys": ["cwd"],
        },
        status: { code: "UNSET" },
      },
      {
        attributes: {
          ...of("blocks", 2),
          "agent_hook.execution": "ok",
          "agent_hook.decision": "block",
          "agent_hook.applied": true,
          "agent_hook.reason": "no shell",
        },
        status: { code: "UNSET" },
      },
    ]);
  });

  test("of failures: ERROR only where a hook threw or timed out", async () => {
    const { bus, clock } = createTestBus();
    bus.register({ name: "throws", points: ["pre_llm_call"], call: () => Promise.reject(new RangeError("broke")) });
    bus.register({ name: "hangs", points: ["pre_llm_call"], call: hang });
    bus.register({ name: "babbles", points: ["pre_llm_call"], call: () => "text" as never });
    for (let time = 0; time < 2; time += 1) {
      const pending = bus.dispatch("pre_llm_call", MODEL_CALL, { turn: TURN });
      await clock.advance(60_000);
      await pending;
      await clock.advance(-0);
    }
    const brief = telemetry.spans().map(({ attributes, status }) => ({
      hook: attributes["agent_hook.name"],
      execution: attributes["agent_hook.execution"],
      type: attributes["error.type"],
      status,
    }));
    expect(brief).toEqual([
      {
        hook: "throws",
        execution: "error",
        type: "RangeError",
        status: { code: "ERROR", message: "broke" },
      },
      {
        hook: "hangs",
        execution: "timeout",
        type: "HookTimeout",
        status: { code: "ERROR", message: "took longer than 60000 ms" },
      },
      { hook: "babbles", execution: "invalid_result", type: undefined, status: { code: "UNSET" } },
      { hook: "throws", execution: "error", type: "RangeError", status: { code: "ERROR", message: "broke" } },
      { hook: "hangs", execution: "suspended", type: undefined, status: { code: "UNSET" } },
      { hook: "babbles", execution: "invalid_result", type: undefined, status: { code: "UNSET" } },
    ]);
  });

  test("at the gateway there is no turn to name", async () => {
    const { bus } = createTestBus();
    bus.register(defineHook({ name: "spam", on: { pre_gateway_dispatch: () => {} } }));
    await bus.dispatch("pre_gateway_dispatch", { profile: "p", source: "s", session_id: null, text: "t" });
    const {
      "session.id": _1,
      "gen_ai.conversation.id": _2,
      "agent_turn.id": _3,
      ...rest
    } = common("pre_gateway_dispatch", "spam", "directive", "open");
    expect(telemetry.spans()[0]?.attributes).toEqual({
      ...rest,
      "agent_hook.execution": "ok",
      "agent_hook.decision": "continue",
      "agent_hook.applied": false,
    });
  });

  test("the second pass says so", async () => {
    const { bus } = createTestBus();
    bus.register(defineHook({ name: "policy", reinvoke: "if_modified", on: { pre_tool_call: () => {} } }));
    bus.register(defineHook({ name: "jails", on: { pre_tool_call: () => modify({ args: { cwd: "/jail" } }) } }));
    await bus.dispatch("pre_tool_call", TOOL_CALL, { turn: TURN });
    const passes = telemetry.spans().map(({ name, attributes }) => `${name} ${String(attributes["agent_hook.pass"])}`);
    expect(passes).toEqual(["pre_tool_call policy 1", "pre_tool_call jails 1", "pre_tool_call policy 2"]);
  });

  test("a reason is cut at 256 characters, never within one", async () => {
    const { bus, records } = createTestBus();
    const long = `${"x".repeat(254)}😀${"y".repeat(100)}`;
    bus.register(defineHook({ name: "a", on: { pre_tool_call: () => block(long) } }));
    await bus.dispatch("pre_tool_call", TOOL_CALL, { turn: TURN });
    expect(telemetry.spans()[0]?.attributes["agent_hook.reason"]).toBe(`${"x".repeat(254)}…`);
    expect(records[0]?.reason).toBe(long);
  });

  test("the record names its span", async () => {
    const { bus, records } = createTestBus();
    bus.register(defineHook({ name: "a", on: { pre_llm_call: () => {} } }));
    await bus.dispatch("pre_llm_call", MODEL_CALL, { turn: TURN });
    const [span] = telemetry.spans();
    expect([records[0]?.traceId, records[0]?.spanId]).toEqual([span?.traceId, span?.spanId]);
  });
});

describe("time", () => {
  test("a span starts and ends with the hook, on the bus's clock, and the next begins where it ended", async () => {
    const { bus, clock } = createTestBus();
    const begin = clock.now();
    const wait = (ms: number) => () => new Promise<void>((resolve) => clock.setTimer(resolve, ms));
    bus.register(defineHook({ name: "a", on: { pre_llm_call: wait(250) } }));
    bus.register(defineHook({ name: "b", on: { pre_llm_call: () => clock.block(5) } }));
    bus.register(defineHook({ name: "c", on: { pre_llm_call: wait(100) } }));
    const pending = bus.dispatch("pre_llm_call", MODEL_CALL, { turn: TURN });
    await clock.advance(1_000);
    const { invocations } = await pending;
    const times = telemetry.spans().map((span) => [span.name, span.startTime - begin, span.endTime - begin]);
    expect(times).toEqual([
      ["pre_llm_call a", 0, 250],
      ["pre_llm_call b", 250, 255],
      ["pre_llm_call c", 255, 355],
    ]);
    expect(invocations.map(({ durationMs }) => durationMs)).toEqual([250, 5, 100]);
  });

  test("a clock that goes back makes no negative time", async () => {
    let now = 4_102_444_800_000;
    const clock = { now: () => (now -= 10), setTimer: () => ({ cancel() {} }) };
    const bus = createHookBus({ clock });
    bus.register(defineHook({ name: "a", on: { pre_llm_call: () => {} } }));
    const { invocations } = await bus.dispatch("pre_llm_call", MODEL_CALL, { turn: TURN });
    const [span] = telemetry.spans();
    expect([invocations[0]?.durationMs, (span?.endTime ?? 0) - (span?.startTime ?? 0)]).toEqual([0, 0]);
  });
});

describe("parents", () => {
  const nesting: Hook = {
    name: "a",
    points: ["pre_llm_call"],
    async call() {
      telemetry.tracer.startSpan("at once").end();
      await Promise.resolve();
      telemetry.tracer.startActiveSpan("later", (span) => {
        telemetry.tracer.startSpan("within later").end();
        span.end();
      });
    },
  };

  test("a hook's own spans nest under its invocation, also after it waited", async () => {
    const { bus } = createTestBus({ hooks: [nesting] });
    bus.register({ ...nesting, name: "b" });
    await telemetry.tracer.startActiveSpan("invoke_agent reviewer", async (turn) => {
      await bus.dispatch("pre_llm_call", MODEL_CALL, { turn: TURN });
      turn.end();
    });
    expect(telemetry.tree()).toEqual([
      "invoke_agent reviewer",
      "  pre_llm_call a",
      "    at once",
      "    later",
      "      within later",
      "  pre_llm_call b",
      "    at once",
      "    later",
      "      within later",
    ]);
    expect(telemetry.unended()).toEqual([]);
  });

  test("the parent that is given counts, not the active span", async () => {
    const { bus } = createTestBus({ hooks: [nesting] });
    const parent = telemetry.tracer.startSpan("given", {}, ROOT_CONTEXT);
    await telemetry.tracer.startActiveSpan("active", async (active) => {
      await bus.dispatch("pre_llm_call", MODEL_CALL, { turn: TURN, parent: trace.setSpan(ROOT_CONTEXT, parent) });
      active.end();
    });
    parent.end();
    expect(telemetry.tree()).toEqual([
      "given",
      "  pre_llm_call a",
      "    at once",
      "    later",
      "      within later",
      "active",
    ]);
  });

  test("a parent in another process counts", async () => {
    const { bus, records } = createTestBus({ hooks: [nesting] });
    const remote = {
      traceId: "0af7651916cd43dd8448eb211c80319c",
      spanId: "b7ad6b7169203331",
      traceFlags: TraceFlags.SAMPLED,
      isRemote: true,
    };
    const parent = trace.setSpanContext(ROOT_CONTEXT, remote);
    await bus.dispatch("pre_llm_call", MODEL_CALL, { turn: TURN, parent });
    const [span] = telemetry.spans();
    expect([span?.traceId, span?.parentSpanId]).toEqual([remote.traceId, remote.spanId]);
    expect(records[0]?.traceId).toBe(remote.traceId);
  });

  test("context.span is the invocation's, and takes what the hook sets on it", async () => {
    const { bus } = createTestBus();
    bus.register(defineHook({ name: "a", on: { pre_llm_call: (_, { span }) => void span.setAttribute("own", 1) } }));
    await bus.dispatch("pre_llm_call", MODEL_CALL, { turn: TURN });
    expect(telemetry.spans()[0]?.attributes["own"]).toBe(1);
  });

  test("a hook that runs after another turn's timer fired is in its own turn, not in that one", async () => {
    const { bus, clock } = createTestBus({ timeoutMs: 100 });
    const active: (string | undefined)[] = [];
    bus.register({ name: "hangs", points: ["pre_llm_call"], call: hang });
    bus.register(
      defineHook({
        name: "looks",
        on: { pre_llm_call: () => void active.push(trace.getSpan(context.active())?.spanContext().spanId) },
      }),
    );
    const unrecorded = trace.wrapSpanContext({ traceId: "1".repeat(32), spanId: "2".repeat(16), traceFlags: 0 });
    const other = telemetry.tracer.startSpan("other turn");
    const first = context.with(trace.setSpan(ROOT_CONTEXT, other), () =>
      bus.dispatch("pre_llm_call", MODEL_CALL, { turn: TURN }),
    );
    const second = context.with(trace.setSpan(ROOT_CONTEXT, unrecorded), () =>
      bus.dispatch("pre_llm_call", MODEL_CALL, { turn: TURN }),
    );
    await context.with(trace.setSpan(ROOT_CONTEXT, other), () => clock.advance(100));
    await Promise.all([first, second]);
    other.end();
    const looks = telemetry.spans().find(({ name }) => name === "pre_llm_call looks");
    expect(active).toEqual([looks?.spanId, "2".repeat(16)]);
  });
});

describe("what is not recorded", () => {
  test("no span is made under an unrecorded turn, its hooks' own spans neither", async () => {
    const { bus, records } = createTestBus();
    const spans: boolean[] = [];
    bus.register(
      defineHook({
        name: "a",
        on: {
          pre_llm_call(_, { span }) {
            spans.push(span.isRecording());
            telemetry.tracer.startSpan("own").end();
          },
        },
      }),
    );
    const unrecorded = trace.wrapSpanContext({ traceId: "1".repeat(32), spanId: "2".repeat(16), traceFlags: 0 });
    const parent = trace.setSpan(ROOT_CONTEXT, unrecorded);
    await bus.dispatch("pre_llm_call", MODEL_CALL, { turn: TURN, parent });
    expect(telemetry.tree()).toEqual([]);
    expect(spans).toEqual([false]);
    expect([records[0]?.traceId, records[0]?.spanId]).toEqual([undefined, undefined]);
  });

  test("no span is named where a sampler refused it", async () => {
    await telemetry.dispose();
    telemetry = createTestTelemetry({ sampler: new AlwaysOffSampler() });
    const { bus, records } = createTestBus();
    bus.register(defineHook({ name: "a", on: { pre_llm_call: () => {} } }));
    await bus.dispatch("pre_llm_call", MODEL_CALL, { turn: TURN });
    expect([telemetry.tree(), records[0]?.spanId]).toEqual([[], undefined]);
  });

  test("without an SDK hooks run all the same", async () => {
    await telemetry.dispose();
    const { bus, records } = createTestBus();
    bus.register(defineHook({ name: "a", on: { pre_llm_call: (_, { span }) => void span.setAttribute("own", 1) } }));
    await bus.dispatch("pre_llm_call", MODEL_CALL, { turn: TURN });
    expect([records[0]?.execution, records[0]?.spanId]).toEqual(["ok", undefined]);
    telemetry = createTestTelemetry();
  });

  test("a bus made before the SDK starts records once it has", async () => {
    await telemetry.dispose();
    const { bus } = createTestBus();
    bus.register(defineHook({ name: "a", on: { pre_llm_call: () => {} } }));
    await bus.dispatch("pre_llm_call", MODEL_CALL, { turn: TURN });
    telemetry = createTestTelemetry();
    await bus.dispatch("pre_llm_call", MODEL_CALL, { turn: TURN });
    expect(telemetry.tree()).toEqual(["pre_llm_call a"]);
  });
});

test("a tracer that throws is logged once and felt by nobody", async () => {
  const log = collectWarnings();
  const fail = (): never => {
    throw new Error("no tracer");
  };
  const tracer = { startSpan: fail, startActiveSpan: fail };
  const bus = createHookBus({ tracer, logger: log, clock: createFakeClock() });
  bus.register(defineHook({ name: "a", on: { pre_llm_call: () => modify({ context: "more" }) } }));
  const verdicts = [
    await bus.dispatch("pre_llm_call", MODEL_CALL, { turn: TURN }),
    await bus.dispatch("pre_llm_call", MODEL_CALL, { turn: TURN }),
  ];
  expect(verdicts.map(({ decision }) => decision)).toEqual(["modify", "modify"]);
  expect(log.messages).toEqual([
    "the span of a hook invocation could not be made: Error: no tracer. Its record was still published.",
  ]);
});

test("a span that throws when it ends is logged once and felt by nobody", async () => {
  const log = collectWarnings();
  const broken = telemetry.tracer.startSpan("broken");
  Reflect.set(broken, "end", () => {
    throw new Error("no processor");
  });
  const tracer = { startSpan: () => broken, startActiveSpan: telemetry.tracer.startActiveSpan.bind(telemetry.tracer) };
  const bus = createHookBus({ tracer, logger: log, clock: createFakeClock() });
  bus.register(defineHook({ name: "a", on: { pre_llm_call: () => {} } }));
  const { decision } = await bus.dispatch("pre_llm_call", MODEL_CALL, { turn: TURN });
  expect(decision).toBe("continue");
  expect(log.messages).toEqual([
    "the span of a hook invocation could not be made: Error: no processor. Its record was still published.",
  ]);
});
