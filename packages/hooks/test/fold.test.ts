import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { foldAborted, foldDirective, foldObserver, foldTransform, type Outcome } from "../src/fold.ts";
import { HOOK_POINTS } from "../src/points.ts";

const ARGS = HOOK_POINTS.pre_tool_call.modify;
const CONTEXT = HOOK_POINTS.pre_llm_call.modify;

const says = (hook: string, decision: Outcome["decision"], more: Partial<Outcome> = {}): Outcome => ({
  hook,
  pass: 1,
  failurePolicy: "closed",
  decision,
  accepted: true,
  ...more,
});
const blocks = (hook: string): Outcome => says(hook, "block", { text: `no from ${hook}` });
const asks = (hook: string): Outcome => says(hook, "ask_user", { text: `ask from ${hook}` });
const sets = (hook: string, args: object): Outcome => says(hook, "modify", { value: { args } });
const fails = (hook: string): Outcome => says(hook, "none", { failure: `${hook} broke` });

const why = (applied: readonly { applied: boolean; notAppliedReason?: string | undefined }[]) =>
  applied.map((entry) => (entry.applied ? "applied" : (entry.notAppliedReason ?? "-")));

describe("directive", () => {
  const rows: readonly (readonly [string, readonly Outcome[], object, readonly string[]])[] = [
    ["nobody", [], { decision: "continue" }, []],
    ["only continue", [says("a", "continue")], { decision: "continue" }, ["-"]],
    [
      "ask, block, block",
      [asks("a"), blocks("b"), blocks("c")],
      { decision: "block", reason: "no from b", hook: "b", cause: "policy" },
      ["superseded", "applied", "superseded"],
    ],
    [
      "ask, modify, ask",
      [asks("a"), sets("b", { x: 1 }), asks("c")],
      { decision: "ask_user", question: "ask from a", hook: "a", value: { args: { x: 1, y: 0 } } },
      ["applied", "applied", "superseded"],
    ],
    [
      "a failure that fails closed is a block",
      [asks("a"), fails("b"), blocks("c")],
      { decision: "block", reason: "b broke", hook: "b", cause: "failure" },
      ["superseded", "applied", "superseded"],
    ],
    [
      "a failure that fails open is nothing",
      [{ ...fails("a"), failurePolicy: "open" }, asks("b")],
      { decision: "ask_user", question: "ask from b", hook: "b" },
      ["failed_open", "applied"],
    ],
    [
      "what the point does not take",
      [
        { ...blocks("a"), accepted: false },
        { ...asks("b"), accepted: false },
      ],
      { decision: "continue" },
      ["not_accepted", "not_accepted"],
    ],
    [
      "the same key twice",
      [sets("a", { x: 1 }), sets("b", { x: 2 })],
      { decision: "modify", value: { args: { x: 2, y: 0 } } },
      ["superseded", "applied"],
    ],
    [
      "one key of two survives",
      [sets("a", { x: 1, z: 1 }), sets("b", { x: 2 })],
      { decision: "modify", value: { args: { x: 2, z: 1, y: 0 } } },
      ["applied", "applied"],
    ],
    [
      "a modify of the second pass",
      [sets("a", { x: 1 }), { ...sets("b", { x: 2 }), pass: 2 }],
      { decision: "modify", value: { args: { x: 1, y: 0 } } },
      ["applied", "superseded"],
    ],
    [
      "a block of the second pass",
      [sets("a", { x: 1 }), { ...blocks("b"), pass: 2 }],
      { decision: "block", reason: "no from b", hook: "b", cause: "policy" },
      ["superseded", "applied"],
    ],
    [
      "only keys that never merge",
      [sets("a", { constructor: 1, prototype: 2 })],
      { decision: "continue" },
      ["superseded"],
    ],
  ];

  test.for(rows)("%s", ([, outcomes, verdict, applied]) => {
    const fold = foldDirective(outcomes, { args: { y: 0 } }, ARGS);
    expect(fold.verdict).toEqual(verdict);
    expect(why(fold.applied)).toEqual(applied);
  });

  test("arguments that were no object count as none", () => {
    expect(foldDirective([sets("a", { x: 1 })], { args: ["y"] }, ARGS).verdict).toEqual({
      decision: "modify",
      value: { args: { x: 1 } },
    });
  });

  test("contexts are joined in order", () => {
    const add = (hook: string, context: string): Outcome => says(hook, "modify", { value: { context } });
    const fold = foldDirective([add("a", "one"), says("b", "continue"), add("c", "two")], {}, CONTEXT);
    expect(fold.verdict).toEqual({ decision: "modify", value: { context: "one\n\ntwo" } });
    expect(why(fold.applied)).toEqual(["applied", "-", "applied"]);
  });

  test("a merge never reaches a prototype", () => {
    const args = JSON.parse('{"__proto__":{"polluted":true},"x":1}') as object;
    const { verdict } = foldDirective([sets("a", args)], { args: {} }, ARGS);
    expect(verdict).toEqual({ decision: "modify", value: { args: { x: 1 } } });
    expect(Reflect.get({}, "polluted")).toBeUndefined();
  });
});

