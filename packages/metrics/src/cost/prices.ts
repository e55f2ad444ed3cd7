import { calcPrice, type ModelPrice as CatalogPrice } from "@pydantic/genai-prices";

import { MetricsError } from "../errors.ts";
import { totalOf, type Tokens } from "../record/tokens.ts";

/** What a model costs, in US dollars per million tokens. What is not given costs as input or output does. */
export interface ModelPrice {
  readonly input_mtok: number;
  readonly output_mtok: number;
  readonly cache_read_mtok?: number;
  readonly cache_write_mtok?: number;
  readonly reasoning_mtok?: number;
}

/** By `model`, or by `provider/model`, which goes first. */
export type PriceTable = { readonly [Model in string]: ModelPrice };

export interface PricedCall {
  readonly provider: string;
  /** The model asked for. */
  readonly model: string;
  /** The model that answered, which is tried first in the bundled prices. */
  readonly responseModel?: string | undefined;
  readonly tokens: Tokens;
  /** Milliseconds since the epoch: prices change. */
  readonly time: number;
}

/** Prices of model calls: the table given, then those bundled with `@pydantic/genai-prices`. Nothing is fetched. */
export class Prices {
  readonly #own: ReadonlyMap<string, CatalogPrice>;

  /** @throws MetricsError METRICS_PRICES_INVALID */
  constructor(table: PriceTable = {}) {
    this.#own = checkPrices(table);
  }

  /** US dollars; undefined where no price is known. */
  cost(call: PricedCall): number | undefined {
    const own = this.#ownPrice(call);
    if (own !== undefined) return ownCost(own, call.tokens);
    for (const model of new Set([call.responseModel, call.model])) {
      if (typeof model !== "string") continue;
      for (const provider of catalogProviders(call.provider)) {
        const cost = catalogCost(call.tokens, model, { providerId: provider, timestamp: new Date(call.time) });
        if (cost !== undefined) return cost;
      }
    }
    return undefined;
  }

  /** The model asked for goes first here, because that is the name a person knows. */
  #ownPrice({ provider, model, responseModel }: PricedCall): CatalogPrice | undefined {
    const names = [`${provider}/${model}`, model, `${provider}/${responseModel}`, responseModel ?? model];
    const name = names.find((known) => this.#own.has(known));
    return name === undefined ? undefined : this.#own.get(name);
  }
}

const FIELDS: { readonly [Field in keyof ModelPrice]-?: { readonly key: string; readonly required: boolean } } = {
  input_mtok: { key: "input_mtok", required: true },
  output_mtok: { key: "output_mtok", required: true },
  cache_read_mtok: { key: "cache_read_mtok", required: false },
  cache_write_mtok: { key: "cache_write_mtok", required: false },
  reasoning_mtok: { key: "output_reasoning_mtok", required: false },
};

function checkPrices(table: unknown): ReadonlyMap<string, CatalogPrice> {
  if (!isRecord(table)) throw invalid(`prices is ${describe(table)}`, "an object with a price for each model");
  return new Map(Object.entries(table).map(([model, price]) => [model, checkPrice(model, price)]));
}

function checkPrice(model: string, price: unknown): CatalogPrice {
  const entry = `prices[${JSON.stringify(model)}]`;
  if (model.trim() === "") throw invalid(`${entry} names no model`, "`model` or `provider/model`");
  if (!isRecord(price))
    throw invalid(`${entry} is ${describe(price)}`, "an object such as { input_mtok, output_mtok }");
  const stranger = Object.keys(price).find((field) => !Object.hasOwn(FIELDS, field));
  if (stranger !== undefined)
    throw invalid(`${entry} has a field ${JSON.stringify(stranger)}`, Object.keys(FIELDS).join(", "));
  const checked: Record<string, number> = {};
  for (const [field, { key, required }] of Object.entries(FIELDS)) {
    const value = price[field];
    if (value === undefined && !required) continue;
    if (typeof value !== "number" || !Number.isFinite(value) || value < 0) {
      throw invalid(
        `${entry}.${field} is ${describe(value)}`,
        "US dollars per million tokens, a finite number of at least 0",
      );
    }
    checked[key] = value;
  }
  return checked;
}

function invalid(problem: string, expected: string): MetricsError {
  return new MetricsError("METRICS_PRICES_INVALID", `${problem}; it must be ${expected}.`);
}

function ownCost(prices: CatalogPrice, tokens: Tokens): number | undefined {
  const model = { id: OWN, match: { equals: OWN }, prices };
  return catalogCost(tokens, OWN, { provider: { id: OWN, name: OWN, api_pattern: "", models: [model] } });
}

const OWN = "own";

function catalogCost(tokens: Tokens, model: string, options: Parameters<typeof calcPrice>[2]): number | undefined {
  const usage = {
    input_tokens: tokens.input + tokens.cache_read + tokens.cache_write,
    cache_read_tokens: tokens.cache_read,
    cache_write_tokens: tokens.cache_write,
    output_tokens: tokens.output + tokens.reasoning,
    output_reasoning_tokens: tokens.reasoning,
  };
  try {
    const price = calcPrice(usage, model, options);
    if (price === null || !covers(price.model_price, tokens)) return undefined;
    return Number.isFinite(price.total_price) ? price.total_price : undefined;
  } catch {
    return undefined;
  }
}

/** A catalog row without a price for input or output would make these tokens free. */
function covers(prices: CatalogPrice, tokens: Tokens): boolean {
  if (totalOf(tokens) === 0) return true;
  const input = tokens.input + tokens.cache_read + tokens.cache_write;
  const output = tokens.output + tokens.reasoning;
  return (input === 0 || hasPrice(prices, "input")) && (output === 0 || hasPrice(prices, "output"));
}

function hasPrice(prices: CatalogPrice, side: "input" | "output"): boolean {
  return prices[`${side}_mtok`] !== undefined || prices[`${side}_text_mtok`] !== undefined;
}

/** The names a provider may have in the catalog: its own, that of the convention, and without what follows a dot. */
function catalogProviders(provider: string): readonly string[] {
  const head = provider.split(".")[0] as string;
  return [...new Set([CATALOG_NAMES[provider] ?? provider, CATALOG_NAMES[head] ?? head])];
}

/** Where the GenAI convention or the AI SDK and the catalog differ. */
const CATALOG_NAMES: { readonly [Provider in string]?: string } = {
  "azure.ai.inference": "azure",
  "azure.ai.openai": "azure",
  togetherai: "together",
  x_ai: "x-ai",
  xai: "x-ai",
};

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function describe(value: unknown): string {
  if (value === undefined) return "missing";
  if (Array.isArray(value)) return "a list";
  if (typeof value === "number") return String(value);
  return typeof value === "object" && value !== null ? "an object" : JSON.stringify(value);
}
