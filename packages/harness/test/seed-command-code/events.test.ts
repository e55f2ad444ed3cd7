import { askUser } from "@hookscope/hooks";
import { callTools, failWith, hang, malformedToolCall, reply } from "@hookscope/testing";
import { describe, expect, test } from "vitest";

import { createEventBus, type AgentEvent, type AgentEvents, type UnstampedEvent } from "../../src/index.ts";
import { payloads } from "../support/events.ts";
import { createRig, policy, tool } from "../support/rig.ts";

const STAMP = { timestamp: 1, runId: "r" };

test("One sync sink, fan out with `createEventBus`", async () => {
  const seen: string[] = [];
  const events = createEventBus();
  events.subscribe(({ type }) => void seen.push(`all ${type}`));
  events.on("run_start", ({ sessionId }) => void seen.push(`one ${sessionId}`));
  const unsubscribe = events.subscribe(() => void seen.push("gone"));
  unsubscribe();
  events.emit({ type: "run_start", sessionId: "s1", ...STAMP });
  expect(seen).toEqual(["all run_start", "one s1"]);
});

test("Payloads are snapshots - never live references", () => {
  const events = createEventBus();
  const seen: AgentEvent[] = [];
  events.subscribe((event) => void seen.push(event));
  const input = { command: "ls" };
  events.emit({ type: "tool_queued", toolCallId: "c1", toolName: "shell", input, ...STAMP });
  input.command = "rm";
  expect(seen).toEqual([
    { type: "tool_queued", toolCallId: "c1", toolName: "shell", input: { command: "ls" }, ...STAMP },
  ]);
  expect(Object.isFrozen(seen[0])).toBe(true);
});

test("a subscriber that throws is isolated: the others get the event, and a mod_error `on:<event>` follows", () => {
  const events = createEventBus();
  const seen: unknown[] = [];
  events.subscribe(
    () => {
      throw new Error("no");
    },
    { modId: "broken" },
  );
  events.subscribe((event) => void seen.push(event));
  events.emit({ type: "message_start", ...STAMP, round: 2, spanId: "s" });
  expect(seen).toEqual([
    { type: "message_start", ...STAMP, round: 2, spanId: "s" },
    { type: "mod_error", modId: "broken", hook: "on:message_start", error: "no", ...STAMP, round: 2, spanId: "s" },
  ]);
});

test("a subscriber whose promise rejects is isolated the same way", async () => {
  const events = createEventBus();
  const seen: unknown[] = [];
  const { promise: told, resolve } = Promise.withResolvers<void>();
  events.subscribe(async () => Promise.reject(new Error("later")), { modId: "broken" });
  events.subscribe((event) => {
    seen.push(event);
    if (event.type === "mod_error") resolve();
  });
  events.emit({ type: "message_start", ...STAMP });
  await told;
  expect(seen).toEqual([
    { type: "message_start", ...STAMP },
    { type: "mod_error", modId: "broken", hook: "on:message_start", error: "later", ...STAMP },
  ]);
});

test("a subscriber that throws what no text can be made of is isolated too", () => {
  const events = createEventBus();
  const seen: unknown[] = [];
  events.subscribe(() => {
    throw Object.create(null);
  });
  events.subscribe((event) => void seen.push(event.type));
  events.emit({ type: "message_start", ...STAMP });
  expect(seen).toEqual(["message_start", "mod_error"]);
});

test("every event of a run carries its time and its run, and from a round's turn_start on until the next its round", async () => {
  const rig = createRig({
    steps: [callTools([{ name: "shell", input: {} }]), reply("done", { chunks: 1 })],
    tools: [tool("shell")],
  });
  const { turnId } = await rig.run();
  let round: number | undefined;
  for (const event of rig.events) {
    if (event.type === "turn_start") round = event.turnNumber;
    if (event.type === "run_end") round = undefined;
    expect([event.type, event.round, event.runId, typeof event.timestamp]).toEqual([
      event.type,
      round,
      turnId,
      "number",
    ]);
  }
  expect(rig.events.filter(({ type }) => type === "turn_start").map((event) => event.round)).toEqual([1, 2]);
});

test.for([
  ["an interrupt", { steps: [hang()], interruptAt: "▶ model" }],
  [
    "an error",
    { steps: [failWith({ statusCode: 400, retryable: false, type: "bad_request" })], interruptAt: undefined },
  ],
] as const)(
  "a round that %s ends has no turn_end; its end names the round, what follows is in none",
  async ([, options]) => {
    const rig = createRig(options);
    await rig.run();
    const from = rig.events.findIndex(({ type }) => type === "interrupted" || type === "run_error");
    expect(rig.events.slice(from).map(({ type, round }) => [type, round])).toEqual([
      [options.interruptAt === undefined ? "run_error" : "interrupted", 1],
      ["run_end", undefined],
    ]);
  },
);

