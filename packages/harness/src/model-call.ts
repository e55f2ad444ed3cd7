import type {
  ApiErrorClassification,
  ApiErrorPayload,
  ModelCallPurpose,
  SpanAttributes,
  Usage,
} from "@hookscope/hooks";
import { SpanKind } from "@opentelemetry/api";

import { MessageAccumulator, type ModelAnswer } from "./accumulate.ts";
import { messagesForSpan } from "./content.ts";
import { describeThrown } from "./describe-thrown.ts";
import { HarnessError } from "./errors.ts";
import { Interruption, untilAborted } from "./interruption.ts";
import { ModelError, type ModelClient, type ModelErrorDetails, type ModelRequest } from "./model.ts";
import { ModelStreamRelay } from "./model-stream-relay.ts";
import { waitBeforeRetry } from "./retry.ts";
import type { TurnScope } from "./scope.ts";
import { OpenSpan } from "./spans.ts";

export interface ModelCall {
  readonly client: ModelClient;
  readonly request: Omit<ModelRequest, "signal">;
  readonly purpose: ModelCallPurpose;
  /** The round, from 1. */
  readonly iteration: number;
  /** Whether the answer's pieces are events of the turn; not for side calls. */
  readonly streamed: boolean;
}

/**
 * The one way the loop calls a model: attempts with waits between them, each a span, each with its hooks.
 *
 * @throws Interruption on an interrupt
 * @throws HarnessError MODEL_CALL_FAILED where it failed for good
 */
export async function callModel(scope: TurnScope, call: ModelCall): Promise<ModelAnswer> {
  const { maxAttempts } = scope.setup.retry;
  for (let attempt = 1; ; attempt += 1) {
    const outcome = await tryOnce(scope, call, attempt);
    if (outcome.answer !== undefined) return outcome.answer;
    const { failure, error } = outcome;
    const classification = await classify(scope, failure);
    if (!classification.retryable || attempt >= maxAttempts) {
      const what = classification.retryable ? `failed ${attempt} times` : "failed";
      throw new HarnessError(
        "MODEL_CALL_FAILED",
        `the call of model ${failure.model} ${what}: ${classification.reason ?? failure.error}`,
        {
          cause: error,
        },
      );
    }
    await waitBeforeRetry(scope, { attempt, error: failure.error, retryAfterMs: classification.retry_after_ms });
    if (call.streamed) scope.emit({ type: "message_update", content: [], attempt: attempt + 1 });
  }
}

type Outcome =
  | { readonly answer: ModelAnswer; readonly failure?: undefined; readonly error?: undefined }
  | {
      readonly answer?: undefined;
      readonly failure: ApiErrorPayload & { readonly retry_after_ms?: number | undefined };
      readonly error: unknown;
    };

async function tryOnce(scope: TurnScope, call: ModelCall, attempt: number): Promise<Outcome> {
  const { client, request, purpose, iteration } = call;
  const identity = { provider: client.provider, model: request.model, iteration, attempt, purpose };
  await scope.dispatch("pre_api_request", () => ({
    ...identity,
    message_count: request.messages.length,
    tool_count: request.tools.length,
  }));
  const startTime = scope.now();
  const span = startSpan(scope, call, attempt, startTime);
  const relay = new ModelStreamRelay(scope, call, span.spanId, startTime);
  try {
    const answer = await readStream(scope, call, relay);
    const endTime = scope.now();
    scope.addUsage(answer.usage);
    span.end(endTime, answerAttributes(scope, answer, relay.timeToFirstPart));
    relay.close();
    await scope.dispatch("post_api_request", () => ({
      ...identity,
      usage: answer.usage,
      stop: answer.stop,
      response_model: answer.responseModel ?? request.model,
      duration_ms: endTime - startTime,
    }));
    return { answer };
  } catch (thrown) {
    const endTime = scope.now();
    relay.close();
    if (scope.signal.aborted || thrown instanceof Interruption) {
      span.end(endTime, { "error.type": "interrupted" });
      throw new Interruption();
    }
    const details = detailsOf(thrown);
    const message = scope.setup.core.redactor.text(describeThrown(thrown));
    if (details.usage !== undefined) scope.addUsage(details.usage);
    span.end(endTime, {}, { type: details.type, message });
    const failure: ApiErrorPayload = {
      ...identity,
      status_code: details.statusCode,
      retryable: details.retryable,
      error: message,
      error_type: details.type,
      max_attempts: scope.setup.retry.maxAttempts,
      duration_ms: endTime - startTime,
      ...(details.usage === undefined ? {} : { usage: details.usage }),
    };
    await scope.dispatch("api_request_error", () => failure);
    return { failure: { ...failure, retry_after_ms: details.retryAfterMs }, error: thrown };
  }
}

