import { defineHook, modify, snapshot, turnInfo, type HookEvent, type JsonObject } from "@hookscope/hooks";
import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { createTestBus, line, MODEL_CALL, TOOL_CALL, TURN } from "./support.ts";

test("a payload may be a function, called once for all hooks", async () => {
  const { bus } = createTestBus();
  const seen: unknown[] = [];
  for (const name of ["a", "b"]) {
    bus.register(defineHook({ name, on: { pre_llm_call: ({ payload }) => void seen.push(payload) } }));
  }
  let made = 0;
  await bus.dispatch("pre_llm_call", () => ((made += 1), MODEL_CALL), { turn: TURN });
  expect([made, seen]).toEqual([1, [MODEL_CALL, MODEL_CALL]]);
});

test("what that function throws is the caller's: the dispatch rejects with it, and no hook runs", async () => {
  const { bus, records } = createTestBus({ hooks: [defineHook({ name: "a", on: { pre_llm_call: () => {} } })] });
  const fail = (): never => {
    throw new RangeError("no payload");
  };
  await expect(bus.dispatch("pre_llm_call", fail, { turn: TURN })).rejects.toThrow(new RangeError("no payload"));
  expect(records).toEqual([]);
});

test("the payload is what it was at dispatch, whatever its owner does to it meanwhile", async () => {
  const { bus } = createTestBus();
  const args = { path: "a" };
  const seen: unknown[] = [];
  bus.register(
    defineHook({
      name: "a",
      on: {
        async pre_tool_call({ payload }) {
          await Promise.resolve();
          seen.push(payload.args);
        },
      },
    }),
  );
  const pending = bus.dispatch("pre_tool_call", { ...TOOL_CALL, args }, { turn: TURN });
  args.path = "b";
  await pending;
  expect(seen).toEqual([{ path: "a" }]);
});

test("a hook that mutates its event fails itself, and changes nothing for the others", async () => {
  const { bus } = createTestBus();
  const seen: unknown[] = [];
  const vandal = (event: HookEvent): void => {
    (event as { payload: unknown }).payload = {};
  };
  bus.register({ name: "vandal", points: ["pre_llm_call"], call: vandal });
  bus.register(defineHook({ name: "b", on: { pre_llm_call: ({ payload }) => void seen.push(payload) } }));
  const { invocations } = await bus.dispatch("pre_llm_call", MODEL_CALL, { turn: TURN });
  expect(invocations.map(line)).toEqual(["vandal error none failed_open", "b ok continue -"]);
  expect(seen).toEqual([MODEL_CALL]);
});

test("a hook may dispatch itself, at its own point too", async () => {
  const { bus, records } = createTestBus();
  let depth = 0;
  bus.register(
    defineHook({
      name: "a",
      on: {
        async pre_llm_call() {
          depth += 1;
          if (depth < 3) await bus.dispatch("pre_llm_call", MODEL_CALL, { turn: TURN });
        },
      },
    }),
  );
  await bus.dispatch("pre_llm_call", MODEL_CALL, { turn: TURN });
  expect(records.map(line)).toEqual(["a ok continue -", "a ok continue -", "a ok continue -"]);
});

test("a thousand hooks that answer at once, and a thousand that do not, need no stack", async () => {
  const { bus } = createTestBus();
  for (let index = 0; index < 2_000; index += 1) {
    const call = index % 2 === 0 ? () => {} : () => Promise.resolve();
    bus.register({ name: `h${index}`, points: ["pre_llm_call"], call });
  }
  const { invocations } = await bus.dispatch("pre_llm_call", MODEL_CALL, { turn: TURN });
  expect(invocations.map(({ index }) => index)).toEqual(Array.from({ length: 2_000 }, (_, index) => index));
});

