import type { Usage } from "@hookscope/hooks";

/**
 * The usage of a finish part. V3 and V4 give nested counts; V2 gives flat ones, where Anthropic's input leaves out what
 * the cache took. A count nobody gave is 0. `input_tokens` is all input, cached or not, as `gen_ai.usage.input_tokens`.
 */
export function toUsage(usage: unknown, providerMetadata: unknown): Usage {
  const input = field(usage, "inputTokens");
  return typeof input === "object"
    ? fromNested(input, field(usage, "outputTokens"))
    : fromFlat(usage, providerMetadata);
}

function fromNested(input: unknown, output: unknown): Usage {
  const cacheRead = count(field(input, "cacheRead"));
  const cacheWrite = count(field(input, "cacheWrite"));
  const reasoning = count(field(output, "reasoning"));
  return {
    input_tokens: knownCount(field(input, "total")) ?? count(field(input, "noCache")) + cacheRead + cacheWrite,
    output_tokens: knownCount(field(output, "total")) ?? count(field(output, "text")) + reasoning,
    cache_read_tokens: cacheRead,
    cache_write_tokens: cacheWrite,
    reasoning_tokens: reasoning,
  };
}

function fromFlat(usage: unknown, providerMetadata: unknown): Usage {
  const anthropic = field(providerMetadata, "anthropic");
  const cacheRead = count(field(usage, "cachedInputTokens"));
  const cacheWrite = count(field(anthropic, "cacheCreationInputTokens"));
  return {
    input_tokens: count(field(usage, "inputTokens")) + (anthropic === undefined ? 0 : cacheRead + cacheWrite),
    output_tokens: count(field(usage, "outputTokens")),
    cache_read_tokens: cacheRead,
    cache_write_tokens: cacheWrite,
    reasoning_tokens: count(field(usage, "reasoningTokens")),
  };
}

function field(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}

function knownCount(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) && value >= 0 ? value : undefined;
}

function count(value: unknown): number {
  return knownCount(value) ?? 0;
}
