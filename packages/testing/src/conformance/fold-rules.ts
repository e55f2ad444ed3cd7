import { strict as assert } from "node:assert";

import {
  askUser,
  block,
  HOOK_POINT_NAMES,
  HOOK_POINTS,
  modify,
  type HookEvent,
  type HookPoint,
} from "@hookscope/hooks";

import { assertVerdict, dispatch, hook, setUp, type ConformanceCase } from "./kit.ts";

/** How the answers of several hooks become one verdict. Each row: the answers of `a`, `b`, `c`, and what comes of them. */
interface FoldRow {
  readonly rule: string;
  readonly answers: readonly unknown[];
  readonly verdict: object;
  readonly lines: readonly string[];
}

const NO = { decision: "block", reason: "no", cause: "policy" } as const;
const SAMPLE_ARGS = { path: "README.md", range: { from: 1, to: 9 } };

const TOOL_CALL: readonly FoldRow[] = [
  {
    rule: "the first block wins, even over an earlier ask",
    answers: [askUser("?"), block("no"), block("never")],
    verdict: { ...NO, hook: "b" },
    lines: ["a ok ask_user superseded", "b ok block applied", "c ok block superseded"],
  },
  {
    rule: "a block supersedes what was modified",
    answers: [modify({ args: { path: "a" } }), block("no")],
    verdict: { ...NO, hook: "b" },
    lines: ["a ok modify superseded", "b ok block applied"],
  },
  {
    rule: "the first ask wins, and carries what others modified",
    answers: [askUser("one?"), modify({ args: { path: "a" } }), askUser("two?")],
    verdict: { decision: "ask_user", question: "one?", hook: "a", value: { args: { ...SAMPLE_ARGS, path: "a" } } },
    lines: ["a ok ask_user applied", "b ok modify applied", "c ok ask_user superseded"],
  },
  {
    rule: "arguments are merged key by key, one level deep; later keys win",
    answers: [modify({ args: { path: "a", extra: 1 } }), modify({ args: { path: "b", range: { from: 2 } } })],
    verdict: { decision: "modify", value: { args: { path: "b", extra: 1, range: { from: 2 } } } },
    lines: ["a ok modify applied", "b ok modify applied"],
  },
  {
    rule: "a modify of which no key survived is superseded",
    answers: [modify({ args: { path: "a" } }), modify({ args: { path: "b" } })],
    verdict: { decision: "modify", value: { args: { ...SAMPLE_ARGS, path: "b" } } },
    lines: ["a ok modify superseded", "b ok modify applied"],
  },
  {
    rule: "a failed hook's block comes after an earlier one",
    answers: [block("no"), () => Promise.reject(new Error("broke"))],
    verdict: { ...NO, hook: "a" },
    lines: ["a ok block applied", "b error none superseded"],
  },
  {
    rule: "keys that reach a prototype are never merged",
    answers: [JSON.parse('{"decision":"modify","value":{"args":{"__proto__":{"x":1},"constructor":1,"path":"a"}}}')],
    verdict: { decision: "modify", value: { args: { ...SAMPLE_ARGS, path: "a" } } },
    lines: ["a ok modify applied"],
  },
  {
    rule: "a modify with a field the point does not have is refused whole",
    answers: [modify({ args: { path: "a" }, tool_name: "shell" }), modify({ args: {} }), modify("text")],
    verdict: { decision: "continue" },
    lines: [
      "a invalid_result modify not_accepted",
      "b invalid_result modify not_accepted",
      "c invalid_result modify not_accepted",
    ],
  },
];

const LLM_CALL: readonly FoldRow[] = [
  {
    rule: "contexts are joined by a blank line, in order",
    answers: [modify({ context: "one" }), undefined, modify({ context: "two\n" })],
    verdict: { decision: "modify", value: { context: "one\n\ntwo\n" } },
    lines: ["a ok modify applied", "b ok continue -", "c ok modify applied"],
  },
  {
    rule: "a failed hook does not cost the others their context",
    answers: [modify({ context: "one" }), () => Promise.reject(new Error("broke")), modify({ context: "two" })],
    verdict: { decision: "modify", value: { context: "one\n\ntwo" } },
    lines: ["a ok modify applied", "b error none failed_open", "c ok modify applied"],
  },
];

