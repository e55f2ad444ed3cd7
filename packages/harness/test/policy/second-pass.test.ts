import { defineHook, modify } from "@hookscope/hooks";
import { expect, test } from "vitest";

import { askPolicy } from "./ask-policy.ts";

const REWRITE = defineHook({
  name: "rewrite",
  on: { pre_tool_call: () => modify({ args: { command: "rm -rf build" } }) },
});
const RULES = [{ name: "no rm", args: { command: "rm " }, action: "block", reason: "rm is not allowed" }] as const;

test("what another hook makes of the arguments is judged again, and what was approved is what runs", async () => {
  const verdict = await askPolicy({ rules: RULES }, { call: { args: { command: "make clean" } }, others: [REWRITE] });
  expect(verdict.decision === "block" ? [verdict.hook, verdict.cause, verdict.reason] : verdict).toEqual([
    "approval_policy",
    "policy",
    'rm is not allowed (approval policy, rule 1 "no rm", tool shell)',
  ]);
  expect(verdict.invocations.map(({ hook, pass, decision }) => [hook, pass, decision])).toEqual([
    ["approval_policy", 1, "continue"],
    ["rewrite", 1, "modify"],
    ["approval_policy", 2, "block"],
  ]);
});

test("it is not asked again where nothing changed", async () => {
  const { invocations } = await askPolicy({ rules: RULES }, { call: { args: { command: "make" } } });
  expect(invocations.map(({ hook, pass }) => [hook, pass])).toEqual([["approval_policy", 1]]);
});
