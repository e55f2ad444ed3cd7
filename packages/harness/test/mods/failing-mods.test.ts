import type { HookInvocation } from "@hookscope/hooks";
import { callTools, reply } from "@hookscope/testing";
import { describe, expect, test } from "vitest";

import {
  createMemorySessionStore,
  MOD_HOOK_NAMES,
  textOf,
  userMessage,
  type AgentMod,
  type ModHookName,
} from "../../src/index.ts";
import { withoutStamp } from "../support/events.ts";
import { createRig, tool, type Rig } from "../support/rig.ts";

/** Every mod hook is met: a round with a tool call, then one without, then the end of the session. */
function rigWith(mods: readonly AgentMod[]): Rig & { readonly invocations: readonly HookInvocation[] } {
  const rig = createRig({
    steps: [callTools([{ name: "shell", input: { command: "ls" } }]), reply("done")],
    tools: [tool("shell")],
    systemPrompt: "be brief",
    watchMods: false,
    watch: [],
    mods,
  });
  const invocations: HookInvocation[] = [];
  rig.bus.subscribe((invocation) => void invocations.push(invocation));
  return { ...rig, invocations };
}

const TIMES: { readonly [Hook in ModHookName]: number } = {
  onSessionStart: 1,
  transformInput: 1,
  onTurnStart: 2,
  appendSystemPrompt: 2,
  transformContext: 2,
  beforeToolCall: 1,
  afterToolCall: 1,
  onTurnEnd: 2,
  shouldStopAfterTurn: 2,
  onStop: 1,
  prepareNextTurn: 1,
  onRunEnd: 1,
  onSessionEnd: 1,
};

const WRONG: {
  readonly [Hook in Exclude<ModHookName, "onSessionStart" | "onRunEnd" | "onSessionEnd">]: readonly unknown[];
} = {
  transformInput: [5, "text", { action: "stop" }, { action: "transform" }],
  onTurnStart: [undefined, null, 5, {}, { messages: [], modState: {} }],
  appendSystemPrompt: [5, {}, ["text"]],
  transformContext: [undefined, "text", [5], {}],
  beforeToolCall: [5, "block", [], { block: "yes" }, { input: "rm" }, { additionalContext: 5 }],
  afterToolCall: [5, [], { content: 5 }, { isError: "no" }, { modState: 5 }],
  onTurnEnd: [undefined, null, 5, {}],
  shouldStopAfterTurn: ["yes", 1, {}],
  onStop: [5, { continue: "yes" }, { reason: 5 }],
  prepareNextTurn: [5, { model: 5 }, { effort: 5 }],
};

async function outcome(rig: Rig): Promise<unknown> {
  const { stopReason, state } = await rig.run();
  await rig.harness.close();
  return {
    stopReason,
    said: state.messages.map((message) => [message.role, textOf(message.content)]),
    modState: state.modState,
    requests: rig.model.requests.map(({ system, messages }) => [system, messages.length]),
  };
}

describe.each(MOD_HOOK_NAMES)("a mod whose %s", (hook) => {
  test("throws: the turn goes as if it were not there, and mod_error says so each time", async () => {
    const broken = {
      id: "broken",
      [hook]: () => {
        throw new Error("no idea");
      },
    };
    const rig = rigWith([broken]);
    expect(await outcome(rig)).toEqual(await outcome(rigWith([])));
    const errors = rig.events.filter(({ type }) => type === "mod_error");
    expect(errors.map(withoutStamp)).toEqual(
      Array.from({ length: TIMES[hook] }, () => ({
        type: "mod_error",
        modId: "broken",
        hook,
        error: "no idea",
        ...(hook.endsWith("ToolCall") ? { toolCallId: "call_1_1" } : {}),
      })),
    );
    expect(
      rig.invocations.filter(({ kind }) => kind === "mod").map(({ point, execution }) => [point, execution]),
    ).toEqual(Array.from({ length: TIMES[hook] }, () => [hook, "error"]));
  });

  test("hangs: after 60 s the turn goes on as if it were not there", async () => {
    const rig = rigWith([{ id: "hung", [hook]: () => new Promise<never>(() => undefined) }]);
    const running = outcome(rig);
    await rig.clock.advance(59_999);
    expect(rig.log.only("→ mod_error")).toEqual([]);
    await rig.clock.advance(1);
    expect(rig.log.only("→ mod_error")).toEqual([`→ mod_error hung ${hook}`]);
    await rig.clock.advance(60_000);
    expect(await running).toEqual(await outcome(rigWith([])));
    expect(rig.invocations.map(({ execution, durationMs }) => [execution, durationMs])).toEqual(
      Array.from({ length: TIMES[hook] }, () => ["timeout", 60_000]),
    );
  });
});