describe("the second pass", () => {
  test("is given the merged arguments and, besides, the payload as it was", async () => {
    const { bus } = createTestBus();
    const seen: unknown[] = [];
    bus.register(
      defineHook({
        name: "policy",
        reinvoke: "if_modified",
        on: { pre_tool_call: ({ payload }) => void seen.push(payload) },
      }),
    );
    bus.register(defineHook({ name: "a", on: { pre_tool_call: () => modify({ args: { cwd: "/jail" } }) } }));
    await bus.dispatch("pre_tool_call", TOOL_CALL, { turn: TURN });
    expect(seen).toEqual([TOOL_CALL, { ...TOOL_CALL, args: { command: "ls", cwd: "/jail" } }]);
    expect(Object.isFrozen(seen[1])).toBe(true);
  });

  test("comes where somebody asked and somebody else changed the arguments, and the question stays", async () => {
    const { bus } = createTestBus();
    bus.register({
      name: "policy",
      points: ["pre_tool_call"],
      reinvoke: "if_modified",
      call: () => ({ decision: "ask_user", question: "run it?" }),
    });
    bus.register(defineHook({ name: "a", on: { pre_tool_call: () => modify({ args: { cwd: "/jail" } }) } }));
    const { invocations, ...verdict } = await bus.dispatch("pre_tool_call", TOOL_CALL, { turn: TURN });
    expect(verdict).toEqual({
      decision: "ask_user",
      question: "run it?",
      hook: "policy",
      value: { args: { command: "ls", cwd: "/jail" } },
    });
    expect(invocations.map(line)).toEqual([
      "policy ok ask_user applied",
      "a ok modify applied",
      "policy#2 ok ask_user superseded",
    ]);
  });

  test("a failure in it blocks", async () => {
    const { bus } = createTestBus();
    let calls = 0;
    bus.register({
      name: "policy",
      points: ["pre_tool_call"],
      reinvoke: "if_modified",
      async call() {
        calls += 1;
        if (calls === 2) throw new Error("broke");
      },
    });
    bus.register(defineHook({ name: "a", on: { pre_tool_call: () => modify({ args: { cwd: "/jail" } }) } }));
    const { invocations, ...verdict } = await bus.dispatch("pre_tool_call", TOOL_CALL, { turn: TURN });
    expect(verdict).toEqual({
      decision: "block",
      reason: 'hook "policy" failed: Error: broke',
      hook: "policy",
      cause: "failure",
    });
    expect(invocations.map(line)).toEqual([
      "policy ok continue -",
      "a ok modify superseded",
      "policy#2 error none applied",
    ]);
  });

  test("is not taken by hooks that did not ask for it, nor at other points", async () => {
    const { bus, records } = createTestBus();
    bus.register(defineHook({ name: "never", reinvoke: "never", on: { pre_tool_call: () => {} } }));
    bus.register(
      defineHook({ name: "a", reinvoke: "if_modified", on: { pre_llm_call: () => modify({ context: "more" }) } }),
    );
    bus.register(defineHook({ name: "b", on: { pre_tool_call: () => modify({ args: { cwd: "/jail" } }) } }));
    await bus.dispatch("pre_tool_call", TOOL_CALL, { turn: TURN });
    await bus.dispatch("pre_llm_call", MODEL_CALL, { turn: TURN });
    expect(records.map(line)).toEqual(["never ok continue -", "b ok modify applied", "a ok modify applied"]);
  });
});

test("the verdict holds every argument, changed or not, and the record every key that was asked for", async () => {
  const keys = fc.dictionary(fc.string({ minLength: 1, maxLength: 8 }), fc.jsonValue({ maxDepth: 1 }), { maxKeys: 4 });
  const forbidden = new Set(["__proto__", "constructor", "prototype"]);
  await fc.assert(
    fc.asyncProperty(keys, keys, async (args, given) => {
      const changes = { ...given, changed: true };
      const { bus, records } = createTestBus();
      bus.register(defineHook({ name: "a", on: { pre_tool_call: () => modify({ args: changes as JsonObject }) } }));
      const call = { ...TOOL_CALL, args: args as JsonObject };
      const verdict = await bus.dispatch("pre_tool_call", call, { turn: TURN });
      const merged = Object.entries(changes).filter(([key]) => !forbidden.has(key));
      expect(verdict.decision === "modify" && verdict.value).toEqual({
        args: snapshot({ ...args, ...Object.fromEntries(merged) }),
      });
      expect(records[0]?.changedKeys).toEqual(Object.keys(changes));
    }),
    { numRuns: 60 },
  );
});

test.for([null, "turn-1", 7])("%j is no turn", async (turn) => {
  const { bus } = createTestBus({ hooks: [defineHook({ name: "a", on: { pre_llm_call: () => {} } })] });
  await expect(bus.dispatch("pre_llm_call", MODEL_CALL, { turn: turn as never })).rejects.toThrow(
    "HOOK_TURN_MISSING: pre_llm_call belongs to a turn; give `turn` to dispatch. turnInfo() makes one.",
  );
});

test("turnInfo: ids of its own and plain defaults, what is given stays, and it is frozen", () => {
  const { turn_id: turn, session_id: session, ...rest } = turnInfo({ agent: "reviewer" });
  expect(rest).toEqual({ profile: "default", platform: "embedded", agent: "reviewer", model: "unknown", tags: [] });
  expect([turn, session].map((id) => /^[\da-f-]{36}$/.test(id))).toEqual([true, true]);
  expect(turnInfo({ turn_id: "t" }).turn_id).toBe("t");
  expect(Object.isFrozen(turnInfo())).toBe(true);
});
