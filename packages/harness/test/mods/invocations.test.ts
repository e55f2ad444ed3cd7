import type { HookInvocation } from "@hookscope/hooks";
import { callTools, reply } from "@hookscope/testing";
import { expect, test } from "vitest";

import { MOD_HOOK_NAMES, setModState, type AgentMod, type ModContext } from "../../src/index.ts";
import { createRig, tool } from "../support/rig.ts";
import { recordSpans } from "../support/telemetry.ts";

const steps = (): ReturnType<typeof reply>[] => [callTools([{ name: "shell", input: {} }]), reply("done")];

test("every invocation of every mod hook is a record through bus.subscribe, and a span under its turn or call", async () => {
  const telemetry = recordSpans();
  const records: HookInvocation[] = [];
  const session: AgentMod = {
    id: "session",
    onSessionStart: () => undefined,
    transformInput: () => undefined,
    onSessionEnd: () => undefined,
  };
  const rig = createRig({ steps: steps(), tools: [tool("shell")], watch: [], mods: [session] });
  rig.bus.subscribe((invocation) => void records.push(invocation));
  await rig.run();
  await rig.harness.close();
  expect(telemetry.tree()).toEqual([
    "invoke_agent agent",
    "  onSessionStart session",
    "  transformInput session",
    "  onTurnStart watcher",
    "  appendSystemPrompt watcher",
    "  transformContext watcher",
    "  chat scripted-model",
    "  execute_tool shell",
    "    beforeToolCall watcher",
    "    afterToolCall watcher",
    "  onTurnEnd watcher",
    "  shouldStopAfterTurn watcher",
    "  prepareNextTurn watcher",
    "  onTurnStart watcher",
    "  appendSystemPrompt watcher",
    "  transformContext watcher",
    "  chat scripted-model",
    "  onTurnEnd watcher",
    "  shouldStopAfterTurn watcher",
    "  onStop watcher",
    "  onRunEnd watcher",
    "session agent",
    "  onSessionEnd session",
  ]);
  const spans = telemetry.spans().filter(({ attributes }) => attributes["agent_hook.kind"] === "mod");
  expect(records.map(({ point, hook, spanId }) => [`${point} ${hook}`, spanId])).toEqual(
    spans.map(({ name, spanId }) => [name, spanId]),
  );
  expect(new Set(records.map(({ point }) => point))).toEqual(new Set(MOD_HOOK_NAMES));
});

test("a mod hook's record and span carry what it decided, like a bus hook's", async () => {
  const telemetry = recordSpans();
  const records: HookInvocation[] = [];
  const mod: AgentMod = {
    id: "guard",
    onTurnStart: ({ state }) => setModState({ state, modId: "guard", value: { seen: true } }),
    appendSystemPrompt: () => "be kind",
    beforeToolCall: () => ({ block: true, additionalContext: "not that" }),
    shouldStopAfterTurn: () => true,
  };
  const rig = createRig({ steps: steps(), tools: [tool("shell")], watch: [], watchMods: false, mods: [mod] });
  rig.bus.subscribe((invocation) => void records.push(invocation));
  await rig.run();
  const facts = records.map(({ point, kind, decision, applied, reason, failurePolicy, source }) => ({
    point,
    kind,
    decision,
    applied,
    reason,
    failurePolicy,
    source,
  }));
  const same = { kind: "mod", applied: true, failurePolicy: "open", source: "guard" };
  expect(facts).toEqual([
    { ...same, point: "onTurnStart", decision: "modify", reason: undefined },
    { ...same, point: "appendSystemPrompt", decision: "modify", reason: undefined },
    { ...same, point: "beforeToolCall", decision: "block", reason: "not that" },
    { ...same, point: "shouldStopAfterTurn", decision: "modify", reason: "stop after this round" },
  ]);
  const spans = telemetry.spans().filter(({ attributes }) => attributes["agent_hook.kind"] === "mod");
  expect(spans.map(({ attributes }) => [attributes["agent_hook.point"], attributes["agent_hook.decision"]])).toEqual(
    facts.map(({ point, decision }) => [point, decision]),
  );
});

test("mod_error carries the id of the invocation's span", async () => {
  const telemetry = recordSpans();
  const rig = createRig({
    steps: [reply("done")],
    watchMods: false,
    watch: [],
    mods: [
      {
        id: "broken",
        onTurnEnd: () => {
          throw new Error("no");
        },
      },
    ],
  });
  await rig.run();
  const errors = rig.events.filter(({ type }) => type === "mod_error");
  const spans = telemetry.spans().filter(({ name }) => name === "onTurnEnd broken");
  expect(errors.map(({ spanId }) => spanId)).toEqual(spans.map(({ spanId }) => spanId));
  expect(spans.map(({ status }) => status)).toEqual([{ code: "ERROR", message: "no" }]);
});

test("the context is one real object for all hooks of a mod in a run, and another one in the next run", async () => {
  const seen: (ModContext | undefined)[] = [];
  const note = (context: ModContext | undefined): void => void seen.push(context);
  const mod: AgentMod = {
    id: "noting",
    onTurnStart: ({ state }, ctx) => {
      note(ctx);
      return state;
    },
    beforeToolCall: (_, ctx) => note(ctx),
    onRunEnd: (_, ctx) => note(ctx),
  };
  const rig = createRig({ steps: [...steps(), ...steps()], tools: [tool("shell")], mods: [mod], cwd: "/somewhere" });
  await rig.run();
  await rig.run();
  const [first] = seen;
  const again = seen.at(-1);
  expect(seen.map((context) => (context === first ? 1 : context === again ? 2 : 0))).toEqual([1, 1, 1, 1, 2, 2, 2, 2]);
  expect([typeof first?.emit, first?.signal.aborted, first?.cwd, first !== undefined && "session" in first]).toEqual([
    "function",
    false,
    "/somewhere",
    false,
  ]);
});

test("a subagent's mods are given a context of their own", async () => {
  const seen = new Set<ModContext | undefined>();
  const rig = createRig({
    steps: [callTools([{ name: "agent", input: { subagent_type: "helper", prompt: "help" } }]), reply("done")],
    scripts: [{ when: ({ system }) => system === "help", steps: [reply("helped")] }],
    subagents: { helper: { description: "helps", systemPrompt: "help" } },
    mods: [{ id: "noting", onRunEnd: (_, ctx) => void seen.add(ctx) }],
  });
  await rig.run();
  expect(seen.size).toBe(2);
});
