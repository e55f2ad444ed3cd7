import { createAnthropic } from "@ai-sdk/anthropic";
import { createHarness, type Tool } from "@hookscope/harness";
import { fromLanguageModel } from "@hookscope/harness/language-model";
import { expect, test } from "vitest";

import { block, START, stop } from "./anthropic-frames.ts";
import { anthropicEvent, startWireServer } from "./wire-server.ts";

const OVERLOADED = anthropicEvent({ type: "error", error: { type: "overloaded_error", message: "Overloaded" } });

const weather: Tool = {
  name: "weather",
  description: "Tells the weather of a city.",
  inputSchema: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
  risk: "low",
  execute: ({ input }) => `Rain in ${String(input["city"])}`,
};

test("a turn over the wire: tried again, a tool called, its thinking sent back signed, the answer given", async () => {
  const server = await startWireServer(
    { headers: { "retry-after": "0" }, frames: [OVERLOADED] },
    {
      frames: [
        START,
        ...block(
          0,
          { type: "thinking", thinking: "", signature: "" },
          { type: "thinking_delta", thinking: "Ask." },
          { type: "signature_delta", signature: "sig-1" },
        ),
        ...block(
          1,
          { type: "tool_use", id: "toolu_1", name: "weather", input: {} },
          { type: "input_json_delta", partial_json: '{"city":"Bergen"}' },
        ),
        ...stop("tool_use"),
      ],
    },
    {
      frames: [
        START,
        ...block(0, { type: "text", text: "" }, { type: "text_delta", text: "It rains." }),
        ...stop("end_turn"),
      ],
    },
  );
  const model = createAnthropic({ apiKey: "key", baseURL: server.url })("claude-test");
  const harness = createHarness({ model: fromLanguageModel(model), tools: [weather] });

  const result = await harness.run({ userInput: "How is the weather in Bergen?" });
  await harness.close();

  expect(result).toMatchObject({ finalText: "It rains.", stopReason: "end_turn", turnCount: 2 });
  expect(result.usage).toEqual({
    input_tokens: 30,
    output_tokens: 14,
    cache_read_tokens: 6,
    cache_write_tokens: 4,
    reasoning_tokens: 0,
  });
  expect(server.requests.length).toBe(3);
  expect(server.requests[2]?.body).toHaveProperty("messages", [
    { role: "user", content: [{ type: "text", text: "How is the weather in Bergen?" }] },
    {
      role: "assistant",
      content: [
        { type: "thinking", thinking: "Ask.", signature: "sig-1" },
        { type: "tool_use", id: "toolu_1", name: "weather", input: { city: "Bergen" } },
      ],
    },
    { role: "user", content: [{ type: "tool_result", tool_use_id: "toolu_1", content: "Rain in Bergen" }] },
  ]);
});
