import type { Usage } from "@hookscope/hooks";
import { type TokenType } from "../definitions.ts";
/** Tokens by type, each token under one. A count that is no number, or negative, is kept to be refused. */
export type Tokens = {
  readonly [Type in TokenType]: number;
};
/** `input_tokens` and `output_tokens` of a usage are totals: cached and reasoning tokens are taken out of them. */
export declare function tokensOf(usage: Partial<Usage>): Tokens;
/** What can be priced: what would be refused counts as 0. */
export declare function usableTokens(tokens: Tokens): Tokens;
export declare function totalOf(tokens: Tokens): number;
