import {
  askUser,
  block,
  createHookBus,
  defineHook,
  HOOK_POINT_NAMES,
  HOOK_POINTS,
  modify,
  proceed,
  type Hook,
  type HookEvent,
} from "@hookscope/hooks";
import { describe, expect, test } from "vitest";

import { createTestBus, hang, line, MODEL_CALL, TOOL_CALL, TURN } from "./support.ts";

/* The second half of the CommonAgent hooks page: its rules, and its two hooks. The name of a test is the sentence. */

describe("The rules", () => {
  test("1. Hooks run in registration order", async () => {
    const { bus } = createTestBus();
    for (const name of ["b", "c", "a"]) bus.register(defineHook({ name, on: { pre_llm_call: () => proceed() } }));
    const { invocations } = await bus.dispatch("pre_llm_call", MODEL_CALL, { turn: TURN });
    expect(invocations.map(({ hook, index }) => `${index} ${hook}`)).toEqual(["0 b", "1 c", "2 a"]);
  });

  test("2. The first Block wins, even over an earlier AskUser", async () => {
    const { bus } = createTestBus();
    bus.register(defineHook({ name: "asks", on: { pre_tool_call: () => askUser("run it?") } }));
    bus.register(defineHook({ name: "first", on: { pre_tool_call: () => block("first") } }));
    bus.register(defineHook({ name: "second", on: { pre_tool_call: () => block("second") } }));
    const { invocations, ...verdict } = await bus.dispatch("pre_tool_call", TOOL_CALL, { turn: TURN });
    expect(verdict).toEqual({ decision: "block", reason: "first", hook: "first", cause: "policy" });
    expect(invocations.map(line)).toEqual([
      "asks ok ask_user superseded",
      "first ok block applied",
      "second ok block superseded",
    ]);
  });

  test("3. Directive Modify objects are shallow-merged in order", async () => {
    const { bus } = createTestBus();
    bus.register(defineHook({ name: "a", on: { pre_tool_call: () => modify({ args: { cwd: "/a", user: "a" } }) } }));
    bus.register(defineHook({ name: "b", on: { pre_tool_call: () => modify({ args: { cwd: "/b" } }) } }));
    const { invocations: _, ...verdict } = await bus.dispatch("pre_tool_call", TOOL_CALL, { turn: TURN });
    expect(verdict).toEqual({ decision: "modify", value: { args: { command: "ls", cwd: "/b", user: "a" } } });
  });

  test("3. For transforms, the first Modify wins", async () => {
    const { bus } = createTestBus();
    bus.register(defineHook({ name: "a", on: { transform_llm_output: () => modify("first") } }));
    bus.register(defineHook({ name: "b", on: { transform_llm_output: () => modify("second") } }));
    const reply = { response_text: "reply", model: "model-1" };
    const { invocations: _, ...verdict } = await bus.dispatch("transform_llm_output", reply, { turn: TURN });
    expect(verdict).toEqual({ decision: "modify", value: "first" });
  });

  test("4. A result a point doesn't accept is logged and ignored", async () => {
    const { bus, log } = createTestBus();
    bus.register({ name: "a", points: ["pre_llm_call"], call: () => block("no model today") });
    const { decision } = await bus.dispatch("pre_llm_call", MODEL_CALL, { turn: TURN });
    expect(decision).toBe("continue");
    expect(log.messages).toEqual([
      'a result of hook "a" at pre_llm_call is ignored: the point does not take block: it takes modify. Further ones are only counted.',
    ]);
  });

  test.for(HOOK_POINT_NAMES)(
    "5. A hook that errors or takes longer than 60 seconds blocks the action on pre_tool_call and is skipped everywhere else: %s",
    async (point) => {
      const decisions = [];
      for (const call of [() => Promise.reject(new Error("broke")), hang]) {
        const { bus, clock } = createTestBus();
        bus.register({ name: "a", points: [point], call });
        const pending = bus.dispatch(point as "pre_tool_call", TOOL_CALL, { turn: TURN });
        await clock.advance(60_000);
        decisions.push((await pending).decision);
      }
      const expected = point === "pre_tool_call" ? "block" : "continue";
      expect(decisions).toEqual([expected, expected]);
    },
  );

  test("Only pre_tool_call fails closed", () => {
    expect(HOOK_POINT_NAMES.filter((point) => HOOK_POINTS[point].failurePolicy === "closed")).toEqual([
      "pre_tool_call",
    ]);
  });
});

describe("Write a hook", () => {
  test("An observer that prints each model call's token usage", async () => {
    const printed: string[] = [];
    const usage: Hook = {
      name: "usage",
      points: ["post_api_request"],
      async call(event: HookEvent) {
        if (event.point === "post_api_request") printed.push(`model call: ${event.payload.usage.input_tokens}`);
      },
    };
    const bus = createHookBus({ hooks: [usage] });
    const tokens = { output_tokens: 1, cache_read_tokens: 0, cache_write_tokens: 0, reasoning_tokens: 0 };
    await bus.dispatch(
      "post_api_request",
      {
        provider: "p",
        model: "m",
        usage: { input_tokens: 12, ...tokens },
        stop: "end_turn",
        iteration: 1,
        attempt: 1,
        response_model: "m",
        duration_ms: 1,
        purpose: "turn",
      },
      { turn: TURN },
    );
    expect(printed).toEqual(["model call: 12"]);
  });

  test("A directive that stops client agents from delegating", async () => {
    const noDelegationForClients = defineHook({
      name: "no_delegation_for_clients",
      on: {
        pre_tool_call: ({ turn, payload }) =>
          turn.tags.some((tag) => tag.key === "client") && payload.tool_name === "agent"
            ? block("client agents work alone")
            : proceed(),
      },
    });
    const bus = createHookBus({ hooks: [noDelegationForClients] });
    const delegate = { ...TOOL_CALL, tool_name: "agent" };
    const decide = async (turn: typeof TURN, call: typeof delegate) =>
      (await bus.dispatch("pre_tool_call", call, { turn })).decision;
    const client = { ...TURN, tags: [{ key: "client", value: "acme" }] };
    expect([await decide(client, delegate), await decide(TURN, delegate), await decide(client, TOOL_CALL)]).toEqual([
      "block",
      "continue",
      "continue",
    ]);
  });

  test("Register hooks on a HookBus when you embed", () => {
    const bus = createHookBus({ hooks: [defineHook({ name: "a", on: { pre_tool_call: () => proceed() } })] });
    bus.register(defineHook({ name: "b", on: { pre_tool_call: () => proceed() } }));
    expect(bus.list().map(({ hook }) => hook)).toEqual(["a", "b"]);
  });
});
