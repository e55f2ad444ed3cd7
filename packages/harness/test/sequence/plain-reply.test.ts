import { reply } from "@hookscope/testing";
import { expect, test } from "vitest";

import { createRig } from "../support/rig.ts";

test("a plain reply: the whole sequence of a turn with one round", async () => {
  const rig = createRig({ steps: [reply("hi", { chunks: 1 })], systemPrompt: "be brief" });
  const result = await rig.run();
  expect(rig.log.entries).toEqual([
    "● on_session_start",
    "→ run_start",
    "● pre_llm_call",
    "◆ onTurnStart watcher",
    "→ turn_start 1",
    "◆ appendSystemPrompt watcher",
    "◆ transformContext watcher",
    "→ message_start",
    "→ model_request_start",
    "● pre_api_request",
    "▶ model",
    "→ text_delta hi",
    "● post_api_request",
    "→ model_request_end",
    "→ message_end",
    "◆ onTurnEnd watcher",
    "→ turn_end 1",
    "■ commit",
    "◆ shouldStopAfterTurn watcher",
    "◆ onStop watcher",
    "● post_llm_call",
    "● on_session_end",
    "◆ onRunEnd watcher",
    "→ run_end end_turn",
  ]);
  expect(result.finalText).toBe("hi");
});
