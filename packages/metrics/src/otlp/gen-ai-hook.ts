import { defineHook, type Hook, type HookEventAt } from "@hookscope/hooks";
import type { Attributes, Meter } from "@opentelemetry/api";

/**
 * The metrics of the GenAI semantic conventions (status Development) for a client: names, units and bounds are theirs.
 * Cost has none there.
 */
const DURATION = {
  name: "gen_ai.client.operation.duration",
  description: "Duration of a model call.",
  unit: "s",
  bounds: [0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92],
};

const TOKENS = {
  name: "gen_ai.client.token.usage",
  description: "Tokens of a model call.",
  unit: "{token}",
  bounds: Array.from({ length: 14 }, (_, power) => 4 ** power),
};

type ModelCallEvent = HookEventAt<"post_api_request"> | HookEventAt<"api_request_error">;

/** The observer `gen_ai_metrics`. */
export function createGenAiHook(meter: Meter): Hook {
  const duration = histogram(meter, DURATION);
  const tokens = histogram(meter, TOKENS);
  const record = ({ payload }: ModelCallEvent, more: Attributes): void => {
    const attributes = {
      "gen_ai.operation.name": "chat",
      "gen_ai.provider.name": payload.provider,
      "gen_ai.request.model": payload.model,
      ...more,
    };
    if (isCountable(payload.duration_ms)) duration.record(payload.duration_ms / 1000, attributes);
    const used = { input: payload.usage?.input_tokens, output: payload.usage?.output_tokens };
    for (const [type, count] of Object.entries(used)) {
      if (isCountable(count)) tokens.record(count, { ...attributes, "gen_ai.token.type": type });
    }
  };
  return defineHook({
    name: "gen_ai_metrics",
    on: {
      post_api_request: (event) => record(event, { "gen_ai.response.model": event.payload.response_model }),
      api_request_error: (event) => record(event, { "error.type": event.payload.error_type }),
    },
  });
}

function histogram(
  meter: Meter,
  { name, description, unit, bounds }: typeof DURATION,
): ReturnType<Meter["createHistogram"]> {
  return meter.createHistogram(name, { description, unit, advice: { explicitBucketBoundaries: bounds } });
}

function isCountable(value: unknown): value is number {
  return typeof value === "number" && Number.isFinite(value) && value >= 0;
}
