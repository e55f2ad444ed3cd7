import { createHookBus, defineHook } from "@hookscope/hooks";
import { afterEach, expect, test, vi } from "vitest";

import { createTestBus, MODEL_CALL, TOOL_CALL, TURN } from "./support.ts";

afterEach(() => {
  vi.restoreAllMocks();
});

test("a result that is ignored a thousand times is one warning and a thousand counts", async () => {
  const { bus, log } = createTestBus();
  bus.register({ name: "a", points: ["pre_llm_call"], call: () => ({ decision: "block", reason: "no" }) });
  for (let time = 0; time < 1_000; time += 1) await bus.dispatch("pre_llm_call", MODEL_CALL, { turn: TURN });
  expect(log.warnings).toEqual([
    {
      message:
        'a result of hook "a" at pre_llm_call is ignored: the point does not take block: it takes modify. Further ones are only counted.',
      fields: { hook: "a", point: "pre_llm_call", decision: "block" },
    },
  ]);
  expect(bus.list()[0]?.resultsIgnored).toBe(1_000);
});

test("each hook and each kind of result has its own warning", async () => {
  const { bus, log } = createTestBus();
  let given: unknown;
  for (const name of ["a", "b"]) bus.register({ name, points: ["pre_llm_call"], call: () => given as undefined });
  for (given of [{ decision: "block", reason: "x" }, { decision: "ask_user", question: "x" }, "text", "text"]) {
    await bus.dispatch("pre_llm_call", MODEL_CALL, { turn: TURN });
  }
  expect(log.warnings.map(({ fields }) => `${String(fields["hook"])} ${String(fields["decision"])}`)).toEqual([
    "a block",
    "b block",
    "a ask_user",
    "b ask_user",
    "a none",
    "b none",
  ]);
});

const problems: readonly (readonly [unknown, string])[] = [
  ["block", "it returned a text, which is no hook result"],
  [7, "it returned a number, which is no hook result"],
  [["block"], "it returned a list, which is no hook result"],
  [{ action: "block" }, "it returned an object, which is no hook result"],
  [{ decision: "block" }, "the reason of its block is missing; it must be a text"],
  [{ decision: "block", reason: 5 }, "the reason of its block is a number; it must be a text"],
  [{ decision: "ask_user", question: null }, "the question of its ask_user is null; it must be a text"],
  [{ decision: "modify" }, "the value of its modify is missing; it must be an object { args }"],
  [{ decision: "modify", value: "x" }, "the value of its modify is a text; it must be an object { args }"],
  [{ decision: "modify", value: {} }, "the value of its modify is an empty object; it must have some of { args }"],
  [
    { decision: "modify", value: { args: undefined } },
    "the value of its modify is an empty object; it must have some of { args }",
  ],
  [{ decision: "modify", value: { toString: 1 } }, 'its modify has a field "toString"; the fields are { args }'],
  [{ decision: "modify", value: { args: [1] } }, '"args" of its modify is a list; it must be an object'],
  [
    { decision: "modify", value: { args: new Uint8Array(2) } },
    '"args" of its modify is an object; it must be an object',
  ],
  [{ decision: "modify", value: { args: {} } }, '"args" of its modify has no key to merge'],
  [{ decision: "modify", value: { args: { constructor: 1 } } }, '"args" of its modify has no key to merge'],
];

test.for(problems)("%j: the warning says what is wrong", async ([given, problem]) => {
  const { bus, log, records } = createTestBus();
  bus.register({ name: "a", points: ["pre_tool_call"], call: () => given as undefined });
  await bus.dispatch("pre_tool_call", TOOL_CALL, { turn: TURN });
  expect(log.messages).toEqual([
    `a result of hook "a" at pre_tool_call is ignored: ${problem}. Further ones are only counted.`,
  ]);
  expect(records.map(({ execution, reason }) => [execution, reason])).toEqual([["invalid_result", problem]]);
});

const fieldProblems: readonly (readonly [unknown, string])[] = [
  [{ retryable: "yes" }, '"retryable" of its modify is a text; it must be a boolean'],
  [{ reason: 5 }, '"reason" of its modify is a number; it must be a text'],
  [{ retry_after_ms: Number.NaN }, '"retry_after_ms" of its modify is not a finite number'],
];

test.for(fieldProblems)("a classification of %j: the warning says what is wrong", async ([value, problem]) => {
  const { bus, records } = createTestBus();
  const point = "transform_api_error_classification";
  bus.register({ name: "a", points: [point], call: () => ({ decision: "modify", value }) });
  await bus.dispatch(point, {} as never, { turn: TURN });
  expect(records.map(({ reason }) => reason)).toEqual([problem]);
});

