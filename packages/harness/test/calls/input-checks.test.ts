import { modify, type Risk } from "@hookscope/hooks";
import { callTools, malformedToolCall, reply, type Script } from "@hookscope/testing";
import { expect, test } from "vitest";

import type { Tool } from "../../src/index.ts";
import { createRig, policy, tool, type RigOptions } from "../support/rig.ts";
import { recordSpans } from "../support/telemetry.ts";

const STRICT = tool("shell", ({ input }) => JSON.stringify(input), {
  inputSchema: {
    type: "object",
    properties: { command: { type: "string" } },
    required: ["command"],
    additionalProperties: false,
  },
});

interface Outcome {
  readonly result: string;
  readonly log: readonly string[];
}

async function outcome(steps: Script, options: RigOptions = {}): Promise<Outcome> {
  const rig = createRig({ steps: [...steps, reply("done")], tools: [STRICT], watchMods: false, ...options });
  const { state } = await rig.run();
  const block = state.messages[2]?.content[0];
  return {
    result: block?.type === "tool_result" ? block.content.map(({ text }) => text).join("|") : "",
    log: rig.log.entries.filter((entry) => /tool_|_tool|▶ (shell|check)/.test(entry)),
  };
}

const NOT_RUN = ["→ tool_queued shell", "● post_tool_call", "→ tool_errored shell"];
const RAN = [
  "→ tool_queued shell",
  "● pre_tool_call",
  "→ tool_running shell",
  "▶ shell",
  "● post_tool_call",
  "● transform_tool_result",
  "→ tool_completed shell",
];

test("an unknown tool: the model is told which there are", async () => {
  expect(await outcome([callTools([{ name: "shel", input: {} }])])).toEqual({
    result: 'There is no tool named "shel". The tools are: shell.',
    log: ["→ tool_queued shel", "● post_tool_call", "→ tool_errored shel"],
  });
});

test("an input that does not fit its schema: nobody is asked, and the model is told every problem", async () => {
  const permissions = { check: () => ({ decision: "allow" }) as const };
  expect(await outcome([callTools([{ name: "shell", input: { comand: "ls" } }])], { permissions })).toEqual({
    result:
      "the input of shell does not fit its schema: the input must have required property 'command'; " +
      'the input must NOT have additional properties ("comand")',
    log: NOT_RUN,
  });
});

test("of many problems the model is told the first ten and how many more there are, each cut where it is long", async () => {
  const permissions = { check: () => ({ decision: "allow" }) as const };
  const input = Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`k${index}`.padEnd(1_000, "x"), 1]));
  const { result } = await outcome([callTools([{ name: "shell", input }])], { permissions });
  const problems = result.split("; ");
  expect([problems.length, problems.at(-1)]).toEqual([11, "and 4991 more problems"]);
  expect(problems[1]).toBe(`the input must NOT have additional properties ("k0${"x".repeat(149)}…`);
});

test("a long name of no tool is cut, where the model is told of it and on its span", async () => {
  const telemetry = recordSpans();
  const name = "x".repeat(100_000);
  const { result } = await outcome([callTools([{ name, input: {} }])]);
  const short = `${"x".repeat(99)}…`;
  expect(result).toBe(`There is no tool named "${short}". The tools are: shell.`);
  expect(telemetry.spans().some((span) => span.name === `execute_tool ${short}`)).toBe(true);
});

test("an input that a bus hook makes unfit is refused after the rewrite", async () => {
  const hooks = [policy(() => modify({ args: { command: 5 } }))];
  expect(await outcome([callTools([{ name: "shell", input: { command: "ls" } }])], { hooks })).toEqual({
    result: "the input of shell does not fit its schema: /command must be string",
    log: [
      "→ tool_queued shell",
      "● pre_tool_call",
      "● pre_tool_call policy",
      "● post_tool_call",
      "→ tool_errored shell",
    ],
  });
});

test("an input that a mod makes unfit is refused after the bus has seen it", async () => {
  const mods = [{ id: "breaker", beforeToolCall: () => ({ input: { command: null } }) }];
  expect(await outcome([callTools([{ name: "shell", input: { command: "ls" } }])], { mods })).toEqual({
    result: "the input of shell does not fit its schema: /command must be string",
    log: ["→ tool_queued shell", "● pre_tool_call", "● post_tool_call", "→ tool_errored shell"],
  });
});

