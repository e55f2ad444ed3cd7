import { callTools, failWith, reply, type ScriptedStep } from "@hookscope/testing";
import { expect, test } from "vitest";

import { setModState, textOf, userMessage, type AgentMod, type RunResult } from "../../src/index.ts";
import { createRig, tool, type Rig, type RigOptions } from "../support/rig.ts";

const CALL: ScriptedStep = callTools([{ name: "shell", input: {} }]);
const USAGE = { input_tokens: 3, output_tokens: 2, cache_read_tokens: 0, cache_write_tokens: 0, reasoning_tokens: 0 };

function rigWith(mods: readonly AgentMod[], options: RigOptions = {}): Rig {
  return createRig({
    steps: [CALL, reply("done")],
    tools: [tool("shell", "ran")],
    watchMods: false,
    watch: [],
    mods,
    ...options,
  });
}

test("`shouldStopAfterTurn`: **any** mod returning `true` ends the run with `stopReason: 'stop_hook'` - first true short-circuits", async () => {
  const rig = rigWith(["a", "b", "c"].map((id) => ({ id, shouldStopAfterTurn: () => id === "b" })));
  const { stopReason } = await rig.run();
  expect([stopReason, rig.log.only("◆")]).toEqual([
    "stop_hook",
    ["◆ shouldStopAfterTurn a", "◆ shouldStopAfterTurn b"],
  ]);
});

test("`shouldStopAfterTurn` is given the state and the turn number", async () => {
  const seen: unknown[] = [];
  const rig = rigWith([
    {
      id: "a",
      shouldStopAfterTurn: ({ state, turnNumber }) => {
        seen.push([state.messages.length, turnNumber]);
        return false;
      },
    },
  ]);
  await rig.run();
  expect(seen).toEqual([
    [3, 1],
    [4, 2],
  ]);
});

test("`onTurnStart` / `onTurnEnd` return the new `AgentState`, which the loop threads onward and commits", async () => {
  const committed: unknown[] = [];
  const counting = (id: string): AgentMod => ({
    id,
    onTurnStart: ({ state, turnNumber }) => setModState({ state, modId: `${id} start`, value: turnNumber }),
    onTurnEnd: ({ state, turnNumber }) => setModState({ state, modId: `${id} end`, value: turnNumber }),
  });
  const rig = rigWith([counting("a"), counting("b")], {
    steps: [reply("hi")],
    onCommit: ({ modState }) => void committed.push(modState),
  });
  await rig.run();
  expect(committed).toEqual([{ "a start": 1, "b start": 1, "a end": 1, "b end": 1 }]);
});

test("`onTurnEnd`'s `usage` is *this turn's* token usage", async () => {
  const seen: unknown[] = [];
  const rig = rigWith(
    [
      {
        id: "a",
        onTurnEnd: ({ state, usage, hadToolCalls }) => {
          seen.push([usage, hadToolCalls]);
          return state;
        },
      },
    ],
    { steps: [callTools([{ name: "shell", input: {} }], { usage: USAGE }), reply("done", { usage: USAGE })] },
  );
  await rig.run();
  expect(seen).toEqual([
    [USAGE, true],
    [USAGE, false],
  ]);
});

test.for([
  ["end_turn", { steps: [reply("hi")] }],
  ["permission_denied", { steps: [CALL], permissions: { check: () => ({ decision: "deny" }) } }],
  ["max_turns", { steps: [CALL], maxTurns: 1 }],
  ["interrupted", { steps: [CALL], interruptAt: "▶ shell" }],
] as const satisfies readonly (readonly [string, RigOptions])[])(
  "Both fire every round, including the round that stops: %s",
  async ([reason, options]) => {
    const mod: AgentMod = { id: "a", onTurnStart: ({ state }) => state, onTurnEnd: ({ state }) => state };
    const rig = rigWith([mod], options);
    expect([(await rig.run()).stopReason, rig.log.only("◆")]).toEqual([reason, ["◆ onTurnStart a", "◆ onTurnEnd a"]]);
  },
);

test("`onRunEnd` fires once, awaited, after the loop exits and before the `run_end` event", async () => {
  for (const options of [
    {},
    { steps: [failWith({ statusCode: 400, retryable: false, type: "bad_request" })] },
    { interruptAt: "▶ shell" },
  ] satisfies RigOptions[]) {
    const rig = rigWith([{ id: "a", onRunEnd: async () => undefined }], options);
    await rig.run();
    expect(rig.log.only("◆", "→ run_end").map((entry) => entry.split(" ")[1])).toEqual(["onRunEnd", "run_end"]);
  }
});

test("`result` carries `finalText`, `stopReason`, `turnCount`, accumulated `usage`; `state` is the final state", async () => {
  let given: { readonly result: RunResult; readonly messages: number } | undefined;
  const rig = rigWith(
    [{ id: "a", onRunEnd: ({ state, result }) => void (given = { result, messages: state.messages.length }) }],
    { steps: [callTools([{ name: "shell", input: {} }], { usage: USAGE }), reply("done", { usage: USAGE })] },
  );
  const result = await rig.run();
  expect(given).toEqual({ result, messages: 4 });
  expect(result).toMatchObject({
    finalText: "done",
    stopReason: "end_turn",
    turnCount: 2,
    usage: { ...USAGE, input_tokens: 6, output_tokens: 4 },
  });
});