async function readStream(scope: TurnScope, call: ModelCall, relay: ModelStreamRelay): Promise<ModelAnswer> {
  const accumulator = new MessageAccumulator();
  const iterator = call.client.stream({ ...call.request, signal: scope.signal })[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = await untilAborted(iterator.next(), scope.signal);
      if (next.done === true) break;
      accumulator.add(next.value);
      relay.pass(next.value, accumulator);
    }
  } catch (thrown) {
    // Not awaited: a client that hangs in its own clean-up must not hold the turn.
    iterator.return?.(undefined).catch(() => undefined);
    throw thrown;
  }
  const answer = accumulator.answer();
  if (answer !== undefined) return answer;
  throw new ModelError("MODEL_STREAM_INCOMPLETE: the model's answer ended before it was finished", {
    statusCode: null,
    retryable: true,
    type: "incomplete_stream",
  });
}

interface Classification {
  readonly retryable: boolean;
  readonly reason?: string | undefined;
  readonly retry_after_ms?: number | undefined;
}

async function classify(
  scope: TurnScope,
  { retry_after_ms, ...failure }: ApiErrorPayload & { readonly retry_after_ms?: number | undefined },
): Promise<Classification> {
  const own: Classification = { retryable: failure.retryable, retry_after_ms };
  const verdict = await scope.dispatch("transform_api_error_classification", () => failure);
  if (verdict.decision !== "modify") return own;
  const changed: ApiErrorClassification = verdict.value;
  return { ...own, ...changed };
}

function startSpan(
  scope: TurnScope,
  { client, request, purpose, iteration }: ModelCall,
  attempt: number,
  startTime: number,
): OpenSpan {
  const content: SpanAttributes = scope.setup.recordContent
    ? {
        "gen_ai.input.messages": messagesForSpan(scope, request.messages),
        ...(request.system === undefined
          ? {}
          : { "gen_ai.system_instructions": scope.setup.core.redactor.text(request.system) }),
      }
    : {};
  return new OpenSpan({
    tracer: scope.setup.core.tracer,
    name: `chat ${request.model}`,
    kind: SpanKind.CLIENT,
    parent: scope.context,
    startTime,
    turn: scope.turn,
    attributes: {
      "gen_ai.operation.name": "chat",
      "gen_ai.provider.name": client.provider,
      "gen_ai.request.model": request.model,
      "gen_ai.request.stream": true,
      "agent_model.attempt": attempt,
      "agent_model.iteration": iteration,
      "agent_model.purpose": purpose,
      ...content,
    },
  });
}

function answerAttributes(scope: TurnScope, answer: ModelAnswer, timeToFirstPart: number | undefined): SpanAttributes {
  return {
    ...usageAttributes(answer.usage),
    "gen_ai.usage.reasoning.output_tokens": answer.usage.reasoning_tokens,
    "gen_ai.response.finish_reasons": [answer.stop],
    ...(answer.responseModel === undefined ? {} : { "gen_ai.response.model": answer.responseModel }),
    ...(answer.responseId === undefined ? {} : { "gen_ai.response.id": answer.responseId }),
    ...(timeToFirstPart === undefined ? {} : { "gen_ai.response.time_to_first_chunk": timeToFirstPart / 1000 }),
    ...(scope.setup.recordContent
      ? { "gen_ai.output.messages": messagesForSpan(scope, [{ role: "assistant", content: answer.content }]) }
      : {}),
  };
}

export function usageAttributes(usage: Usage): SpanAttributes {
  return {
    "gen_ai.usage.input_tokens": usage.input_tokens,
    "gen_ai.usage.output_tokens": usage.output_tokens,
    "gen_ai.usage.cache_read.input_tokens": usage.cache_read_tokens,
    "gen_ai.usage.cache_creation.input_tokens": usage.cache_write_tokens,
  };
}

/** What is not a ModelError comes from a client's own fault, which trying again does not mend. */
function detailsOf(thrown: unknown): ModelErrorDetails {
  if (thrown instanceof ModelError) return thrown.details;
  return { statusCode: null, retryable: false, type: thrown instanceof Error ? thrown.name : "unknown" };
}
