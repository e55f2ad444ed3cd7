import { expect, test } from "vitest";

import { fromLanguageModel } from "@hookscope/harness/language-model";

import { mockModel } from "./mock-model.ts";

const NAMES: readonly (readonly [id: string, name: string])[] = [
  ["anthropic.messages", "anthropic"],
  ["openai.chat", "openai"],
  ["openai.responses", "openai"],
  ["google.generative-ai", "gcp.gemini"],
  ["google.vertex.chat", "gcp.vertex_ai"],
  ["vertex.anthropic.messages", "gcp.vertex_ai"],
  ["azure.chat", "azure.ai.openai"],
  ["azure-openai.chat", "azure.ai.openai"],
  ["amazon-bedrock", "aws.bedrock"],
  ["bedrock.anthropic.messages", "aws.bedrock"],
  ["mistral.chat", "mistral_ai"],
  ["xai.chat", "x_ai"],
  ["deepseek.chat", "deepseek"],
  ["groq.chat", "groq"],
  ["cohere.chat", "cohere"],
  ["perplexity", "perplexity"],
  ["moonshotai.chat", "moonshot_ai"],
  ["ollama.chat", "ollama"],
  ["openai-like.chat", "openai-like"],
  ["", "unknown"],
];

test.each(NAMES)("provider id %j is the gen_ai.provider.name %s", (id, name) => {
  expect(fromLanguageModel(mockModel([], id)).provider).toBe(name);
});

test("a provider name that is given holds", () => {
  expect(fromLanguageModel(mockModel([], "openai.chat"), { provider: "openrouter" }).provider).toBe("openrouter");
});