test("Cannot alter the result", async () => {
  const rig = rigWith([
    {
      id: "a",
      onRunEnd: ({ result }) => {
        (result as { finalText: string }).finalText = "changed";
      },
    },
  ]);
  const { finalText } = await rig.run();
  const end = rig.events.at(-1);
  expect([finalText, end?.type === "run_end" && end.result.finalText]).toEqual(["done", "done"]);
});

const continuing = (times: number, reason?: string): AgentMod => {
  let asked = 0;
  return {
    id: "keeper",
    onStop: () => {
      asked += 1;
      return { continue: asked <= times, ...(reason === undefined ? {} : { reason }) };
    },
  };
};

test("`onStop` fires when a turn WOULD end the run **naturally**, with the last text", async () => {
  const seen: unknown[] = [];
  const rig = rigWith([
    {
      id: "a",
      onStop: ({ state, stopReason, turnNumber, lastAssistantText }) =>
        void seen.push([state.messages.length, stopReason, turnNumber, lastAssistantText]),
    },
  ]);
  await rig.run();
  expect(seen).toEqual([[4, "end_turn", 2, "done"]]);
});

test("Returning `{continue: true}` keeps the run going: `reason` (or a neutral default) is appended as a `source: 'stop_hook'` user turn", async () => {
  const steps = [reply("one"), reply("two")];
  for (const [reason, said] of [
    ["not yet", "not yet"],
    [undefined, "Keep going."],
  ]) {
    const { state, stopReason } = await rigWith([continuing(1, reason)], { steps }).run("hello");
    expect([stopReason, state.messages[2]]).toEqual(["end_turn", userMessage(said as string, "stop_hook")]);
  }
});

test("**ANY** mod returning `continue` wins (first wins, short-circuits)", async () => {
  const rig = rigWith(
    [{ id: "a", onStop: () => undefined }, continuing(1, "not yet"), { id: "c", onStop: () => undefined }],
    {
      steps: [reply("one"), reply("two")],
    },
  );
  await rig.run();
  expect(rig.log.only("◆")).toEqual(["◆ onStop a", "◆ onStop keeper", "◆ onStop a", "◆ onStop keeper", "◆ onStop c"]);
});

test.for([
  ["max_turns", { steps: [reply("one")], maxTurns: 1 }],
  ["terminate", { steps: [CALL], mods: [{ id: "b", afterToolCall: () => ({ terminate: true }) }, continuing(1)] }],
  ["permission_denied", { steps: [CALL], permissions: { check: () => ({ decision: "deny" }) } }],
  ["interrupted", { steps: [CALL], interruptAt: "▶ shell" }],
] as const satisfies readonly (readonly [string, RigOptions])[])(
  "Does **NOT** fire for hard stops: %s",
  async ([reason, options]) => {
    const rig = rigWith([continuing(1)], options);
    expect([(await rig.run()).stopReason, rig.log.only("◆ onStop")]).toEqual([reason, []]);
  },
);

test("A follow-up provider gets first say; `onStop` is consulted only when the provider declines", async () => {
  const waiting = [["and then?"], []];
  const rig = rigWith([{ id: "a", onStop: () => undefined }], {
    steps: [reply("one"), reply("two")],
    getFollowUpMessages: () => waiting.shift() ?? [],
  });
  const { state } = await rig.run("hello");
  expect([state.messages.map(({ content }) => textOf(content)), rig.log.only("◆")]).toEqual([
    ["hello", "one", "and then?", "two"],
    ["◆ onStop a"],
  ]);
});

test("The loop caps consecutive stop-hook continuations at **8**", async () => {
  const rig = rigWith([continuing(Infinity)], { steps: Array.from({ length: 20 }, () => reply("on it")) });
  const { stopReason, turnCount } = await rig.run();
  expect([stopReason, turnCount, rig.log.only("◆ onStop").length]).toEqual(["end_turn", 9, 8]);
});

test("a round with tool calls starts the count of continuations anew", async () => {
  const steps = [
    ...Array.from({ length: 8 }, () => reply("on it")),
    CALL,
    reply("done"),
    ...Array.from({ length: 9 }, () => reply("on it")),
  ];
  const rig = rigWith([continuing(Infinity)], { steps });
  const { turnCount } = await rig.run();
  expect(turnCount).toBe(18);
});

test("the page's example: keep going until the tests pass", async () => {
  const persistUntilTestsPass: AgentMod = {
    id: "until-green",
    onStop: async ({ lastAssistantText }) => {
      if (/all tests pass/i.test(lastAssistantText)) return { continue: false };
      return { continue: true, reason: "Tests are not green yet - keep going." };
    },
  };
  const rig = rigWith([persistUntilTestsPass], { steps: [reply("Two fail."), reply("All tests pass now.")] });
  const { finalText, turnCount, state } = await rig.run("fix it");
  expect([finalText, turnCount, state.messages[2]]).toEqual([
    "All tests pass now.",
    2,
    userMessage("Tests are not green yet - keep going.", "stop_hook"),
  ]);
});
