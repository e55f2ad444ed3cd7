import { callTools, reply, type ScriptedStep } from "@hookscope/testing";
import { expect, test } from "vitest";

import { getModState, MOD_HOOK_NAMES, setModState, type AgentMod, type ModContext } from "../../src/index.ts";
import { createRig, tool, type Rig, type RigOptions } from "../support/rig.ts";

const CALL: ScriptedStep = callTools([{ name: "shell", input: { command: "ls" }, id: "c1" }]);

function rigWith(options: RigOptions = {}): Rig {
  return createRig({
    steps: [CALL, reply("done", { chunks: 1 })],
    tools: [tool("shell", "ran")],
    systemPrompt: "be brief",
    watchMods: false,
    watch: [],
    ...options,
  });
}

test("Every hook receives `ModContext` (`{emit, signal, cwd, session?}`) as its LAST argument", async () => {
  const seen = new Map<string, unknown[]>();
  const mod: Record<string, unknown> = { id: "noting" };
  for (const hook of MOD_HOOK_NAMES) {
    mod[hook] = (...given: unknown[]) => {
      seen.set(hook, given);
      const { state, messages } = given[0] as { state?: unknown; messages?: unknown };
      return hook === "transformContext" ? messages : hook.startsWith("onTurn") ? state : undefined;
    };
  }
  const rig = rigWith({ mods: [mod as unknown as AgentMod] });
  await rig.run();
  await rig.harness.close();
  expect([...seen.keys()].toSorted()).toEqual([...MOD_HOOK_NAMES].toSorted());
  for (const given of seen.values()) {
    const context = given.at(-1) as ModContext;
    expect([given.length, typeof context.emit, context.signal instanceof AbortSignal, context.cwd]).toEqual([
      2,
      "function",
      true,
      ".",
    ]);
  }
});

test("a hook that only declares the params object keeps compiling and running unchanged", async () => {
  const mod: AgentMod = { id: "short", appendSystemPrompt: ({ state }) => `${state.messages.length} messages` };
  const rig = rigWith({ steps: [reply("hi")], mods: [mod] });
  await rig.run();
  expect(rig.model.requests[0]?.system).toBe("be brief\n\n1 messages");
  expect(await mod.appendSystemPrompt?.({ state: { sessionId: "s", messages: [], modState: {} } })).toBe("0 messages");
});

test("`beforeToolCall` completes (for every mod) **before** `tool_running` is emitted", async () => {
  const rig: Rig = rigWith({
    mods: ["a", "b"].map((id) => ({
      id,
      beforeToolCall: async () => {
        await Promise.resolve();
        void rig.log.write(`◆ ${id} is done`);
      },
    })),
  });
  await rig.run();
  expect(rig.log.between("◆ beforeToolCall a", "→ tool_running shell")).toEqual([
    "◆ beforeToolCall a",
    "◆ a is done",
    "◆ beforeToolCall b",
    "◆ b is done",
    "→ tool_running shell",
  ]);
});

test("the `tool_queued` event fired with the ORIGINAL input before any hook ran and is never re-emitted", async () => {
  const rig = rigWith({ mods: [{ id: "a", beforeToolCall: () => ({ input: { command: "rm" } }) }] });
  await rig.run();
  expect(rig.log.only("→ tool_queued", "◆")).toEqual(["→ tool_queued shell", "◆ beforeToolCall a"]);
  expect(rig.events.find(({ type }) => type === "tool_queued")).toMatchObject({ input: { command: "ls" } });
});

test("`afterToolCall` completes **before** `tool_completed` / `tool_errored` is emitted", async () => {
  const rig: Rig = rigWith({
    mods: [
      {
        id: "a",
        afterToolCall: async () => {
          await Promise.resolve();
          void rig.log.write("◆ a is done");
        },
      },
    ],
  });
  await rig.run();
  expect(rig.log.between("◆ afterToolCall a", "→ tool_completed shell")).toEqual([
    "◆ afterToolCall a",
    "◆ a is done",
    "→ tool_completed shell",
  ]);
});

test("the terminal event carries the post-hook content, and its `isError` decides which of the two fires", async () => {
  const rig = rigWith({ mods: [{ id: "a", afterToolCall: () => ({ content: "not really", isError: true }) }] });
  const { state } = await rig.run();
  expect(rig.events.find(({ type }) => type === "tool_errored")).toMatchObject({ error: "not really" });
  expect(rig.log.only("→ tool_completed")).toEqual([]);
  expect(state.messages[2]?.content).toMatchObject([{ isError: true }]);
});

