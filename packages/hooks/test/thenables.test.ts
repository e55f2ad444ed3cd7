import { defineHook, modify, type HookResult } from "@hookscope/hooks";
import { expect, test } from "vitest";

import { createTestBus, line, MODEL_CALL, TURN, type TestBus } from "./support.ts";

const ADD = modify({ context: "more" });

/** A promise in the eyes of the language, with a `then` of its own. */
function thenable(then: (resolve: (value: unknown) => void, reject: (error: unknown) => void) => void): unknown {
  return withThen({}, then);
}

function withThen(value: object, then: unknown): unknown {
  Reflect.set(value, "then", then);
  return value;
}

/** Two hooks: what the first is given back, and one that answers a while after it and must not be touched by it. */
async function ask(answer: () => unknown, { bus, clock }: TestBus = createTestBus()): Promise<readonly string[]> {
  bus.register({ name: "a", points: ["pre_llm_call"], call: answer as () => HookResult });
  bus.register({
    name: "b",
    points: ["pre_llm_call"],
    call: () => new Promise<HookResult>((resolve) => clock.setTimer(() => resolve(ADD), 10)),
  });
  const pending = bus.dispatch("pre_llm_call", MODEL_CALL, { turn: TURN });
  await clock.advance(60_000);
  await clock.advance(10);
  return (await pending).invocations.map(line);
}

const rows: readonly (readonly [string, () => unknown, string])[] = [
  ["resolves at once", () => thenable((resolve) => resolve(ADD)), "a ok modify applied"],
  ["resolves later", () => thenable((resolve) => queueMicrotask(() => resolve(ADD))), "a ok modify applied"],
  ["resolves with another thenable", () => thenable((resolve) => resolve(Promise.resolve(ADD))), "a ok modify applied"],
  ["calls back twice at once", () => thenable((resolve) => (resolve(ADD), resolve(undefined))), "a ok modify applied"],
  [
    "resolves, then rejects",
    () => thenable((resolve, reject) => (resolve(ADD), reject(new Error("no")))),
    "a ok modify applied",
  ],
  [
    "resolves, then throws",
    () =>
      thenable((resolve) => {
        resolve(ADD);
        throw new Error("no");
      }),
    "a ok modify applied",
  ],
  ["never settles", () => thenable(() => {}), "a timeout none failed_open"],
  ["rejects", () => thenable((_, reject) => reject(new Error("no"))), "a error none failed_open"],
  [
    "throws from then",
    () =>
      thenable(() => {
        throw new Error("no");
      }),
    "a error none failed_open",
  ],
  [
    "throws when then is read",
    () =>
      new Proxy(
        {},
        {
          get() {
            throw new Error("no");
          },
        },
      ),
    "a error none failed_open",
  ],
  ["has a then that is no function", () => withThen({ ...ADD }, 1), "a ok modify applied"],
  [
    "is a promise whose own then calls back at once, and again later",
    () =>
      withThen(Promise.resolve(), (resolve: (value: unknown) => void) => {
        resolve(ADD);
        queueMicrotask(() => resolve(undefined));
      }),
    "a ok modify applied",
  ],
  [
    "is a promise whose constructor throws",
    () =>
      Object.defineProperty(Promise.resolve(ADD), "constructor", {
        get() {
          throw new Error("no");
        },
      }),
    "a error none failed_open",
  ],
  ["is of a subclass of Promise", () => class Own extends Promise<unknown> {}.resolve(ADD), "a ok modify applied"],
];

test.for(rows)("a result that %s is one answer, and the next hook has its own", async ([, answer, said]) => {
  expect(await ask(answer)).toEqual([said, "b ok modify applied"]);
});

test.for(rows)("a result that %s is a verdict, also where no other hook waits", async ([, answer, said]) => {
  const { bus, clock } = createTestBus();
  bus.register({ name: "a", points: ["pre_llm_call"], call: answer as () => HookResult });
  const pending = bus.dispatch("pre_llm_call", MODEL_CALL, { turn: TURN });
  await clock.advance(60_000);
  expect((await pending).invocations.map(line)).toEqual([said]);
});

test("a dispatch of hooks that answer at once makes its verdict before anything else runs", async () => {
  const { bus, records } = createTestBus();
  bus.register(defineHook({ name: "a", on: { pre_llm_call: () => ADD } }));
  const pending = bus.dispatch("pre_llm_call", MODEL_CALL, { turn: TURN });
  expect(records.map(line)).toEqual(["a ok modify applied"]);
  await pending;
});
