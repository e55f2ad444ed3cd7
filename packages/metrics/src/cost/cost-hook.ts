import { defineHook, type Clock, type Hook, type HookContext, type HookEventAt } from "@hookscope/hooks";

import type { Families } from "../families.ts";
import type { Once } from "../once.ts";
import { tokensOf, totalOf, usableTokens } from "../record/tokens.ts";
import type { Budgets } from "./budgets.ts";
import type { Ledger } from "./ledger.ts";
import type { Prices } from "./prices.ts";
import type { SessionRoots } from "./session-roots.ts";

/** A sentence: where the price of this model is to be written. */
export type PriceAdvice = (model: { readonly provider: string; readonly model: string }) => string;

export interface CostParts {
  readonly families: Families;
  readonly prices: Prices;
  readonly budgets: Budgets;
  readonly roots: SessionRoots;
  readonly ledger: Ledger | undefined;
  readonly clock: Clock;
  readonly once: Once;
  readonly priceAdvice?: PriceAdvice | undefined;
}

/**
 * The observer `cost`: what each model call costs, failed attempts included where the provider says what they used. It
 * counts for the turn's span, the metrics, the budgets and the ledger.
 */
export function createCostHook(parts: CostParts): Hook {
  return defineHook({
    name: "cost",
    on: {
      post_api_request: (event, context) => recordCost(parts, event, event.payload.response_model, context),
      api_request_error: (event, context) => recordCost(parts, event, undefined, context),
    },
  });
}

type ModelCallEvent = HookEventAt<"post_api_request"> | HookEventAt<"api_request_error">;

function recordCost(
  { families, prices, budgets, roots, ledger, clock, once, priceAdvice = adviseOption }: CostParts,
  { payload, turn }: ModelCallEvent,
  responseModel: string | undefined,
  context: HookContext,
): void {
  if (payload.usage === undefined) return;
  const { provider, model } = payload;
  const { agent, profile } = turn;
  const tokens = usableTokens(tokensOf(payload.usage));
  const time = clock.now();
  const cost = prices.cost({ provider, model, responseModel, tokens, time });
  if (cost === undefined) {
    families.agent_unpriced_tokens_total.add({ provider, model }, totalOf(tokens));
    once.warn(
      `unpriced ${provider} ${model}`,
      `the price of model ${JSON.stringify(model)} of provider ${JSON.stringify(provider)} is not known: its tokens are counted, but the cost and the budgets leave them out. ${priceAdvice({ provider, model })}`,
    );
  } else {
    families.agent_cost_usd_total.add({ provider, model, agent, profile }, cost);
    context.turn?.add("agent_turn.cost_usd", cost);
    budgets.spend(turn, cost);
  }
  // Last, because it may fail: then only the ledger misses this call, and the hook's failure says so.
  const rootSession = roots.of(turn);
  ledger?.record({
    turn: turn.turn_id,
    session: turn.session_id,
    rootSession,
    profile,
    agent,
    provider,
    model,
    time,
    cost,
    tokens,
  });
}

const adviseOption: PriceAdvice = ({ provider, model }) =>
  `Give it in the option \`prices\`: { ${JSON.stringify(`${provider}/${model}`)}: { input_mtok, output_mtok } }, in US dollars for a million tokens; 0 where it is free.`;
