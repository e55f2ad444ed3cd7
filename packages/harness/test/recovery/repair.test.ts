import type { JsonObject } from "@hookscope/hooks";
import { callTools, malformedToolCall, reply } from "@hookscope/testing";
import { describe, expect, test } from "vitest";

import type { AgentEvent, AgentMod, Permissions, Tool } from "../../src/index.ts";
import { createRig, policy, tool, type Rig, type RigOptions } from "../support/rig.ts";

const SCHEMA: JsonObject = {
  type: "object",
  properties: {
    file_path: { type: "string" },
    limit: { type: "integer" },
    all: { type: "boolean" },
    tags: { type: "array", items: { type: "string" } },
    options: { type: "object" },
    note: { type: ["string", "null"] },
  },
  required: ["file_path"],
  additionalProperties: false,
};

interface Called extends Rig {
  readonly ran: readonly JsonObject[];
}

async function call(input: JsonObject, more: RigOptions = {}): Promise<Called> {
  const ran: JsonObject[] = [];
  const read: Tool = tool(
    "read",
    ({ input: given }) => {
      ran.push(given as JsonObject);
      return "done";
    },
    { inputSchema: SCHEMA },
  );
  const rig = createRig({
    watchMods: false,
    watch: ["api_request_error"],
    tools: [read],
    steps: [callTools([{ name: "read", input }]), reply("ok")],
    ...more,
  });
  await rig.run();
  return { ...rig, ran };
}

const repairs = ({ events }: Rig): readonly AgentEvent[] => events.filter(({ type }) => type === "tool_input_repaired");

describe("an input that does not fit its schema is mended, one rule for each way of getting it wrong", () => {
  test.for<[string, JsonObject, JsonObject]>([
    ["unwrapped", { arguments: { file_path: "a" } }, { file_path: "a" }],
    ["key_case", { filePath: "a" }, { file_path: "a" }],
    ["key_case", { "File-Path": "a" }, { file_path: "a" }],
    ["key_alias", { path: "a" }, { file_path: "a" }],
    ["null_left_out", { file_path: "a", limit: null }, { file_path: "a" }],
    ["json_parsed", { file_path: "a", options: '{"deep":true}' }, { file_path: "a", options: { deep: true } }],
    ["json_parsed", { file_path: "a", tags: '["x"]' }, { file_path: "a", tags: ["x"] }],
    ["number_parsed", { file_path: "a", limit: " 20 " }, { file_path: "a", limit: 20 }],
    ["boolean_parsed", { file_path: "a", all: "True" }, { file_path: "a", all: true }],
    ["list_made", { file_path: "a", tags: "x" }, { file_path: "a", tags: ["x"] }],
  ])("%s: %j runs as %j", async ([rule, given, fits]) => {
    const called = await call(given);
    expect(called.ran).toEqual([fits]);
    expect(repairs(called)).toMatchObject([
      { toolName: "read", rulesFired: [rule], hintCount: 0, receivedKeys: Object.keys(given), repaired: true },
    ]);
  });

  test("several rules, each on what the one before left", async () => {
    const called = await call({ input: { filename: "a", limit: "5", tags: "x", note: null } });
    expect(called.ran).toEqual([{ file_path: "a", limit: 5, tags: ["x"], note: null }]);
    expect(repairs(called)).toMatchObject([{ rulesFired: ["unwrapped", "key_alias", "number_parsed", "list_made"] }]);
  });
});

describe("what is not mended", () => {
  test("an input that fits, whatever it looks like", async () => {
    const called = await call({ file_path: "20", note: "true" });
    expect(called.ran).toEqual([{ file_path: "20", note: "true" }]);
    expect(repairs(called)).toEqual([]);
  });

  test("an input that no rule makes fit: the model is told what is wrong with its own, and the event says so", async () => {
    const called = await call({ limit: "5" });
    expect(called.ran).toEqual([]);
    expect(repairs(called)).toMatchObject([{ rulesFired: ["number_parsed"], hintCount: 1, repaired: false }]);
    expect(called.events.filter(({ type }) => type === "tool_errored")).toMatchObject([
      {
        error:
          "the input of read does not fit its schema: the input must have required property 'file_path'; /limit must be integer",
      },
    ]);
  });

  test("a key that could stand for two", async () => {
    const schema: JsonObject = {
      type: "object",
      properties: { old_text: { type: "string" }, pattern: { type: "string" } },
      required: ["old_text"],
      additionalProperties: false,
    };
    const called = await call({ search: "a" }, { tools: [tool("read", "done", { inputSchema: schema })] });
    expect(repairs(called)).toEqual([]);
  });

  test("a key that is there already is not written over", async () => {
    const called = await call({ file_path: "a", path: "b" });
    expect([called.ran, repairs(called)]).toEqual([[], []]);
  });

  test("an input that is no JSON, and a tool that does not exist", async () => {
    const steps = [malformedToolCall("read", "{"), callTools([{ name: "gone", input: { path: "a" } }]), reply("ok")];
    expect(repairs(await call({}, { steps }))).toEqual([]);
  });
});

describe("who sees what", () => {
  test("tool_queued shows what the model asked for; permissions, mods and hooks judge what would run, once", async () => {
    const checked: JsonObject[] = [];
    const seen: JsonObject[] = [];
    const permissions: Permissions = {
      check: ({ input }) => {
        checked.push(input);
        return { decision: "allow" };
      },
    };
    const mod: AgentMod = { id: "mod", beforeToolCall: ({ input }) => void seen.push(input) };
    const hook = policy(({ payload }) => void seen.push(payload.args));
    const called = await call({ path: "a" }, { permissions, mods: [mod], hooks: [hook] });
    expect(called.events.filter(({ type }) => type === "tool_queued")).toMatchObject([{ input: { path: "a" } }]);
    expect(checked).toEqual([{ file_path: "a" }]);
    expect(seen).toEqual([{ file_path: "a" }, { file_path: "a" }]);
  });

  test("it is told between tool_queued and the permission check, whether or not the call then runs", async () => {
    const permissions: Permissions = { check: () => ({ decision: "deny", reason: "no" }) };
    const called = await call({ path: "a" }, { permissions });
    expect(
      called.log.between("→ tool_queued read", "▶ check read").map((entry) => entry.split(" ", 2).join(" ")),
    ).toEqual(["→ tool_queued", "→ tool_input_repaired", "▶ check"]);
  });
});
