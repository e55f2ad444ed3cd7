import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";

import { userMessage, type ModelClient, type ModelStreamPart } from "@hookscope/harness";
import { describe, expect, onTestFinished, test } from "vitest";

import { modelFromName, type ModelFromNameOptions } from "../src/model-from-name.ts";

const CHUNK = {
  id: "c1",
  created: 1,
  model: "served",
  choices: [{ index: 0, delta: { content: "Hi" }, finish_reason: "stop" }],
  usage: { prompt_tokens: 3, completion_tokens: 1 },
};
const COMPLETION = `data: ${JSON.stringify(CHUNK)}\n\ndata: [DONE]\n\n`;

/** A real server that gives every request the same answer and keeps what it was asked. */
async function serve(body: string): Promise<{ url: string; asked: IncomingMessage[] }> {
  const asked: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    asked.push(request);
    request.resume().on("end", () => response.writeHead(200, { "content-type": "text/event-stream" }).end(body));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}

function ask(client: ModelClient, model = client.model): Promise<ModelStreamPart[]> {
  return Array.fromAsync(
    client.stream({
      model,
      system: undefined,
      messages: [userMessage("Hello")],
      tools: [],
      effort: undefined,
      signal: new AbortController().signal,
    }),
  );
}

async function refusal(name: string, options: ModelFromNameOptions): Promise<unknown> {
  return modelFromName(name, options).catch((error: unknown) => error);
}

const USAGE = { input_tokens: 3, output_tokens: 1, cache_read_tokens: 0, cache_write_tokens: 0, reasoning_tokens: 0 };

describe("a model by its name", () => {
  test.each([
    ["anthropic:claude-x", "anthropic", "claude-x"],
    ["openai:gpt-x", "openai", "gpt-x"],
    [" openai : gpt-x ", "openai", "gpt-x"],
  ])("%j is provider %s with model %s", async (name, provider, model) => {
    const client = await modelFromName(name, { environment: { ANTHROPIC_API_KEY: "a", OPENAI_API_KEY: "o" } });
    expect([client.provider, client.model]).toEqual([provider, model]);
  });

  test("any other provider is OpenAI-compatible, at the address of --base-url, with usage", async () => {
    const server = await serve(COMPLETION);
    const environment = { HOOKSCOPE_API_KEY: "h", OLLAMA_BASE_URL: "http://127.0.0.1:1" };
    const client = await modelFromName("ollama:qwen3:8b", { environment, baseUrl: `${server.url}/v1/` });
    expect([client.provider, client.model]).toEqual(["ollama", "qwen3:8b"]);
    expect(await ask(client)).toEqual([
      { type: "response", id: "c1", model: "served" },
      { type: "text_delta", text: "Hi" },
      { type: "finish", reason: "end_turn", stop: "stop", usage: USAGE },
    ]);
    expect(server.asked.map(({ url, headers }) => [url, headers.authorization])).toEqual([
      ["/v1/chat/completions", "Bearer h"],
    ]);
  });

  test("a provider's own variables go before the common key", async () => {
    const server = await serve(COMPLETION);
    const environment = { MY_LAB_BASE_URL: server.url, MY_LAB_API_KEY: "own", HOOKSCOPE_API_KEY: "common" };
    await ask(await modelFromName("my-lab:m", { environment }));
    expect(server.asked.map(({ url, headers }) => [url, headers.authorization])).toEqual([
      ["/chat/completions", "Bearer own"],
    ]);
  });

  test("openai at another address needs no key, and never gets the common one", async () => {
    const server = await serve(COMPLETION);
    const environment = { OPENAI_BASE_URL: server.url, OPENAI_API_KEY: " ", HOOKSCOPE_API_KEY: "common" };
    await ask(await modelFromName("openai:m", { environment }));
    expect(server.asked.map(({ headers }) => headers.authorization)).toEqual([undefined]);
  });

  test.each(["", "/", "/v1"])("ANTHROPIC_BASE_URL is good with the ending %j", async (ending) => {
    const server = await serve("");
    const environment = { ANTHROPIC_BASE_URL: server.url + ending, ANTHROPIC_API_KEY: "a" };
    await ask(await modelFromName("anthropic:m", { environment }));
    expect(server.asked.map(({ url, headers }) => [url, headers["x-api-key"]])).toEqual([["/v1/messages", "a"]]);
  });

  test("a request for another model goes to the same provider", async () => {
    const server = await serve(COMPLETION);
    const client = await modelFromName("lab:m", { environment: {}, baseUrl: server.url });
    expect(await ask(client, "m-large")).toHaveLength(3);
  });
});

describe("a model that cannot be made", () => {
  test.each(["", "claude", ":claude", "anthropic:", "anthropic: ", "9lives:m", "an thropic:m"])(
    "%j is no provider:model",
    async (name) => {
      expect(await refusal(name, { environment: {} })).toMatchObject({
        code: "COMMAND_MODEL_INVALID",
        message:
          `${JSON.stringify(name)} is no model. Write provider:model, for example anthropic:NAME, openai:NAME, ` +
          "or ollama:NAME with --base-url http://127.0.0.1:11434/v1.",
      });
    },
  );

  test.each([
    ["anthropic:m", "The provider anthropic needs a key: set ANTHROPIC_API_KEY in the environment."],
    ["openai:m", "The provider openai needs a key: set OPENAI_API_KEY in the environment."],
  ])("%s without its key names the variable", async (name, message) => {
    expect(await refusal(name, { environment: {} })).toMatchObject({ code: "COMMAND_MODEL_KEY_MISSING", message });
  });

  test("a provider without an address", async () => {
    expect(await refusal("my-lab:m", { environment: {} })).toMatchObject({
      code: "COMMAND_MODEL_INVALID",
      message:
        "The provider my-lab is not built in (anthropic and openai are), so the address of its OpenAI-compatible API " +
        "is needed: give --base-url, or set MY_LAB_BASE_URL.",
    });
  });

  test.each(["nonsense", "ftp://host/v1", "localhost:11434"])("--base-url %s is no address", async (baseUrl) => {
    expect(await refusal("lab:m", { environment: {}, baseUrl })).toMatchObject({
      code: "COMMAND_MODEL_INVALID",
      message: `--base-url is no http or https address: ${JSON.stringify(baseUrl)}.`,
    });
  });

  test("a variable that is no address is named", async () => {
    const environment = { ANTHROPIC_API_KEY: "a", ANTHROPIC_BASE_URL: "api.local" };
    expect(await refusal("anthropic:m", { environment })).toMatchObject({
      code: "COMMAND_MODEL_INVALID",
      message: 'ANTHROPIC_BASE_URL is no http or https address: "api.local".',
    });
  });
});
