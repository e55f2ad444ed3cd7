import type { LanguageModelV4StreamPart } from "@ai-sdk/provider";
import type { JsonObject, JsonValue } from "@hookscope/hooks";

import type { FinishReason, ModelStreamPart } from "../model.ts";
import { StreamFailure } from "./failed-call.ts";
import type { UnknownPart } from "./reader.ts";
import { toUsage } from "./usage.ts";

export interface PartMapper {
  /** @throws StreamFailure for an error part, and for a finish that says that the call failed */
  map(part: UnknownPart): Generator<ModelStreamPart, void, undefined>;
  /** Whether a `finish` was given. */
  finished(): boolean;
}

/**
 * Turns the parts of one stream into the loop's. Parts nobody knows are left out: providers add some all the time. Blocks
 * of thinking come one after the other, whatever their ids say.
 */
export function createPartMapper(): PartMapper {
  let finished = false;
  let thinking: Thinking | undefined;
  /** Tool calls that run at the provider: their input is not streamed to the loop. */
  const atProvider = new Set<string>();

  return { map, finished: () => finished };

  function* map(unknown: UnknownPart): Generator<ModelStreamPart, void, undefined> {
    if (finished) return;
    const part = unknown as LanguageModelV4StreamPart;
    switch (part.type) {
      case "response-metadata":
        yield {
          type: "response",
          ...(part.id !== undefined && { id: part.id }),
          ...(part.modelId !== undefined && { model: part.modelId }),
        };
        return;
      case "text-delta":
        if (part.delta !== "") yield { type: "text_delta", text: part.delta };
        return;
      case "reasoning-start":
        yield* endThinking();
        yield* startThinking(part);
        return;
      case "reasoning-delta":
        if (thinking?.id !== part.id) {
          yield* endThinking();
          yield* startThinking(part);
        }
        thinking?.add(part.providerMetadata);
        if (part.delta !== "") yield { type: "thinking_delta", text: part.delta };
        return;
      case "reasoning-end":
        if (thinking?.id !== part.id) return;
        thinking.add(part.providerMetadata);
        yield* endThinking();
        return;
      case "tool-input-start":
        if (part.providerExecuted === true) atProvider.add(part.id);
        else yield { type: "tool_input_start", id: part.id, name: part.toolName };
        return;
      case "tool-input-delta":
        if (!atProvider.has(part.id) && part.delta !== "") {
          yield { type: "tool_input_delta", id: part.id, delta: part.delta };
        }
        return;
      case "tool-call":
        yield part.providerExecuted === true
          ? { type: "provider_block", name: part.toolName, value: { call: part.toolCallId, input: part.input } }
          : {
              type: "tool_call",
              id: part.toolCallId,
              name: part.toolName,
              input: part.input,
              ...(part.providerMetadata !== undefined && { metadata: part.providerMetadata as JsonObject }),
            };
        return;
      case "tool-result":
        if (part.preliminary !== true) yield toProviderResult(part);
        return;
      case "error":
        throw new StreamFailure(part.error);
      case "finish":
        yield* endThinking();
        yield* finish(unknown);
        return;
      default:
        return;
    }
  }

  function* startThinking(part: {
    readonly id: string;
    readonly providerMetadata?: unknown;
  }): Generator<ModelStreamPart> {
    thinking = new Thinking(part.id);
    thinking.add(part.providerMetadata);
    yield { type: "thinking_start" };
  }

  function* endThinking(): Generator<ModelStreamPart> {
    if (thinking === undefined) return;
    const { metadata } = thinking;
    thinking = undefined;
    yield { type: "thinking_end", ...(metadata !== undefined && { metadata }) };
  }

  function* finish(part: UnknownPart): Generator<ModelStreamPart> {
    const { unified, raw } = readReason(part["finishReason"]);
    const usage = toUsage(part["usage"], part["providerMetadata"]);
    if (unified === "error") throw new StreamFailure(undefined, usage, raw);
    // The provider says itself that its stream broke off: the same as no finish at all.
    if (unified === "interrupted") return;
    finished = true;
    yield { type: "finish", reason: toReason(unified, raw), stop: raw ?? unified, usage };
  }
}

class Thinking {
  readonly id: string;
  #metadata: Record<string, JsonObject> | undefined;

  constructor(id: string) {
    this.id = id;
  }

  get metadata(): JsonObject | undefined {
    return this.#metadata;
  }

  /** A signature comes with the start, a delta or the end; all of them belong to the block. */
  add(providerMetadata: unknown): void {
    for (const [provider, fields] of Object.entries((providerMetadata ?? {}) as Record<string, JsonObject>)) {
      this.#metadata = { ...this.#metadata, [provider]: { ...this.#metadata?.[provider], ...fields } };
    }
  }
}

function toProviderResult(part: Extract<LanguageModelV4StreamPart, { type: "tool-result" }>): ModelStreamPart {
  const value: JsonObject = {
    call: part.toolCallId,
    result: part.result as JsonValue,
    ...(part.isError === true && { is_error: true }),
  };
  return { type: "provider_block", name: part.toolName, value };
}

/** V2 has a word, V3 and V4 a pair of the unified word and the provider's own. */
function readReason(value: unknown): { unified: string; raw: string | undefined } {
  if (typeof value === "string") return { unified: value, raw: undefined };
  const { unified, raw } = (value ?? {}) as { unified?: unknown; raw?: unknown };
  return { unified: typeof unified === "string" ? unified : "other", raw: typeof raw === "string" ? raw : undefined };
}

function toReason(unified: string, raw: string | undefined): FinishReason {
  if (raw === "pause_turn") return "pause";
  return REASONS.get(unified) ?? "other";
}

const REASONS: ReadonlyMap<string, FinishReason> = new Map([
  ["stop", "end_turn"],
  ["tool-calls", "tool_use"],
  ["length", "max_tokens"],
  ["content-filter", "content_filter"],
]);
