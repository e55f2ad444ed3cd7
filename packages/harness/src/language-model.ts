import type { LanguageModelV2, LanguageModelV3, LanguageModelV4 } from "@ai-sdk/provider";

import { HarnessError } from "./errors.ts";
import { toCallOptions, type CallSettings } from "./language-model/call-options.ts";
import { failedCall } from "./language-model/failed-call.ts";
import { providerNameOf } from "./language-model/provider-name.ts";
import { openReader, type PartReader } from "./language-model/reader.ts";
import { createPartMapper } from "./language-model/stream-parts.ts";
import { ModelError, type ModelClient, type ModelRequest, type ModelStreamPart } from "./model.ts";

export type { CallSettings } from "./language-model/call-options.ts";

/**
 * A language model of the AI SDK. Its interface has had three versions that are still in use; the parts of a prompt that
 * the harness sends are the same in all of them. `ThinkingEffort` exists from V4 on, older models do not get it: set
 * their own option through `settings.providerOptions`.
 */
export type AnyLanguageModel = LanguageModelV4 | LanguageModelV3 | LanguageModelV2;

export interface LanguageModelOptions {
  /** A `gen_ai.provider.name` where the one made from the model's provider id is not right. */
  readonly provider?: string;
  /**
   * Makes the model for another id, for mods and subagents that ask for one. Without it, a request for another model
   * fails: a language model of the AI SDK is bound to its id.
   */
  readonly resolveModel?: (modelId: string) => AnyLanguageModel;
  /** Goes with every call, unchanged. */
  readonly settings?: CallSettings;
  /** Milliseconds since the epoch, to read a `retry-after` that is a date. Default: the machine's clock. */
  readonly now?: () => number;
}

/**
 * Makes a model client of any language model of the AI SDK. It never tries again by itself: the loop does, driven by the
 * `ModelError` a failed call throws. A stream that breaks off simply ends without a `finish` part.
 *
 * @throws HarnessError `LANGUAGE_MODEL_UNSUPPORTED` where `model` is no language model of a known version
 */
export function fromLanguageModel(model: AnyLanguageModel, options: LanguageModelOptions = {}): ModelClient {
  requireSupported(model);
  return {
    provider: options.provider ?? providerNameOf(model.provider),
    model: model.modelId,
    stream: (request) => streamCall(request.model === model.modelId ? model : undefined, request, options),
  };
}

async function* streamCall(
  known: AnyLanguageModel | undefined,
  request: ModelRequest,
  options: LanguageModelOptions,
): AsyncGenerator<ModelStreamPart, void, undefined> {
  const { signal } = request;
  signal.throwIfAborted();
  // Typed as V4: what is sent is the same in every version, and what comes back is looked at part by part.
  const model = (known ?? resolve(request.model, options)) as LanguageModelV4;
  const mapper = createPartMapper();
  let reader: PartReader | undefined;
  try {
    reader = await openReader(() => model.doStream(toCallOptions(request, options.settings)), signal);
    for (let part = await reader.read(); part !== undefined; part = await reader.read()) {
      yield* mapper.map(part);
    }
  } catch (error) {
    // What fails after the answer was complete, a late reset of the connection for example, takes nothing away from it.
    if (mapper.finished()) return;
    signal.throwIfAborted();
    throw failedCall(error, options.now ?? Date.now);
  } finally {
    reader?.close();
  }
}

function resolve(modelId: string, options: LanguageModelOptions): AnyLanguageModel {
  if (options.resolveModel === undefined) {
    throw unavailable(`Model ${JSON.stringify(modelId)} was asked for, and fromLanguageModel has no resolveModel.`);
  }
  let model: AnyLanguageModel;
  try {
    model = options.resolveModel(modelId);
  } catch (error) {
    throw unavailable(`resolveModel failed for ${JSON.stringify(modelId)}: ${messageOf(error)}`, error);
  }
  requireSupported(model);
  return model;
}

function unavailable(message: string, cause?: unknown): ModelError {
  const error = new HarnessError("LANGUAGE_MODEL_UNAVAILABLE", message, { cause });
  return new ModelError(error.message, { statusCode: null, retryable: false, type: "not_found" }, { cause: error });
}

function requireSupported(model: unknown): asserts model is AnyLanguageModel {
  if (typeof model !== "object" || model === null) {
    throw unsupported(`a ${model === null ? "null" : typeof model}. Make the model with a provider of the AI SDK`);
  }
  const { specificationVersion, provider, modelId, doStream } = model as Partial<Record<string, unknown>>;
  if (!SUPPORTED_VERSIONS.has(specificationVersion)) {
    throw unsupported(`one of specification version ${JSON.stringify(specificationVersion)}. Known are v2, v3 and v4`);
  }
  if (typeof provider !== "string" || typeof modelId !== "string" || typeof doStream !== "function") {
    throw unsupported("without a provider, a modelId or a doStream function");
  }
}

const SUPPORTED_VERSIONS: ReadonlySet<unknown> = new Set(["v2", "v3", "v4"]);

function unsupported(what: string): HarnessError {
  return new HarnessError(
    "LANGUAGE_MODEL_UNSUPPORTED",
    `fromLanguageModel was given no usable language model: ${what}.`,
  );
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