test("`tool_queued` | per call, before permission checks | `input` - the ORIGINAL input", async () => {
  const rig = createRig({
    steps: [callTools([{ name: "shell", input: { command: "ls" }, id: "c1" }]), reply("done")],
    tools: [tool("shell")],
    permissions: { check: () => ({ decision: "allow" }) },
    mods: [{ id: "a", beforeToolCall: () => ({ input: { command: "rm" } }) }],
  });
  await rig.run();
  expect(payloads(rig.events, "tool_queued")).toEqual([
    { toolCallId: "c1", toolName: "shell", input: { command: "ls" } },
  ]);
  expect(rig.log.only("→ tool_queued", "▶ check")).toEqual(["→ tool_queued shell", "▶ check shell", "▶ check shell"]);
});

test("`tool_hook_blocked` is **terminal for that call**: no tool_running/completed/errored follows", async () => {
  const rig = createRig({
    steps: [callTools([{ name: "shell", input: {} }]), reply("done")],
    tools: [tool("shell")],
    hooks: [policy(() => askUser("Run it?"))],
  });
  await rig.run();
  expect(rig.log.only("→ tool_")).toEqual(["→ tool_queued shell", "→ tool_hook_blocked shell"]);
});

test("`subagent_start` / `subagent_stop` bracket a nested run; `subagent_progress` per child tool call", async () => {
  const usage = { input_tokens: 5, output_tokens: 2 };
  const rig = createRig({
    steps: [
      callTools([{ name: "agent", input: { subagent_type: "helper", prompt: "help" }, id: "a1" }]),
      reply("done"),
    ],
    scripts: [
      {
        when: ({ system }) => system === "help",
        steps: [callTools([{ name: "shell", input: { command: "ls" } }], { usage }), reply("helped", { usage })],
      },
    ],
    tools: [tool("shell")],
    subagents: { helper: { description: "helps", systemPrompt: "help" } },
  });
  await rig.run();
  const call = { toolCallId: "a1", subagentType: "helper" };
  expect(rig.log.only("→ subagent")).toEqual([
    "→ subagent_start helper",
    "→ subagent_progress helper shell",
    "→ subagent_stop helper",
  ]);
  expect([
    payloads(rig.events, "subagent_start"),
    payloads(rig.events, "subagent_progress"),
    payloads(rig.events, "subagent_stop"),
  ]).toEqual([
    [call],
    [{ ...call, toolName: "shell", toolInput: { command: "ls" }, tokensUsed: 7 }],
    [{ ...call, tokensUsed: 14 }],
  ]);
});

test("`tool_input_coerced` | ModelClient rescued malformed (array/null) tool input | `rawType`, `recovered`", async () => {
  const rig = createRig({
    steps: [
      malformedToolCall("shell", "null", { id: "c1" }),
      malformedToolCall("shell", "[1]", { id: "c2" }),
      reply("done"),
    ],
    tools: [tool("shell")],
  });
  await rig.run();
  expect(payloads(rig.events, "tool_input_coerced")).toEqual([
    { toolCallId: "c1", toolName: "shell", rawType: "null", recovered: true },
    { toolCallId: "c2", toolName: "shell", rawType: "array", recovered: false },
  ]);
});

test("`mod_error` | a mod tool collided with an existing tool | `modId`, `hook`, `error`", () => {
  const events = createEventBus();
  const seen: AgentEvent[] = [];
  events.subscribe((event) => void seen.push(event));
  const rig = createRig({ events, tools: [tool("shell")], mods: [{ id: "second", tools: [tool("shell")] }] });
  expect(payloads(seen, "mod_error")).toEqual([
    { modId: "second", hook: "tools", error: 'TOOL_NAME_DUPLICATE: a tool named "shell" exists already.' },
  ]);
  expect(rig.warnings.messages).toEqual([
    'a tool of mod "second" is left out: HarnessError: TOOL_NAME_DUPLICATE: a tool named "shell" exists already.',
  ]);
});

describe("events that only a host or a mod can cause are emitted through `ctx.emit`, with the run's stamp", () => {
  const GIVEN: { readonly [Type in keyof AgentEvents]?: AgentEvents[Type] } = {
    notice: { level: "warning", message: "nearly full" },
    skill_loaded: { name: "review" },
    config_setting_changed: { setting: "theme", value: "dark", previousValue: "light" },
    permission_mode_changed: { mode: "plan" },
    tool_hooks: { toolCallId: "c1", toolName: "shell", phase: "pre", lines: ["checked"], outcome: "ok" },
  };

  test.for(Object.entries(GIVEN))("%s", async ([type, payload]) => {
    const rig = createRig({
      steps: [reply("hi")],
      mods: [
        {
          id: "host",
          onTurnStart: ({ state }, ctx) => {
            ctx?.emit({ type, ...payload } as UnstampedEvent);
            return state;
          },
        },
      ],
    });
    const { turnId } = await rig.run();
    const seen = rig.events.filter((event) => event.type === type);
    expect(seen).toEqual([{ type, ...payload, timestamp: rig.clock.now(), runId: turnId, round: 1 }]);
  });
});
