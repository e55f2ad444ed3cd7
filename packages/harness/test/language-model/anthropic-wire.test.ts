import { createAnthropic } from "@ai-sdk/anthropic";
import { describe, expect, test } from "vitest";

import { fromLanguageModel } from "@hookscope/harness/language-model";

import { text, userMessage } from "../../src/messages.ts";
import type { ModelClient } from "../../src/model.ts";
import { block, finish, RESPONSE, START, stop } from "./anthropic-frames.ts";
import { partsOf } from "./requests.ts";
import { anthropicEvent, startWireServer, type WireServer } from "./wire-server.ts";

function client(server: WireServer): ModelClient {
  return fromLanguageModel(createAnthropic({ apiKey: "key", baseURL: `${server.url}/v1` })("claude-test"));
}

describe("Anthropic's stream, over HTTP", () => {
  test("a text", async () => {
    const deltas = ["Hel", "lo"].map((piece) => ({ type: "text_delta", text: piece }));
    const server = await startWireServer({
      frames: [
        START,
        anthropicEvent({ type: "ping" }),
        ...block(0, { type: "text", text: "" }, ...deltas),
        ...stop("end_turn"),
      ],
    });
    expect(await partsOf(client(server))).toEqual([
      RESPONSE,
      { type: "text_delta", text: "Hel" },
      { type: "text_delta", text: "lo" },
      finish("end_turn"),
    ]);
    expect(server.requests.map(({ path, headers }) => [path, headers["x-api-key"]])).toEqual([["/v1/messages", "key"]]);
  });

  test("thinking with its signature, then a tool call", async () => {
    const server = await startWireServer({
      frames: [
        START,
        ...block(
          0,
          { type: "thinking", thinking: "", signature: "" },
          { type: "thinking_delta", thinking: "Look." },
          { type: "signature_delta", signature: "sig-1" },
        ),
        ...block(1, { type: "redacted_thinking", data: "sealed" }),
        ...block(
          2,
          { type: "tool_use", id: "toolu_1", name: "shell", input: {} },
          { type: "input_json_delta", partial_json: '{"command":' },
          { type: "input_json_delta", partial_json: '"ls"}' },
        ),
        ...stop("tool_use"),
      ],
    });
    expect(await partsOf(client(server))).toEqual([
      RESPONSE,
      { type: "thinking_start" },
      { type: "thinking_delta", text: "Look." },
      { type: "thinking_end", metadata: { anthropic: { signature: "sig-1" } } },
      { type: "thinking_start" },
      { type: "thinking_end", metadata: { anthropic: { redactedData: "sealed" } } },
      { type: "tool_input_start", id: "toolu_1", name: "shell" },
      { type: "tool_input_delta", id: "toolu_1", delta: '{"command":' },
      { type: "tool_input_delta", id: "toolu_1", delta: '"ls"}' },
      { type: "tool_call", id: "toolu_1", name: "shell", input: '{"command":"ls"}' },
      finish("tool_use"),
    ]);
  });

  test("a tool call whose input is no JSON arrives as it was written", async () => {
    const server = await startWireServer({
      frames: [
        START,
        ...block(
          0,
          { type: "tool_use", id: "toolu_1", name: "shell", input: {} },
          { type: "input_json_delta", partial_json: '{"command": ls' },
        ),
        ...stop("tool_use"),
      ],
    });
    expect(await partsOf(client(server))).toEqual([
      RESPONSE,
      { type: "tool_input_start", id: "toolu_1", name: "shell" },
      { type: "tool_input_delta", id: "toolu_1", delta: '{"command": ls' },
      { type: "tool_call", id: "toolu_1", name: "shell", input: '{"command": ls' },
      finish("tool_use"),
    ]);
  });

  test("what went over the wire holds the whole conversation, signatures and failed results included", async () => {
    const server = await startWireServer({
      frames: [START, ...block(0, { type: "text", text: "" }), ...stop("end_turn")],
    });
    const inputSchema = { type: "object", properties: { command: { type: "string" } } };
    await partsOf(client(server), {
      system: "Be brief.",
      tools: [{ name: "shell", description: "Runs a command.", inputSchema }],
      maxOutputTokens: 64,
      messages: [
        userMessage("List it."),
        {
          role: "assistant",
          content: [
            { type: "thinking", text: "Look.", metadata: { anthropic: { signature: "sig-1" } } },
            { type: "thinking", text: "", metadata: { anthropic: { redactedData: "sealed" } } },
            { type: "tool_use", id: "toolu_1", name: "shell", input: { command: "ls" } },
          ],
        },
        {
          role: "user",
          source: "tool_results",
          content: [
            {
              type: "tool_result",
              toolCallId: "toolu_1",
              toolName: "shell",
              content: [text("Blocked: no")],
              isError: true,
            },
          ],
        },
      ],
    });
    expect(server.requests[0]?.body).toMatchObject({
      model: "claude-test",
      stream: true,
      max_tokens: 64,
      system: [{ type: "text", text: "Be brief." }],
      tools: [{ name: "shell", description: "Runs a command.", input_schema: inputSchema }],
    });
    expect(server.requests[0]?.body).toHaveProperty("messages", [
      { role: "user", content: [{ type: "text", text: "List it." }] },
      {
        role: "assistant",
        content: [
          { type: "thinking", thinking: "Look.", signature: "sig-1" },
          { type: "redacted_thinking", data: "sealed" },
          { type: "tool_use", id: "toolu_1", name: "shell", input: { command: "ls" } },
        ],
      },
      {
        role: "user",
        content: [{ type: "tool_result", tool_use_id: "toolu_1", content: "Blocked: no", is_error: true }],
      },
    ]);
  });
});
