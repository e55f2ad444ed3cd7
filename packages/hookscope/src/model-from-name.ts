import type { ModelClient } from "@hookscope/harness";
import { fromLanguageModel, type AnyLanguageModel } from "@hookscope/harness/language-model";

import { CommandError } from "./errors.ts";

export interface ModelFromNameOptions {
  /** Where keys and base URLs are read: `process.env`, or a test's own. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** `--base-url`. Goes before the environment's. */
  readonly baseUrl?: string | undefined;
}

/**
 * Makes the model client of a name as a person writes it, `provider:model`. A model's name may have colons of its own:
 * `ollama:qwen3:8b`.
 *
 * `anthropic` and `openai` have an address. Any other provider is a server that speaks OpenAI's chat completions: it needs
 * one, and its name is what telemetry shows as the provider. The address comes from `baseUrl`, else from
 * `<PROVIDER>_BASE_URL`; the key from `<PROVIDER>_API_KEY`, for a provider that is not built in also from
 * HOOKSCOPE_API_KEY. Where an address was given, OpenAI-compatible servers may do without a key.
 *
 * @throws CommandError `COMMAND_MODEL_INVALID`, `COMMAND_MODEL_KEY_MISSING`
 */
export async function modelFromName(name: string, options: ModelFromNameOptions): Promise<ModelClient> {
  const { provider, model } = parse(name);
  const create = await (BUILT_IN.get(provider)?.(options) ?? otherProvider(provider, options));
  return fromLanguageModel(create(model), { resolveModel: create });
}

type CreateModel = (modelId: string) => AnyLanguageModel;

const BUILT_IN: ReadonlyMap<string, (options: ModelFromNameOptions) => Promise<CreateModel>> = new Map([
  ["anthropic", anthropic],
  ["openai", openai],
]);

function parse(name: string): { readonly provider: string; readonly model: string } {
  const colon = name.indexOf(":");
  const provider = name.slice(0, Math.max(colon, 0)).trim();
  const model = name.slice(colon + 1).trim();
  if (/^[a-z][a-z0-9._-]*$/.test(provider) && model !== "") return { provider, model };
  throw new CommandError(
    "COMMAND_MODEL_INVALID",
    `${JSON.stringify(name)} is no model. Write provider:model, for example anthropic:NAME, openai:NAME, ` +
      "or ollama:NAME with --base-url http://127.0.0.1:11434/v1.",
  );
}

async function anthropic(options: ModelFromNameOptions): Promise<CreateModel> {
  const apiKey = keyOf("anthropic", options) ?? missingKey("anthropic");
  const baseURL = withVersion(addressOf("anthropic", options) ?? "https://api.anthropic.com");
  const { createAnthropic } = await import("@ai-sdk/anthropic");
  return createAnthropic({ apiKey, baseURL });
}

async function openai(options: ModelFromNameOptions): Promise<CreateModel> {
  const address = addressOf("openai", options);
  const apiKey = keyOf("openai", options) ?? (address === undefined ? missingKey("openai") : undefined);
  return openAiCompatible("openai", address ?? "https://api.openai.com/v1", apiKey);
}

async function otherProvider(provider: string, options: ModelFromNameOptions): Promise<CreateModel> {
  const apiKey = keyOf(provider, options) ?? read(options.environment, "HOOKSCOPE_API_KEY");
  const address = addressOf(provider, options);
  if (address !== undefined) return openAiCompatible(provider, address, apiKey);
  throw new CommandError(
    "COMMAND_MODEL_INVALID",
    `The provider ${provider} is not built in (${[...BUILT_IN.keys()].join(" and ")} are), so the address of its ` +
      `OpenAI-compatible API is needed: give --base-url, or set ${variableOf(provider, "BASE_URL")}.`,
  );
}

/** Usage must be asked for: without it these servers report no tokens. */
async function openAiCompatible(name: string, baseURL: string, apiKey: string | undefined): Promise<CreateModel> {
  const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible");
  return createOpenAICompatible({ name, baseURL, includeUsage: true, ...(apiKey !== undefined && { apiKey }) });
}

/** ANTHROPIC_BASE_URL is written without the version everywhere else; the AI SDK wants it. */
function withVersion(address: string): string {
  return /\/v\d+$/.test(address) ? address : `${address}/v1`;
}

function addressOf(provider: string, { environment, baseUrl }: ModelFromNameOptions): string | undefined {
  const variable = variableOf(provider, "BASE_URL");
  const address = baseUrl ?? read(environment, variable);
  if (address === undefined) return undefined;
  const protocol = URL.canParse(address) ? new URL(address).protocol : "";
  if (protocol === "http:" || protocol === "https:") return address.replace(/\/+$/, "");
  throw new CommandError(
    "COMMAND_MODEL_INVALID",
    `${baseUrl === undefined ? variable : "--base-url"} is no http or https address: ${JSON.stringify(address)}.`,
  );
}

function keyOf(provider: string, { environment }: ModelFromNameOptions): string | undefined {
  return read(environment, variableOf(provider, "API_KEY"));
}

function missingKey(provider: string): never {
  throw new CommandError(
    "COMMAND_MODEL_KEY_MISSING",
    `The provider ${provider} needs a key: set ${variableOf(provider, "API_KEY")} in the environment.`,
  );
}

function variableOf(provider: string, what: "API_KEY" | "BASE_URL"): string {
  return `${provider.toUpperCase().replaceAll(/[^A-Z0-9]/g, "_")}_${what}`;
}

/** Trimmed. A variable that is set to nothing counts as not set. */
function read(environment: ModelFromNameOptions["environment"], name: string): string | undefined {
  const value = environment[name]?.trim();
  return value === "" ? undefined : value;
}
