import type { Usage } from "@hookscope/hooks";

import { TOKEN_TYPES, type TokenType } from "../definitions.ts";

/** Tokens by type, each token under one. A count that is no number, or negative, is kept to be refused. */
export type Tokens = { readonly [Type in TokenType]: number };

/** `input_tokens` and `output_tokens` of a usage are totals: cached and reasoning tokens are taken out of them. */
export function tokensOf(usage: Partial<Usage>): Tokens {
  const cache_read = count(usage.cache_read_tokens);
  const cache_write = count(usage.cache_write_tokens);
  const reasoning = count(usage.reasoning_tokens);
  return {
    input: count(usage.input_tokens) - usable(cache_read) - usable(cache_write),
    output: count(usage.output_tokens) - usable(reasoning),
    cache_read,
    cache_write,
    reasoning,
  };
}

/** What can be priced: what would be refused counts as 0. */
export function usableTokens(tokens: Tokens): Tokens {
  return Object.fromEntries(TOKEN_TYPES.map((type) => [type, usable(tokens[type])])) as unknown as Tokens;
}

export function totalOf(tokens: Tokens): number {
  return TOKEN_TYPES.reduce((sum, type) => sum + tokens[type], 0);
}

/** Absent is 0; null is what a payload's snapshot makes of NaN. */
function count(given: unknown): number {
  if (given === undefined) return 0;
  return typeof given === "number" ? given : Number.NaN;
}

const usable = (value: number): number => (value >= 0 && Number.isFinite(value) ? value : 0);
