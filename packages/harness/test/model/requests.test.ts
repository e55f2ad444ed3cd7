import { defineHook, type ApiRequestPayload, type ApiResponsePayload } from "@hookscope/hooks";
import { callTools, reply } from "@hookscope/testing";
import { expect, test } from "vitest";

import { NO_USAGE } from "../../src/index.ts";
import { createRig, tool } from "../support/rig.ts";

const USED = { ...NO_USAGE, input_tokens: 10, output_tokens: 2 };

test("pre_api_request and post_api_request tell provider, model, round, attempt, counts, usage and stop", async () => {
  const seen: (ApiRequestPayload | ApiResponsePayload)[] = [];
  const rig = createRig({
    steps: [callTools([{ name: "shell", input: {} }], { usage: USED }), reply("hi", { usage: USED })],
    tools: [tool("shell")],
    hooks: [
      defineHook({
        name: "audit",
        on: {
          pre_api_request: ({ payload }) => void seen.push(payload),
          post_api_request: ({ payload }) => void seen.push(payload),
        },
      }),
    ],
  });
  await rig.run();
  const call = { provider: "scripted", model: "scripted-model", attempt: 1, purpose: "turn" };
  const answer = { ...call, response_model: "scripted-model", duration_ms: 0, usage: USED };
  expect(seen).toEqual([
    { ...call, iteration: 1, message_count: 1, tool_count: 1 },
    { ...answer, iteration: 1, stop: "tool_use" },
    { ...call, iteration: 2, message_count: 3, tool_count: 1 },
    { ...answer, iteration: 2, stop: "end_turn" },
  ]);
});

test("the model is given the system prompt, the messages and the tools as they are told to it", async () => {
  const rig = createRig({
    steps: [reply("hi")],
    systemPrompt: "be brief",
    effort: "high",
    tools: [tool("shell", "done", { risk: "high" })],
  });
  await rig.run("hello");
  expect(rig.model.requests).toEqual([
    {
      model: "scripted-model",
      system: "be brief",
      effort: "high",
      messages: [{ role: "user", source: "user", content: [{ type: "text", text: "hello" }] }],
      tools: [{ name: "shell", description: "The tool shell.", inputSchema: { type: "object" } }],
    },
  ]);
});

test("a system prompt may be made of the session, its state and the permission mode", async () => {
  const rig = createRig({
    steps: [reply("hi")],
    systemPrompt: ({ sessionId, state, permissionMode }) => `${sessionId} ${state.messages.length} ${permissionMode}`,
  });
  await rig.run("hello", { state: { sessionId: "s1", messages: [], modState: {} } });
  expect(rig.model.requests[0]?.system).toBe("s1 1 default");
});

test("without a system prompt none is sent", async () => {
  const rig = createRig({ steps: [reply("hi")] });
  await rig.run();
  expect(rig.model.requests[0]?.system).toBe(undefined);
});

test("a system prompt that cannot be made fails the turn, not the process", async () => {
  const rig = createRig({
    steps: [reply("hi")],
    systemPrompt: () => {
      throw new Error("no template");
    },
  });
  const { stopReason, error } = await rig.run();
  expect([stopReason, error?.message]).toEqual(["error", "no template"]);
});
