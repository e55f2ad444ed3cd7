import { strict as assert } from "node:assert";

import {
  askUser,
  block,
  HOOK_POINT_NAMES,
  HOOK_POINTS,
  modify,
  proceed,
  type AcceptedResult,
  type HookPoint,
} from "@hookscope/hooks";

import { assertVerdict, CONTINUE, dispatch, hook, setUp, type ConformanceCase } from "./kit.ts";
import { SAMPLE_MODIFIES } from "./samples.ts";

/** Each result at each point: taken where the table says so, else ignored. */
export const RESULT_RULES: readonly ConformanceCase[] = HOOK_POINT_NAMES.flatMap((point) => [
  ...RESULTS().map(([result, value]) =>
    accepts(point, result) ? accepted(point, result) : refused(point, result, value),
  ),
  saysNothing(point),
  garbage(point),
]);

function RESULTS(): readonly (readonly [AcceptedResult, unknown])[] {
  return [
    ["block", block("no")],
    ["ask_user", askUser("really?")],
    ["modify", modify({ text: "changed" })],
  ];
}

function accepts(point: HookPoint, result: AcceptedResult): boolean {
  return (HOOK_POINTS[point].accepts as readonly AcceptedResult[]).includes(result);
}

function accepted(point: HookPoint, result: AcceptedResult): ConformanceCase {
  const cases: { readonly [Result in AcceptedResult]: () => { readonly value: unknown; readonly verdict: object } } = {
    block: () => ({ value: block("no"), verdict: { decision: "block", reason: "no", hook: "a", cause: "policy" } }),
    ask_user: () => ({
      value: askUser("really?"),
      verdict: { decision: "ask_user", question: "really?", hook: "a" },
    }),
    modify: () => {
      const { value, folded } = SAMPLE_MODIFIES[point as keyof typeof SAMPLE_MODIFIES];
      return { value: modify(value), verdict: { decision: "modify", value: folded } };
    },
  };
  return {
    rule: `${point}: ${result} is taken`,
    async run(createBus) {
      const { value, verdict } = cases[result]();
      const { bus, log } = setUp(createBus, [hook("a", point, value)]);
      assertVerdict(await dispatch(bus, point), verdict, [`a ok ${result} applied`]);
      assert.deepEqual(log.messages, []);
    },
  };
}

function refused(point: HookPoint, result: AcceptedResult, value: unknown): ConformanceCase {
  const execution = HOOK_POINTS[point].kind === "observer" ? "ok" : "invalid_result";
  return {
    rule: `${point}: ${result} is ignored, counted each time and logged once`,
    async run(createBus) {
      const { bus, log } = setUp(createBus, [hook("a", point, value), hook("b", point, undefined)]);
      for (let time = 1; time <= 3; time += 1) {
        const lines = [`a ${execution} ${result} not_accepted`, "b ok continue -"];
        assertVerdict(await dispatch(bus, point), CONTINUE, lines);
      }
      assert.equal(log.messages.length, 1);
      assert.match(String(log.messages[0]), /"a"/);
      assert.deepEqual(
        bus.list().map((listing) => listing.resultsIgnored),
        [3, 0],
      );
    },
  };
}

function saysNothing(point: HookPoint): ConformanceCase {
  return {
    rule: `${point}: nothing, null and proceed() change nothing`,
    async run(createBus) {
      const answers = { a: undefined, b: null, c: proceed(), d: Promise.resolve(), e: { decision: "continue" } };
      const hooks = Object.entries(answers).map(([name, answer]) => hook(name, point, answer));
      const { bus, log } = setUp(createBus, hooks);
      const lines = Object.keys(answers).map((name) => `${name} ok continue -`);
      assertVerdict(await dispatch(bus, point), CONTINUE, lines);
      assert.deepEqual(log.messages, []);
    },
  };
}

function garbage(point: HookPoint): ConformanceCase {
  const observes = HOOK_POINTS[point].kind === "observer";
  const unreadable = Object.defineProperty({}, "decision", { get: () => assert.fail("cannot be read") });
  const answers: readonly unknown[] = [
    "block",
    123,
    true,
    [],
    {},
    { action: "deny" },
    { decision: "deny" },
    unreadable,
  ];
  return {
    rule: `${point}: what is no hook result at all ${observes ? "is nobody's business" : "is ignored"}`,
    async run(createBus) {
      const hooks = answers.map((answer, index) => hook(`h${index}`, point, answer));
      const { bus, log } = setUp(createBus, hooks);
      const said = observes ? "ok continue -" : "invalid_result none not_accepted";
      const lines = answers.map((_, index) => `h${index} ${said}`);
      assertVerdict(await dispatch(bus, point), CONTINUE, lines);
      assert.equal(log.messages.length, observes ? 0 : answers.length);
    },
  };
}
