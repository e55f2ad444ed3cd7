import { expect, test } from "vitest";

import { fromLanguageModel, type CallSettings } from "@hookscope/harness/language-model";

import type { ModelRequest, ThinkingEffort } from "../../src/model.ts";
import { FINISH, mockModel } from "./mock-model.ts";
import { partsOf } from "./requests.ts";

async function optionsFor(fields: Partial<ModelRequest>, settings?: CallSettings): Promise<object | undefined> {
  const model = mockModel([FINISH]);
  await partsOf(fromLanguageModel(model, settings === undefined ? {} : { settings }), fields);
  return model.doStreamCalls[0];
}

const { signal } = new AbortController();
const PROMPT = [{ role: "user", content: [{ type: "text", text: "Hello" }] }];

test("what was not asked for is left out of the call's options, not undefined", async () => {
  expect(await optionsFor({ signal })).toStrictEqual({ prompt: PROMPT, abortSignal: signal });
});

test("tools, effort and the limit of output tokens are passed on", async () => {
  const inputSchema = { type: "object", properties: { path: { type: "string" } }, required: ["path"] };
  const tool = { name: "read_file", description: "Reads a file.", inputSchema };
  expect(await optionsFor({ signal, tools: [tool], effort: "high", maxOutputTokens: 100 })).toStrictEqual({
    prompt: PROMPT,
    abortSignal: signal,
    tools: [{ type: "function", name: "read_file", description: "Reads a file.", inputSchema }],
    reasoning: "high",
    maxOutputTokens: 100,
  });
});

const EFFORTS: readonly ThinkingEffort[] = ["none", "minimal", "low", "medium", "high", "xhigh", "max"];

test.each(EFFORTS)("effort %s is the AI SDK's reasoning of the same name", async (effort) => {
  expect(await optionsFor({ signal, effort })).toStrictEqual({
    prompt: PROMPT,
    abortSignal: signal,
    reasoning: effort,
  });
});

test("settings go with every call", async () => {
  const settings: CallSettings = {
    temperature: 0,
    headers: { "x-team": "a" },
    providerOptions: { openai: { user: "u" } },
  };
  expect(await optionsFor({ signal }, settings)).toStrictEqual({ ...settings, prompt: PROMPT, abortSignal: signal });
});