test("transform: the first modify wins, whatever stands between", () => {
  const change = (hook: string): Outcome => says(hook, "modify", { value: hook, failurePolicy: "open" });
  const failed: Outcome = { ...fails("b"), failurePolicy: "open" };
  const fold = foldTransform([says("a", "continue"), failed, change("c"), change("d")]);
  expect(fold.verdict).toEqual({ decision: "modify", value: "c" });
  expect(why(fold.applied)).toEqual(["-", "failed_open", "applied", "superseded"]);
});

test("observer: nothing is ever applied", () => {
  const open = { failurePolicy: "open" } as const;
  const fold = foldObserver([says("a", "continue"), { ...blocks("b"), accepted: false }, { ...fails("c"), ...open }]);
  expect(fold.verdict).toEqual({ decision: "continue" });
  expect(why(fold.applied)).toEqual(["-", "not_accepted", "failed_open"]);
});

test("aborted: what was asked for before the interrupt is superseded, a closed failure too", () => {
  expect(why(foldAborted([blocks("a"), sets("b", { x: 1 }), fails("c"), says("d", "none")]))).toEqual([
    "superseded",
    "superseded",
    "superseded",
    "-",
  ]);
});

describe("laws", () => {
  const outcome = fc.oneof(
    fc.constant(says("continue", "continue")),
    fc.string().map(asks),
    fc.string().map(blocks),
    fc.string().map(fails),
    fc.dictionary(fc.constantFrom("x", "y", "z"), fc.integer(), { minKeys: 1 }).map((args) => sets("m", args)),
  );
  const outcomes = fc.array(outcome, { maxLength: 8 });
  const fold = (list: readonly Outcome[]) => foldDirective(list, { args: { y: 0 } }, ARGS);

  test("whether a call is blocked, asked about, changed or let go does not depend on the order", () => {
    fc.assert(
      fc.property(outcomes, fc.infiniteStream(fc.nat()), (list, keys) => {
        const shuffled = list
          .map((entry) => ({ entry, key: keys.next().value as number }))
          .toSorted((left, right) => left.key - right.key)
          .map(({ entry }) => entry);
        expect(fold(shuffled).verdict.decision).toBe(fold(list).verdict.decision);
      }),
    );
  });

  test("one more outcome never makes a verdict milder", () => {
    const severity = ["continue", "modify", "ask_user", "block"];
    fc.assert(
      fc.property(outcomes, outcome, (list, more) => {
        const before = severity.indexOf(fold(list).verdict.decision);
        expect(severity.indexOf(fold([...list, more]).verdict.decision)).toBeGreaterThanOrEqual(before);
      }),
    );
  });

  test("hooks that change different keys may come in any order", () => {
    fc.assert(
      fc.property(fc.integer(), fc.integer(), (x, z) => {
        const [one, two] = [sets("a", { x }), sets("b", { z })];
        expect(fold([one, two]).verdict).toEqual(fold([two, one]).verdict);
      }),
    );
  });

  test("exactly the modifies that own a key of the result are applied, and every key has the last value", () => {
    const modifies = fc.array(
      fc.dictionary(fc.constantFrom("x", "y", "z"), fc.integer(), { minKeys: 1 }).map((args) => sets("m", args)),
      { minLength: 1, maxLength: 6 },
    );
    fc.assert(
      fc.property(modifies, (list) => {
        const args = list.map((entry) => (entry.value as { args: Record<string, number> }).args);
        const last = (key: string) => args.findLastIndex((entry) => Object.hasOwn(entry, key));
        const { verdict, applied } = fold(list);
        expect(verdict).toEqual({ decision: "modify", value: { args: Object.assign({ y: 0 }, ...args) } });
        const owners = new Set(["x", "y", "z"].map(last));
        expect(applied.map((entry) => entry.applied)).toEqual(list.map((_, index) => owners.has(index)));
      }),
    );
  });
});