describe.each(Object.entries(WRONG))("a mod whose %s returns the wrong shape", (hook, values) => {
  test.each(values)("%j: ignored, and mod_error says what is wrong", async (value) => {
    const rig = rigWith([{ id: "odd", [hook]: () => value }]);
    expect(await outcome(rig)).toEqual(await outcome(rigWith([])));
    expect(rig.log.only("→ mod_error").length).toBe(TIMES[hook as ModHookName]);
    expect(rig.invocations[0]).toMatchObject({
      execution: "invalid_result",
      decision: "none",
      applied: false,
      notAppliedReason: "not_accepted",
    });
  });
});

test("a mod may set its own limit", async () => {
  const rig = rigWith([{ id: "hung", timeoutMs: 10, onTurnStart: () => new Promise<never>(() => undefined) }]);
  const running = rig.run();
  await rig.clock.advance(20);
  await running;
  expect(rig.log.only("→ mod_error")).toEqual(["→ mod_error hung onTurnStart", "→ mod_error hung onTurnStart"]);
});

test("one failing mod does not keep the others from their turn", async () => {
  const rig = rigWith([
    {
      id: "broken",
      appendSystemPrompt: () => {
        throw new Error("no");
      },
    },
    { id: "sound", appendSystemPrompt: () => "and kind" },
  ]);
  await rig.run();
  expect(rig.model.requests.map(({ system }) => system)).toEqual(["be brief\n\nand kind", "be brief\n\nand kind"]);
});

test("a mod that changes the log in place fails, and the log stays as it was", async () => {
  const rig = rigWith([
    {
      id: "mutator",
      transformContext: ({ messages }) => {
        (messages as unknown[]).pop();
        return messages;
      },
      onTurnStart: ({ state }) => {
        (state.messages as unknown[]).length = 0;
        return state;
      },
    },
  ]);
  expect(await outcome(rig)).toEqual(await outcome(rigWith([])));
  expect(rig.log.only("→ mod_error")).toEqual(
    [1, 2].flatMap(() => ["→ mod_error mutator onTurnStart", "→ mod_error mutator transformContext"]),
  );
});

test("nor can it change in place what an earlier mod returned", async () => {
  const extra = userMessage("extra", "custom");
  const rig = rigWith([
    { id: "adder", onTurnStart: ({ state }) => ({ ...state, messages: [...state.messages, extra] }) },
    {
      id: "mutator",
      onTurnStart: ({ state }) => {
        (state.messages as unknown[]).pop();
        return state;
      },
    },
  ]);
  const { state } = await rig.run();
  expect(state.messages.filter((message) => message.role === "user" && message.source === "custom")).toEqual([
    extra,
    extra,
  ]);
  expect(rig.log.only("→ mod_error")).toEqual(["→ mod_error mutator onTurnStart", "→ mod_error mutator onTurnStart"]);
});

test("a session that fails leaves a mod without one, and says so once", async () => {
  const real = await createMemorySessionStore().create({ id: "s" });
  const session = new Proxy(real, {
    get(target, key) {
      const value: unknown = Reflect.get(target, key, target);
      if (key !== "modSession") return typeof value === "function" ? value.bind(target) : value;
      return () => {
        throw new Error("locked");
      };
    },
  });
  const seen: unknown[] = [];
  const rig = createRig({
    steps: [reply("done")],
    watchMods: false,
    session,
    mods: [
      {
        id: "counter",
        onTurnStart: ({ state }, ctx) => {
          seen.push(ctx?.session);
          return state;
        },
        onTurnEnd: ({ state }) => state,
      },
    ],
  });
  expect((await rig.run()).stopReason).toBe("end_turn");
  expect(seen).toEqual([undefined]);
  expect(rig.log.only("→ mod_error")).toEqual(["→ mod_error counter session"]);
});
