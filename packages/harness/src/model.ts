import type { JsonObject, JsonValue, Usage } from "@hookscope/hooks";

import type { Message } from "./messages.ts";

/** How hard the model is to think. */
export type ThinkingEffort = "none" | "minimal" | "low" | "medium" | "high" | "xhigh" | "max";

/** A tool as the model is told of it. `inputSchema` is a JSON Schema of an object. */
export interface ToolDefinition {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonObject;
}

export interface ModelRequest {
  readonly model: string;
  readonly system: string | undefined;
  readonly messages: readonly Message[];
  readonly tools: readonly ToolDefinition[];
  /** undefined: the model's own default */
  readonly effort: ThinkingEffort | undefined;
  readonly maxOutputTokens?: number | undefined;
  readonly signal: AbortSignal;
}

/** How a model call ended, in the loop's words; `stop` of the finish part keeps the provider's. */
export type FinishReason = "end_turn" | "tool_use" | "max_tokens" | "content_filter" | "pause" | "other";

/**
 * What a model call streams. A tool call's `input` is the model's own text, JSON or not; a stream that ends without
 * `finish` is a failed call.
 */
export type ModelStreamPart =
  | { readonly type: "response"; readonly id?: string | undefined; readonly model?: string | undefined }
  | { readonly type: "text_delta"; readonly text: string }
  | { readonly type: "thinking_start" }
  | { readonly type: "thinking_delta"; readonly text: string }
  | { readonly type: "thinking_end"; readonly metadata?: JsonObject | undefined }
  | { readonly type: "tool_input_start"; readonly id: string; readonly name: string }
  | { readonly type: "tool_input_delta"; readonly id: string; readonly delta: string }
  | {
      readonly type: "tool_call";
      readonly id: string;
      readonly name: string;
      readonly input: string;
      /** What the provider wants back unchanged. */
      readonly metadata?: JsonObject | undefined;
    }
  /** ran at the provider */
  | { readonly type: "provider_block"; readonly name: string; readonly value: JsonValue }
  | { readonly type: "finish"; readonly reason: FinishReason; readonly stop: string; readonly usage: Usage };

/** A model, whoever makes it. `stream` may throw, or fail while it is read, with a ModelError or anything else. */
export interface ModelClient {
  /** A `gen_ai.provider.name`: `anthropic`, `openai`, … */
  readonly provider: string;
  /** The model asked for where nobody says otherwise. */
  readonly model: string;
  stream(request: ModelRequest): AsyncIterable<ModelStreamPart>;
}

export interface ModelErrorDetails {
  /** HTTP status; null where the call failed before an answer */
  readonly statusCode: number | null;
  readonly retryable: boolean;
  /**
   * A short, low-cardinality name: `overloaded`, `rate_limited`, `connection`, … A provider that is `unreachable` is asked
   * fewer times, by `retry.maxUnreachableAttempts`.
   */
  readonly type: string;
  readonly retryAfterMs?: number | undefined;
  /** Tokens spent before the failure, when the provider says. */
  readonly usage?: Usage | undefined;
}

/** The `type` of a failure where no connection to the provider came about. */
export const UNREACHABLE_TYPE = "unreachable";

/** A model call that failed, with what the retry needs to know. */
export class ModelError extends Error {
  override readonly name = "ModelError";
  readonly details: ModelErrorDetails;

  constructor(message: string, details: ModelErrorDetails, options?: ErrorOptions) {
    super(message, options);
    this.details = details;
  }
}

export const NO_USAGE: Usage = Object.freeze({
  input_tokens: 0,
  output_tokens: 0,
  cache_read_tokens: 0,
  cache_write_tokens: 0,
  reasoning_tokens: 0,
});

/** A client's counts as numbers that can be added: what is missing, negative or no number counts as 0. */
export function countedUsage(usage: Partial<Usage> | undefined): Usage {
  const keys = Object.keys(NO_USAGE) as readonly (keyof Usage)[];
  const entries = keys.map((key) => [key, countOf(usage?.[key])]);
  return Object.fromEntries(entries) as Record<keyof Usage, number>;
}

function countOf(count: number | undefined): number {
  return typeof count === "number" && Number.isFinite(count) && count > 0 ? count : 0;
}

export function addUsage(left: Usage, right: Usage): Usage {
  return {
    input_tokens: left.input_tokens + right.input_tokens,
    output_tokens: left.output_tokens + right.output_tokens,
    cache_read_tokens: left.cache_read_tokens + right.cache_read_tokens,
    cache_write_tokens: left.cache_write_tokens + right.cache_write_tokens,
    reasoning_tokens: left.reasoning_tokens + right.reasoning_tokens,
  };
}
