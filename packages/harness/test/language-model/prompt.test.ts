import { describe, expect, test } from "vitest";

import { fromLanguageModel } from "@hookscope/harness/language-model";

import { text, userMessage, type Message } from "../../src/messages.ts";
import { FINISH, mockModel } from "./mock-model.ts";
import { partsOf } from "./requests.ts";

async function promptFor(messages: readonly Message[], system?: string): Promise<unknown> {
  const model = mockModel([FINISH]);
  await partsOf(fromLanguageModel(model), { messages, system });
  return model.doStreamCalls[0]?.prompt;
}

describe("the prompt of a language model", () => {
  test("has a tool call with what its provider wants back", async () => {
    const signed = { google: { thoughtSignature: "sig-2" } };
    const content = [{ type: "tool_use", id: "call_1", name: "ls", input: {}, metadata: signed }] as const;
    expect(await promptFor([{ role: "assistant", content }])).toEqual([
      {
        role: "assistant",
        content: [{ type: "tool-call", toolCallId: "call_1", toolName: "ls", input: {}, providerOptions: signed }],
      },
    ]);
  });

  test("begins with the system prompt, then the user's text", async () => {
    expect(await promptFor([userMessage("Hello")], "Be brief.")).toEqual([
      { role: "system", content: "Be brief." },
      { role: "user", content: [{ type: "text", text: "Hello" }] },
    ]);
  });

  test("has thinking with its metadata, text and tool calls in the model's order", async () => {
    const assistant: Message = {
      role: "assistant",
      content: [
        { type: "thinking", text: "Look first.", metadata: { anthropic: { signature: "sig-1" } } },
        text("I look."),
        { type: "tool_use", id: "call_1", name: "read_file", input: { path: "a.txt" } },
      ],
    };
    expect(await promptFor([assistant])).toEqual([
      {
        role: "assistant",
        content: [
          { type: "reasoning", text: "Look first.", providerOptions: { anthropic: { signature: "sig-1" } } },
          { type: "text", text: "I look." },
          { type: "tool-call", toolCallId: "call_1", toolName: "read_file", input: { path: "a.txt" } },
        ],
      },
    ]);
  });

  test("has tool results in a message of their own, before the text that came with them", async () => {
    const user: Message = {
      role: "user",
      source: "tool_results",
      content: [
        text("Go on."),
        {
          type: "tool_result",
          toolCallId: "call_1",
          toolName: "shell",
          content: [text("one"), text("two")],
          isError: false,
        },
        {
          type: "tool_result",
          toolCallId: "call_2",
          toolName: "shell",
          content: [text("no such file")],
          isError: true,
        },
        { type: "tool_result", toolCallId: "call_3", toolName: "shell", content: [], isError: false },
      ],
    };
    expect(await promptFor([user])).toEqual([
      {
        role: "tool",
        content: [
          { type: "tool-result", toolCallId: "call_1", toolName: "shell", output: { type: "text", value: "one\ntwo" } },
          {
            type: "tool-result",
            toolCallId: "call_2",
            toolName: "shell",
            output: { type: "error-text", value: "no such file" },
          },
          { type: "tool-result", toolCallId: "call_3", toolName: "shell", output: { type: "text", value: "" } },
        ],
      },
      { role: "user", content: [{ type: "text", text: "Go on." }] },
    ]);
  });

  test("leaves out blank texts, blank system prompts, what ran at the provider, and messages with nothing left", async () => {
    const messages: Message[] = [
      userMessage(" \n"),
      { role: "assistant", content: [text(""), { type: "provider", name: "web_search", value: { call: "1" } }] },
      { role: "assistant", content: [text("Kept"), text("  ")] },
    ];
    expect(await promptFor(messages, "  ")).toEqual([{ role: "assistant", content: [{ type: "text", text: "Kept" }] }]);
  });

  test("sends thinking without metadata, and drops metadata that is no provider's", async () => {
    const assistant: Message = {
      role: "assistant",
      content: [
        { type: "thinking", text: "a" },
        { type: "thinking", text: "b", metadata: { note: "not an object", list: [1] } },
      ],
    };
    expect(await promptFor([assistant])).toEqual([
      {
        role: "assistant",
        content: [
          { type: "reasoning", text: "a" },
          { type: "reasoning", text: "b" },
        ],
      },
    ]);
  });
});
