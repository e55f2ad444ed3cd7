import type { LanguageModelV4StreamPart, LanguageModelV4Usage } from "@ai-sdk/provider";
import { convertArrayToReadableStream, MockLanguageModelV4 } from "ai/test";

// The AI SDK's own mock stands in for providers whose parts neither wire format can produce.
export function mockModel(parts: readonly LanguageModelV4StreamPart[], provider = "mock.chat"): MockLanguageModelV4 {
  return new MockLanguageModelV4({
    provider,
    modelId: "model-1",
    doStream: () => Promise.resolve({ stream: convertArrayToReadableStream([...parts]) }),
  });
}

export const NO_COUNTS: LanguageModelV4Usage = {
  inputTokens: { total: undefined, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: undefined, text: undefined, reasoning: undefined },
};

export const FINISH: Extract<LanguageModelV4StreamPart, { type: "finish" }> = {
  type: "finish",
  usage: NO_COUNTS,
  finishReason: { unified: "stop", raw: "end_turn" },
};