test("an empty reply and a blank context are refused, an empty tool result is not", async () => {
  const { bus, records } = createTestBus();
  const empty = () => ({ decision: "modify", value: "" }) as const;
  bus.register({ name: "reply", points: ["transform_llm_output"], call: empty });
  bus.register({ name: "result", points: ["transform_tool_result"], call: empty });
  const blank = () => ({ decision: "modify", value: { context: " \n" } }) as const;
  bus.register({ name: "context", points: ["pre_llm_call"], call: blank });
  await bus.dispatch("transform_llm_output", {} as never, { turn: TURN });
  await bus.dispatch("transform_tool_result", {} as never, { turn: TURN });
  await bus.dispatch("pre_llm_call", MODEL_CALL, { turn: TURN });
  expect(records.map(({ hook, applied, reason }) => [hook, applied, reason])).toEqual([
    ["reply", false, "the value of its modify is an empty text"],
    ["result", true, undefined],
    ["context", false, '"context" of its modify is blank'],
  ]);
});

test("a value whose parts change between two looks is read once", async () => {
  const { bus, records } = createTestBus();
  let looks = 0;
  const fickle = Object.defineProperty({}, "args", {
    enumerable: true,
    get: () => ((looks += 1), looks === 1 ? { cwd: "/jail" } : "gone"),
  });
  bus.register({ name: "a", points: ["pre_tool_call"], call: () => ({ decision: "modify", value: fickle }) });
  const { invocations: _, ...verdict } = await bus.dispatch("pre_tool_call", TOOL_CALL, { turn: TURN });
  expect(verdict).toEqual({ decision: "modify", value: { args: { command: "ls", cwd: "/jail" } } });
  expect(records.map(({ changedKeys }) => changedKeys)).toEqual([["cwd"]]);
});

test("a value that cannot be read is refused", async () => {
  const { bus, records } = createTestBus();
  const value = new Proxy(
    {},
    {
      ownKeys() {
        throw new Error("no");
      },
    },
  );
  bus.register({ name: "a", points: ["pre_tool_call"], call: () => ({ decision: "modify", value }) });
  await bus.dispatch("pre_tool_call", TOOL_CALL, { turn: TURN });
  expect(records.map(({ reason }) => reason)).toEqual(["the value of its modify cannot be read"]);
});

test("a failure is logged once per hook, point and kind; the turn's totals count each", async () => {
  const { bus, log } = createTestBus();
  const broken = defineHook({
    name: "a",
    on: {
      pre_llm_call: () => Promise.reject(new RangeError("broke")),
      pre_tool_call() {
        throw new RangeError("broke");
      },
    },
  });
  bus.register(broken);
  for (let time = 0; time < 3; time += 1) {
    await bus.dispatch("pre_llm_call", MODEL_CALL, { turn: TURN });
    await bus.dispatch("pre_tool_call", TOOL_CALL, { turn: TURN });
  }
  expect(log.messages).toEqual([
    'hook "a" failed at pre_llm_call: RangeError: broke. The point fails open. Further failures are only counted.',
    'hook "a" failed at pre_tool_call: RangeError: broke. The point fails closed. Further failures are only counted.',
  ]);
});

test("a logger that throws or rejects is not felt", async () => {
  const warn = vi.fn<() => void>();
  warn.mockImplementationOnce(() => {
    throw new Error("disk full");
  });
  warn.mockImplementationOnce((() => Promise.reject(new Error("disk full"))) as () => void);
  const bus = createHookBus({ logger: { warn } });
  for (const name of ["a", "b"]) bus.register({ name, points: ["pre_llm_call"], call: () => "text" as never });
  const { decision } = await bus.dispatch("pre_llm_call", MODEL_CALL, { turn: TURN });
  expect([decision, warn.mock.calls.length]).toEqual(["continue", 2]);
});

test("without a logger warnings go to the console", async () => {
  const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
  const bus = createHookBus();
  bus.register({ name: "a", points: ["pre_llm_call"], call: () => "text" as never });
  await bus.dispatch("pre_llm_call", MODEL_CALL, { turn: TURN });
  expect(warn.mock.calls).toEqual([
    [
      '[hookscope] a result of hook "a" at pre_llm_call is ignored: it returned a text, which is no hook result. Further ones are only counted.',
    ],
  ]);
});

test("no more than 10,000 different warnings are remembered", async () => {
  const { bus, log } = createTestBus();
  for (let index = 0; index < 10_050; index += 1) {
    const unregister = bus.register({ name: `h${index}`, points: ["pre_llm_call"], call: () => "text" as never });
    await bus.dispatch("pre_llm_call", MODEL_CALL, { turn: TURN });
    unregister();
  }
  expect(log.messages.length).toBe(10_000);
});
