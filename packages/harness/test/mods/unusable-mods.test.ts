import { createScriptedModel, reply } from "@hookscope/testing";
import { expect, test } from "vitest";

import { createEventBus, createHarness, type AgentMod } from "../../src/index.ts";
import { createRig, tool } from "../support/rig.ts";

const UNUSABLE: readonly (readonly [what: string, mods: readonly unknown[], error: string])[] = [
  ["has no id", [{}], "MOD_ID_MISSING: a mod needs a non-blank `id`; it names the mod in spans, events and modState."],
  ["has an id that another has", [{ id: "a" }, { id: "a" }], 'MOD_ID_DUPLICATE: two mods have the id "a".'],
  ["has a hook that is none", [{ id: "a", onStop: 5 }], 'MOD_INVALID: mod "a": onStop is no function.'],
  [
    "has a hook with a mistyped name",
    [{ id: "a", onTurnStrat: () => undefined }],
    'MOD_INVALID: mod "a": onTurnStrat is no hook of a mod; did you mean onTurnStart?',
  ],
  ["has tools that are no list", [{ id: "a", tools: "x" }], 'MOD_INVALID: mod "a": its tools are no list.'],
  ...[0, -1, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 31].map(
    (timeoutMs) =>
      [
        `has the limit ${timeoutMs}`,
        [{ id: "a", timeoutMs }],
        `MOD_INVALID: mod "a": timeoutMs is ${timeoutMs}; it must be a number of milliseconds above 0, up to 2147483647.`,
      ] as const,
  ),
];

test.each(UNUSABLE)("a mod that %s is refused", (_, mods, error) => {
  expect(() => createHarness({ model: createScriptedModel({}), mods: mods as readonly AgentMod[] })).toThrow(error);
});

test("functions of its own beside its hooks are a mod's own business", () => {
  const mod = { id: "a", count: () => 1, onTurnStart: () => undefined };
  expect(() => createHarness({ model: createScriptedModel({}), mods: [mod as unknown as AgentMod] })).not.toThrow();
});

test("a mod's tool that is none is left out, and said with its code; its other tools stay", async () => {
  const events = createEventBus();
  const errors: unknown[] = [];
  events.on("mod_error", ({ modId, hook, error }) => void errors.push([modId, hook, error]));
  const tools = [null as never, tool("look")];
  const rig = createRig({ events, mods: [{ id: "a", tools }], steps: [reply("hi")] });
  expect(errors).toEqual([["a", "tools", "TOOL_INVALID: a tool must be an object, and one is null."]]);
  await rig.run();
  expect(rig.model.requests[0]?.tools.map(({ name }) => name)).toEqual(["look"]);
});