test.for([
  ["not JSON at all", "{command", "the input is not valid JSON: "],
  ["a number", "5", "the input is a JSON number; it must be an object"],
  ["a list of two", '[{"command":"ls"},{}]', "the input is a JSON array; it must be an object"],
  ["null, which is no arguments", "null", "the input of shell does not fit its schema: "],
])("a malformed input: %s", async ([, input, problem]) => {
  const { result, log } = await outcome([malformedToolCall("shell", input as string)]);
  expect(result.slice(0, problem?.length)).toBe(problem);
  expect(log.filter((entry) => !entry.startsWith("→ tool_input"))).toEqual(NOT_RUN);
});

test.for([
  ["an object in a list", '[{"command":"ls"}]'],
  ["an object in a text", '"{\\"command\\":\\"ls\\"}"'],
])("a malformed input that can be rescued runs: %s", async ([, input]) => {
  const { result, log } = await outcome([malformedToolCall("shell", input as string)]);
  expect(result).toBe('{"command":"ls"}');
  expect(log).toEqual(["→ tool_input_coerced shell", ...RAN]);
});

test("what a rewrite made is what the permission check and the tool are given", async () => {
  const checked: unknown[] = [];
  const permissions = {
    check: ({ input }: { input: unknown }) => {
      checked.push(input);
      return { decision: "allow" } as const;
    },
  };
  const hooks = [policy(() => modify({ args: { command: "ls -l" } }))];
  const steps = [callTools([{ name: "shell", input: { command: "ls" } }])];
  const { result } = await outcome(steps, { hooks, permissions });
  expect([...checked, result]).toEqual([{ command: "ls" }, { command: "ls -l" }, '{"command":"ls -l"}']);
});

test("a rewrite to the same arguments is no rewrite: nothing is checked again", async () => {
  const permissions = { check: () => ({ decision: "allow" }) as const };
  const hooks = [policy(() => modify({ args: { command: "ls" } }))];
  const steps = [callTools([{ name: "shell", input: { command: "ls" } }])];
  const { log } = await outcome(steps, { hooks, permissions });
  expect(log.filter((entry) => entry === "▶ check shell")).toEqual(["▶ check shell"]);
});

test("the risk that hooks and people are told is computed again after a rewrite", async () => {
  const risks: unknown[] = [];
  const risky: Tool = { ...STRICT, risk: ({ command }) => (command === "rm" ? "high" : "low") };
  const mods = [{ id: "rewriter", beforeToolCall: () => ({ input: { command: "rm" } }) }];
  const hooks = [policy(({ payload }) => void risks.push(payload.risk))];
  await outcome([callTools([{ name: "shell", input: { command: "ls" } }])], { mods, hooks, tools: [risky] });
  expect(risks).toEqual(["high"]);
});

const UNREADABLE: readonly (readonly [string, () => Risk])[] = [
  [
    "throws",
    () => {
      throw new Error("no idea");
    },
  ],
  ["answers nonsense", () => "dangerous" as Risk],
];

test.for(UNREADABLE)("a tool whose risk %s counts as unknown", async ([, risk]) => {
  const risks: unknown[] = [];
  const hooks = [policy(({ payload }) => void risks.push(payload.risk))];
  const steps = [callTools([{ name: "shell", input: { command: "ls" } }])];
  await outcome(steps, { hooks, tools: [{ ...STRICT, risk }] });
  expect(risks).toEqual(["unknown"]);
});

test("an input that a mod returned is what runs, whatever the mod makes of its object later", async () => {
  const kept = { command: "ls -a" };
  const mods = [{ id: "keeper", beforeToolCall: () => ({ input: kept }) }];
  const hooks = [policy(() => void (kept.command = "rm"))];
  const { result } = await outcome([callTools([{ name: "shell", input: { command: "ls" } }])], { mods, hooks });
  expect(result).toBe('{"command":"ls -a"}');
});

test("an input changed in place by a mod reaches neither the tool nor the display", async () => {
  const mods = [
    {
      id: "mutator",
      beforeToolCall: ({ input }: { input: object }) => void ((input as { command: string }).command = "rm"),
    },
  ];
  const rig = createRig({
    steps: [callTools([{ name: "shell", input: { command: "ls" } }]), reply("done")],
    tools: [STRICT],
    mods,
  });
  const { state } = await rig.run();
  const results = state.messages[2]?.content.map((block) => block.type === "tool_result" && block.content[0]?.text);
  expect(results).toEqual(['{"command":"ls"}']);
  expect(rig.log.only("→ mod_error")).toEqual(["→ mod_error mutator beforeToolCall"]);
});
