import { expect, test } from "vitest";

import { ServerTools } from "../../src/mcp/server-tools.ts";

const SCHEMA = { type: "object" } as const;

function create(): ServerTools {
  return new ServerTools({ server: "s", risk: "low", call: (name) => Promise.resolve({ content: name }) });
}

test("of two tools of one name the second is left out, and said", () => {
  const tools = create();
  const first = { name: "look", description: "First.", inputSchema: SCHEMA };
  const skipped = [{ name: "look", reason: 'the server lists two tools named "look".' }];
  const list = [first, { ...first, description: "Second." }];
  expect(tools.update(list)).toEqual({ isDifferent: true, newlySkipped: skipped });
  expect(tools.update(list)).toEqual({ isDifferent: false, newlySkipped: [] });
  expect(tools.tools.map(({ name, description }) => [name, description])).toEqual([["mcp__s__look", "First."]]);
  expect(tools.skipped).toEqual(skipped);
});

test("a schema that is none leaves its tool out, until it is one", () => {
  const tools = create();
  const broken = { name: "look", inputSchema: { type: "object", properties: { at: { type: "place" } } } } as const;
  expect(tools.update([broken as never]).isDifferent).toBe(false);
  expect(tools.skipped.map(({ name, reason }) => [name, reason.split(":")[0]])).toEqual([
    ["look", "TOOL_SCHEMA_INVALID"],
  ]);
  expect(tools.update([{ name: "look", inputSchema: SCHEMA }]).isDifferent).toBe(true);
  expect([tools.tools.map(({ name }) => name), tools.skipped]).toEqual([["mcp__s__look"], []]);
});

test("a name is free again once its tool is gone", () => {
  const tools = create();
  const namesAfter = (...names: readonly string[]): readonly string[] => {
    tools.update(names.map((name) => ({ name, inputSchema: SCHEMA })));
    return tools.tools.map(({ name }) => name);
  };
  expect(namesAfter("a.b", "a_b")).toEqual(["mcp__s__a_b", "mcp__s__a_b_2"]);
  expect(namesAfter("a_b", "a.b")).toEqual(["mcp__s__a_b_2", "mcp__s__a_b"]);
  expect(namesAfter("a_b")).toEqual(["mcp__s__a_b_2"]);
  expect(namesAfter("a_b", "a-b", "a b")).toEqual(["mcp__s__a_b_2", "mcp__s__a-b", "mcp__s__a_b"]);
});

test("the same list in the same words is no change", () => {
  const tools = create();
  const list = [{ name: "look", description: "Looks.", inputSchema: SCHEMA }];
  tools.update(list);
  const [look] = tools.tools;
  expect(tools.update(structuredClone(list))).toEqual({ isDifferent: false, newlySkipped: [] });
  expect(tools.tools[0]).toBe(look);
});
