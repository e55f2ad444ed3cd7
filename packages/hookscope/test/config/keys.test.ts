import { expect, test } from "vitest";

import { configurationKeys, keysAt } from "../../src/config/keys.ts";

test("every key has a description that is a sentence", () => {
  const without = configurationKeys().filter(({ description }) => !/^[A-Z`].*\.$/.test(description));
  expect(without.map(({ name }) => name)).toEqual([]);
});

test("the keys of lists and named tables are found, with their types", () => {
  const types = Object.fromEntries(configurationKeys().map(({ name, type, required }) => [name, [type, required]]));
  expect([
    types["metrics.budgets"],
    types["metrics.budgets[].usd"],
    types["metrics.prices.<name>.input_mtok"],
    types["metrics.ledger"],
    types["policy.rules[].action"],
    types["plugins.paths"],
  ]).toEqual([
    ["list of tables", false],
    ["number", true],
    ["number", true],
    ["true or false or text", false],
    ['"allow", "ask" or "block"', true],
    ["list of texts", false],
  ]);
});

test("what may stand in a table is known wherever the table is", () => {
  expect(keysAt([])).toEqual(["telemetry", "metrics", "policy", "plugins", "mods", "sessions", "agent"]);
  expect(keysAt(["mods"])).toEqual(["paths", "required"]);
  expect(keysAt(["policy", "rules", 3, "tags"])).toEqual(["key", "value"]);
  expect(keysAt(["metrics", "prices", "local/small"])[0]).toBe("input_mtok");
});
