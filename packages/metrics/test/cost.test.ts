import { createHookBus, TurnTotals } from "@hookscope/hooks";
import { expect, test } from "vitest";

import { countingTracer, failedCall, modelCall, rig, turnContext, TURN, usage } from "./support.ts";

const PRICES = {
  m1: { input_mtok: 1, output_mtok: 10, cache_read_mtok: 0.1, cache_write_mtok: 2, reasoning_mtok: 20 },
};
const COST = "agent_cost_usd_total";
const costOf = (lines: readonly string[]): readonly number[] => lines.map((line) => Number(line.split(" ")[1]));

test("input, output, cached, cache-writing and reasoning tokens are priced apart", async () => {
  const { fire, lines } = rig({ prices: PRICES });
  const million = 1_000_000;
  await fire(
    "post_api_request",
    modelCall({
      model: "m1",
      usage: {
        input_tokens: 3 * million,
        cache_read_tokens: million,
        cache_write_tokens: million,
        output_tokens: 2 * million,
        reasoning_tokens: million,
      },
    }),
  );
  expect(await lines(COST)).toEqual([
    'agent_cost_usd_total{provider="anthropic",model="m1",agent="reviewer",profile="support"} 33.1',
  ]);
});

test("bundled prices are taken where none is given, without a network, for each name a provider goes by", async () => {
  const { fire, lines } = rig();
  const calls = [
    ["anthropic", "claude-sonnet-4-5"],
    ["anthropic.messages", "claude-sonnet-4-5"],
    ["openai.responses", "gpt-5"],
    ["azure.ai.openai", "gpt-5"],
    ["gcp.gemini", "gemini-2.5-pro"],
    ["x_ai", "grok-3"],
    ["xai.chat", "grok-3"],
    ["deepseek.chat", "deepseek-chat"],
    ["aws.bedrock", "anthropic.claude-sonnet-4-5-20250929-v1:0"],
  ] as const;
  for (const [provider, model] of calls) {
    await fire("post_api_request", modelCall({ provider, model, response_model: model }));
  }
  expect((await lines(COST)).map((line) => /provider="(.*?)"/.exec(line)?.[1])).toEqual(calls.map(([name]) => name));
  expect(costOf(await lines(COST)).every((cost) => cost > 0)).toBe(true);
  expect(await lines("agent_unpriced_tokens_total")).toEqual([]);
});

test("a price of one's own goes before the bundled one, and one with its provider before one without", async () => {
  const { fire, lines } = rig({
    prices: {
      "claude-sonnet-4-5": { input_mtok: 1, output_mtok: 1 },
      "proxy/claude-sonnet-4-5": { input_mtok: 2, output_mtok: 2 },
    },
  });
  const million = usage({ input_tokens: 1_000_000 });
  await fire("post_api_request", modelCall({ usage: million }));
  await fire("post_api_request", modelCall({ usage: million, provider: "proxy" }));
  await fire("post_api_request", modelCall({ usage: million, provider: "other", model: "auto" }));
  expect(costOf(await lines(COST))).toEqual([1, 2, 1]);
});

test("the model that answered is priced where it is known, else the one asked for", async () => {
  const { fire, lines } = rig();
  const million = usage({ output_tokens: 1_000_000 });
  await fire(
    "post_api_request",
    modelCall({ model: "claude-haiku-4-5", response_model: "claude-opus-4-1", usage: million }),
  );
  await fire(
    "post_api_request",
    modelCall({ model: "claude-opus-4-1", response_model: "alias-of-mine", usage: million }),
  );
  const [first, second] = costOf(await lines(COST));
  expect(first).toBe(second);
});

test("an unknown model's tokens are counted as unpriced, said once, and never a cost of 0", async () => {
  const { fire, lines, warnings } = rig();
  const call = modelCall({
    provider: "ollama",
    model: "mine",
    response_model: "mine",
    usage: usage({ input_tokens: 100, cache_read_tokens: 40, output_tokens: 20 }),
  });
  await fire("post_api_request", call);
  await fire("post_api_request", call);
  expect(await lines(COST, "agent_unpriced_tokens_total")).toEqual([
    'agent_unpriced_tokens_total{provider="ollama",model="mine"} 240',
  ]);
  expect(warnings).toEqual([
    'the price of model "mine" of provider "ollama" is not known: its tokens are counted, but the cost and the budgets leave them out. Give it in the option `prices`: { "ollama/mine": { input_mtok, output_mtok } }, in US dollars for a million tokens; 0 where it is free.',
  ]);
});

test("a model priced for input only is unpriced where it gave output", async () => {
  const { fire, lines } = rig();
  const embedding = { provider: "openai", model: "text-embedding-3-small", response_model: "text-embedding-3-small" };
  await fire("post_api_request", modelCall({ ...embedding, usage: usage({ input_tokens: 50 }) }));
  await fire("post_api_request", modelCall({ ...embedding, usage: usage({ input_tokens: 50, output_tokens: 1 }) }));
  expect([(await lines(COST)).length, await lines("agent_unpriced_tokens_total")]).toEqual([
    1,
    ['agent_unpriced_tokens_total{provider="openai",model="text-embedding-3-small"} 51'],
  ]);
});

test("a model that is free on purpose costs 0 and is not unpriced", async () => {
  const { fire, lines, warnings } = rig({ prices: { mine: { input_mtok: 0, output_mtok: 0 } } });
  await fire("post_api_request", modelCall({ model: "mine" }));
  expect(await lines(COST, "agent_unpriced_tokens_total")).toEqual([
    'agent_cost_usd_total{provider="anthropic",model="mine",agent="reviewer",profile="support"} 0',
  ]);
  expect(warnings).toEqual([]);
});

test("a failed attempt costs what it used", async () => {
  const { fire, lines } = rig({ prices: PRICES });
  await fire("api_request_error", failedCall({ model: "m1" }));
  await fire("api_request_error", failedCall({ model: "m1", usage: usage({ input_tokens: 1_000_000 }) }));
  expect(costOf(await lines(COST))).toEqual([1]);
});

test("broken usage costs what can be used of it, and never less than nothing", async () => {
  const { fire, lines } = rig({ prices: PRICES });
  const broken = usage({ input_tokens: -1_000_000, output_tokens: 100_000, cache_read_tokens: Number.NaN });
  await fire("post_api_request", modelCall({ model: "m1", usage: broken }));
  expect(costOf(await lines(COST))).toEqual([1]);
});

test("the turn's span and the spans of the turns above it get the cost", async () => {
  const { bus } = rig({ prices: PRICES });
  const tracer = countingTracer();
  const above = new TurnTotals();
  const turn = new TurnTotals(above);
  const call = modelCall({ model: "m1", usage: usage({ input_tokens: 500_000 }) });
  await bus.dispatch("post_api_request", call, { turn: TURN, parent: turnContext(tracer, turn) });
  await bus.dispatch("post_api_request", call, { turn: TURN, parent: turnContext(tracer, above) });
  expect([turn.get("agent_turn.cost_usd"), above.get("agent_turn.cost_usd")]).toEqual([0.5, 1]);
});

test("the hooks work on a bus that metrics do not observe", async () => {
  const { metrics, lines } = rig({ prices: PRICES });
  const bus = createHookBus({ hooks: metrics.hooks.filter(({ name }) => name === "cost") });
  await bus.dispatch("post_api_request", modelCall({ model: "m1", usage: usage({ input_tokens: 1_000_000 }) }), {
    turn: TURN,
  });
  expect(costOf(await lines(COST))).toEqual([1]);
});