test("`afterToolCall`'s `modState` is committed right after the batch's tool-result message - BEFORE `onTurnEnd` runs", async () => {
  const seen: unknown[] = [];
  const rig = rigWith({
    mods: [
      {
        id: "a",
        afterToolCall: ({ state }) => {
          seen.push(getModState({ state, modId: "a" }));
          return { modState: { count: 1 } };
        },
        onTurnEnd: ({ state }) => {
          seen.push(state.messages.at(-1)?.role === "user", getModState({ state, modId: "a" }));
          return state;
        },
      },
    ],
    maxTurns: 1,
  });
  await rig.run();
  expect(seen).toEqual([undefined, true, { count: 1 }]);
});

test("`onTurnStart` precedes `turn_start`; `onTurnEnd` precedes `turn_end` and `onCommit`", async () => {
  const rig = rigWith({
    steps: [reply("hi")],
    mods: [{ id: "a", onTurnStart: ({ state }) => state, onTurnEnd: ({ state }) => state }],
  });
  await rig.run();
  expect(rig.log.only("◆", "→ turn_", "■")).toEqual([
    "◆ onTurnStart a",
    "→ turn_start 1",
    "◆ onTurnEnd a",
    "→ turn_end 1",
    "■ commit",
  ]);
});

test("`onCommit` fires once per completed turn with the full serializable state", async () => {
  const committed: unknown[] = [];
  const rig = rigWith({
    onCommit: (state) => void committed.push(JSON.parse(JSON.stringify(state))),
    mods: [{ id: "a", onTurnEnd: ({ state, turnNumber }) => setModState({ state, modId: "a", value: turnNumber }) }],
  });
  const { state } = await rig.run();
  expect(committed.length).toBe(2);
  expect(committed[0]).toMatchObject({ modState: { a: 1 }, messages: { length: 3 } });
  expect(committed[1]).toEqual(JSON.parse(JSON.stringify(state)));
});

test("`shouldStopAfterTurn` is evaluated **after** the turn commits, so a stop_hook never loses the turn", async () => {
  const rig = rigWith({ mods: [{ id: "a", shouldStopAfterTurn: () => true }] });
  await rig.run();
  expect(rig.log.from("■ commit")).toEqual(["■ commit", "◆ shouldStopAfterTurn a", "→ run_end stop_hook"]);
});

test("`prepareNextTurn` runs only when the loop actually continues (never on a stopping turn)", async () => {
  const mods = [{ id: "a", prepareNextTurn: () => undefined }];
  const going = rigWith({ mods });
  await going.run();
  const stopping = rigWith({ mods, maxTurns: 1 });
  await stopping.run();
  expect([going, stopping].map(({ log }) => log.only("◆").length)).toEqual([1, 0]);
});

test("`onRunEnd` is **awaited** before the `run_end` event", async () => {
  const rig: Rig = rigWith({
    steps: [reply("hi")],
    mods: [
      {
        id: "a",
        onRunEnd: async () => {
          await Promise.resolve();
          void rig.log.write("◆ a is done");
        },
      },
    ],
  });
  await rig.run();
  expect(rig.log.from("◆ onRunEnd a")).toEqual(["◆ onRunEnd a", "◆ a is done", "→ run_end end_turn"]);
});

test("event subscribers must never be", async () => {
  const rig = rigWith({ steps: [reply("hi")] });
  rig.harness.events.subscribe(() => new Promise<never>(() => undefined) as unknown as void);
  expect((await rig.run()).stopReason).toBe("end_turn");
});

test("Mods run in **registration order** in every phase", async () => {
  const all = (id: string): AgentMod => ({
    id,
    onTurnStart: ({ state }) => state,
    appendSystemPrompt: () => undefined,
    transformContext: ({ messages }) => messages,
    beforeToolCall: () => undefined,
    afterToolCall: () => undefined,
    onTurnEnd: ({ state }) => state,
    shouldStopAfterTurn: () => false,
    prepareNextTurn: () => undefined,
    onRunEnd: () => undefined,
  });
  const rig = rigWith({ mods: [all("a"), all("b")], maxTurns: 2 });
  await rig.run();
  const order = rig.log.only("◆");
  expect(order.filter((_, index) => index % 2 === 0).map((entry) => entry.replace(/ a$/, " b"))).toEqual(
    order.filter((_, index) => index % 2 === 1),
  );
});
