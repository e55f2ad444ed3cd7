import { defineHook, modify } from "@hookscope/hooks";
import { failWith, reply, type ScriptedStep } from "@hookscope/testing";
import { expect, test } from "vitest";

import { createRig } from "../support/rig.ts";

const OVERLOADED = failWith({ statusCode: 529, retryable: true, type: "overloaded" });

test("a model error with retries: three are silent, the fourth is an event, then the answer", async () => {
  const rig = createRig({
    steps: [OVERLOADED, OVERLOADED, OVERLOADED, OVERLOADED, reply("hi", { chunks: 1 })],
    watchMods: false,
  });
  const running = rig.run();
  await rig.clock.advance(60_000);
  await running;
  expect(rig.log.entries).toEqual([
    "● on_session_start",
    "→ run_start",
    "● pre_llm_call",
    "→ turn_start 1",
    "→ message_start",
    "→ model_request_start",
    "● pre_api_request",
    "▶ model",
    "● api_request_error",
    "● transform_api_error_classification",
    "● pre_api_request",
    "▶ model",
    "● api_request_error",
    "● transform_api_error_classification",
    "● pre_api_request",
    "▶ model",
    "● api_request_error",
    "● transform_api_error_classification",
    "● pre_api_request",
    "▶ model",
    "● api_request_error",
    "● transform_api_error_classification",
    "→ api_retry 4",
    "● pre_api_request",
    "▶ model",
    "→ text_delta hi",
    "● post_api_request",
    "→ model_request_end",
    "→ message_end",
    "→ turn_end 1",
    "■ commit",
    "● post_llm_call",
    "● on_session_end",
    "→ run_end end_turn",
  ]);
});

test("an error that is not retryable: no wait, the turn fails and still ends properly", async () => {
  const rig = createRig({ steps: [failWith({ statusCode: 401, retryable: false, type: "authentication" })] });
  await rig.run();
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
    "● api_request_error",
    "● transform_api_error_classification",
    "→ run_error",
    "● on_session_end",
    "◆ onRunEnd watcher",
    "→ run_end error",
  ]);
});

test("a classification hook makes an error retryable: the call is tried again", async () => {
  const hook = defineHook({
    name: "classifier",
    on: { transform_api_error_classification: () => modify({ retryable: true, retry_after_ms: 5 }) },
  });
  const rig = createRig({
    steps: [failWith({ statusCode: 400, retryable: false, type: "odd" }), reply("hi", { chunks: 1 })],
    hooks: [hook],
    watchMods: false,
  });
  const running = rig.run();
  await rig.clock.advance(5);
  await running;
  expect(rig.log.between("▶ model", "→ model_request_end")).toEqual([
    "▶ model",
    "● api_request_error",
    "● transform_api_error_classification",
    "● transform_api_error_classification classifier",
    "● pre_api_request",
    "▶ model",
    "→ text_delta hi",
    "● post_api_request",
    "→ model_request_end",
  ]);
});

test("text that was shown is taken back before the next attempt", async () => {
  const broken: ScriptedStep = failWith({ statusCode: null, retryable: true, type: "connection", afterText: "h" });
  const rig = createRig({ steps: [broken, reply("hi", { chunks: 1 })], watchMods: false });
  const running = rig.run();
  await rig.clock.advance(60_000);
  await running;
  expect(rig.log.only("→")).toEqual([
    "→ run_start",
    "→ turn_start 1",
    "→ message_start",
    "→ model_request_start",
    "→ text_delta h",
    "→ message_update 2",
    "→ text_delta hi",
    "→ model_request_end",
    "→ message_end",
    "→ turn_end 1",
    "→ run_end end_turn",
  ]);
});
