import { callTools, reply } from "@hookscope/testing";
import { expect, test } from "vitest";

import { createRig, tool } from "../support/rig.ts";

const CALL = callTools([{ name: "shell", input: {} }]);

test("a stop hook: after the commit, first true ends the run, later mods are not asked", async () => {
  const rig = createRig({
    steps: [CALL],
    tools: [tool("shell")],
    mods: [
      { id: "budget", shouldStopAfterTurn: () => true },
      { id: "later", shouldStopAfterTurn: () => false },
    ],
  });
  await rig.run();
  expect(rig.log.from("◆ onTurnEnd watcher")).toEqual([
    "◆ onTurnEnd watcher",
    "→ turn_end 1",
    "■ commit",
    "◆ shouldStopAfterTurn watcher",
    "◆ shouldStopAfterTurn budget",
    "● post_llm_call",
    "● on_session_end",
    "◆ onRunEnd watcher",
    "→ run_end stop_hook",
  ]);
});

test("max_turns: the last round is committed and asked about, then the run stops", async () => {
  const rig = createRig({ steps: [CALL, CALL], tools: [tool("shell")], maxTurns: 2 });
  await rig.run();
  expect(rig.log.from("→ turn_end 1")).toEqual([
    "→ turn_end 1",
    "■ commit",
    "◆ shouldStopAfterTurn watcher",
    "◆ prepareNextTurn watcher",
    "◆ onTurnStart watcher",
    "→ turn_start 2",
    "◆ appendSystemPrompt watcher",
    "◆ transformContext watcher",
    "→ message_start",
    "→ model_request_start",
    "● pre_api_request",
    "▶ model",
    "● post_api_request",
    "→ model_request_end",
    "→ message_end",
    "→ tool_queued shell",
    "◆ beforeToolCall watcher",
    "● pre_tool_call",
    "→ tool_running shell",
    "▶ shell",
    "◆ afterToolCall watcher",
    "● post_tool_call",
    "● transform_tool_result",
    "→ tool_completed shell",
    "◆ onTurnEnd watcher",
    "→ turn_end 2",
    "■ commit",
    "◆ shouldStopAfterTurn watcher",
    "● on_session_end",
    "◆ onRunEnd watcher",
    "→ run_end max_turns",
  ]);
});

test("a continued stop: the reason becomes a message, and another round follows", async () => {
  let asked = 0;
  const rig = createRig({
    steps: [reply("first", { chunks: 1 }), reply("second", { chunks: 1 })],
    mods: [
      {
        id: "persistent",
        onStop: () => {
          asked += 1;
          return { continue: asked === 1, reason: "not yet" };
        },
      },
      { id: "later", onStop: () => undefined },
    ],
  });
  await rig.run();
  expect(rig.log.from("→ turn_end 1")).toEqual([
    "→ turn_end 1",
    "■ commit",
    "◆ shouldStopAfterTurn watcher",
    "◆ onStop watcher",
    "◆ onStop persistent",
    "◆ prepareNextTurn watcher",
    "◆ onTurnStart watcher",
    "→ turn_start 2",
    "◆ appendSystemPrompt watcher",
    "◆ transformContext watcher",
    "→ message_start",
    "→ model_request_start",
    "● pre_api_request",
    "▶ model",
    "→ text_delta second",
    "● post_api_request",
    "→ model_request_end",
    "→ message_end",
    "◆ onTurnEnd watcher",
    "→ turn_end 2",
    "■ commit",
    "◆ shouldStopAfterTurn watcher",
    "◆ onStop watcher",
    "◆ onStop persistent",
    "◆ onStop later",
    "● post_llm_call",
    "● on_session_end",
    "◆ onRunEnd watcher",
    "→ run_end end_turn",
  ]);
});

test("a follow-up message goes before onStop and keeps the turn going", async () => {
  const waiting = [["and then?"], []];
  const rig = createRig({
    steps: [reply("first", { chunks: 1 }), reply("second", { chunks: 1 })],
    getFollowUpMessages: () => waiting.shift() ?? [],
  });
  await rig.run();
  expect(rig.log.from("→ turn_end 1")).toEqual([
    "→ turn_end 1",
    "■ commit",
    "◆ shouldStopAfterTurn watcher",
    "◆ prepareNextTurn watcher",
    "◆ onTurnStart watcher",
    "→ turn_start 2",
    "◆ appendSystemPrompt watcher",
    "◆ transformContext watcher",
    "→ message_start",
    "→ model_request_start",
    "● pre_api_request",
    "▶ model",
    "→ text_delta second",
    "● post_api_request",
    "→ model_request_end",
    "→ message_end",
    "◆ onTurnEnd watcher",
    "→ turn_end 2",
    "■ commit",
    "◆ shouldStopAfterTurn watcher",
    "◆ onStop watcher",
    "● post_llm_call",
    "● on_session_end",
    "◆ onRunEnd watcher",
    "→ run_end end_turn",
  ]);
});
