import { createHookBus } from "@hookscope/hooks";
import { HOOK_BUS_CONFORMANCE } from "@hookscope/testing";
import { expect, test } from "vitest";

test.for(HOOK_BUS_CONFORMANCE)("$rule", async (rule) => {
  await expect(rule.run(createHookBus)).resolves.toBeUndefined();
});

test("no rule is stated twice", () => {
  const rules = HOOK_BUS_CONFORMANCE.map(({ rule }) => rule);
  expect(rules.filter((rule, index) => rules.indexOf(rule) !== index)).toEqual([]);
});