const GATEWAY: readonly FoldRow[] = [
  {
    rule: "of two texts the later one wins",
    answers: [modify({ text: "one" }), modify({ text: "two" })],
    verdict: { decision: "modify", value: { text: "two" } },
    lines: ["a ok modify superseded", "b ok modify applied"],
  },
  {
    rule: "the first block wins, and the hooks after it still run",
    answers: [block("no"), block("never"), modify({ text: "two" })],
    verdict: { ...NO, hook: "a" },
    lines: ["a ok block applied", "b ok block superseded", "c ok modify superseded"],
  },
];

export const FOLD_RULES: readonly ConformanceCase[] = [
  ...TOOL_CALL.map((row) => foldCase("pre_tool_call", row)),
  ...LLM_CALL.map((row) => foldCase("pre_llm_call", row)),
  ...GATEWAY.map((row) => foldCase("pre_gateway_dispatch", row)),
  ...HOOK_POINT_NAMES.filter((point) => HOOK_POINTS[point].kind === "transform").map(firstTransformWins),
  reinvoked("another", block("too much"), { ...NO, hook: "policy", reason: "too much" }, [
    "policy ok continue -",
    "a ok modify superseded",
    "policy#2 ok block applied",
  ]),
  reinvoked(
    "another, and its modify then is superseded",
    modify({ args: { path: "c" } }),
    { decision: "modify", value: { args: { ...SAMPLE_ARGS, path: "b" } } },
    ["policy ok continue -", "a ok modify applied", "policy#2 ok modify superseded"],
  ),
  notReinvoked("when nothing was changed", modify({ args: { path: "README.md" } }), "modify applied"),
  notReinvoked("when the call is blocked already", block("no"), "block applied"),
];

function foldCase(point: HookPoint, { rule, answers, verdict, lines }: FoldRow): ConformanceCase {
  return {
    rule: `${point}: ${rule}`,
    async run(createBus) {
      const hooks = answers.map((answer, index) => hook("abc"[index] as string, point, answer));
      const { bus } = setUp(createBus, hooks);
      assertVerdict(await dispatch(bus, point), verdict, lines);
    },
  };
}

function firstTransformWins(point: HookPoint): ConformanceCase {
  const fields = HOOK_POINTS[point].modify?.form === "fields";
  const [one, two] = fields ? [{ reason: "one" }, { reason: "two" }] : ["one", "two"];
  return foldCase(point, {
    rule: "the first modify is the new content, a later one is superseded",
    answers: [undefined, modify(one), modify(two)],
    verdict: { decision: "modify", value: one },
    lines: ["a ok continue -", "b ok modify applied", "c ok modify superseded"],
  });
}

/** The policy says nothing at first; on its second call it gives `answer`. */
function reinvoked(rule: string, answer: unknown, verdict: object, lines: readonly string[]): ConformanceCase {
  return {
    rule: `pre_tool_call: a hook that asked for it runs again on arguments changed by ${rule}`,
    async run(createBus) {
      const seen: unknown[] = [];
      const policy = hook(
        "policy",
        "pre_tool_call",
        ({ payload }: HookEvent) => {
          seen.push((payload as { args: unknown }).args);
          return seen.length === 1 ? undefined : answer;
        },
        { reinvoke: "if_modified" },
      );
      const { bus } = setUp(createBus, [policy, hook("a", "pre_tool_call", modify({ args: { path: "b" } }))]);
      assertVerdict(await dispatch(bus, "pre_tool_call"), verdict, lines);
      assert.deepEqual(seen, [SAMPLE_ARGS, { ...SAMPLE_ARGS, path: "b" }]);
    },
  };
}

function notReinvoked(when: string, answer: unknown, said: string): ConformanceCase {
  return {
    rule: `pre_tool_call: no hook runs again ${when}`,
    async run(createBus) {
      let calls = 0;
      const policy = hook("policy", "pre_tool_call", () => void (calls += 1), { reinvoke: "if_modified" });
      const { bus } = setUp(createBus, [policy, hook("a", "pre_tool_call", answer)]);
      const { invocations } = await dispatch(bus, "pre_tool_call");
      assert.deepEqual(
        invocations.map((invocation) => `${invocation.hook} ${invocation.decision} ${String(invocation.applied)}`),
        ["policy continue false", `a ${said.replace("applied", "true")}`],
      );
      assert.equal(calls, 1);
    },
  };
}
