import type { ApiErrorPayload, ModelCallPurpose } from "@hookscope/hooks";
import type { Context } from "@opentelemetry/api";

import { MessageAccumulator, type ModelAnswer } from "./accumulate.ts";
import { describeThrown, typeOfThrown } from "./describe-thrown.ts";
import { HarnessError } from "./errors.ts";
import { Interruption, untilAborted } from "./interruption.ts";
import {
  countedUsage,
  ModelError,
  UNREACHABLE_TYPE,
  type ModelClient,
  type ModelErrorDetails,
  type ModelRequest,
} from "./model.ts";
import { answerAttributes, startModelSpan, usageAttributes } from "./model-span.ts";
import { startLimit } from "./model-call-limit.ts";
import { ModelStreamRelay } from "./model-stream-relay.ts";
import { waitBeforeRetry } from "./retry.ts";
import type { TurnScope } from "./scope.ts";
import type { OpenSpan } from "./spans.ts";
import { checkPart, openStream } from "./stream-part-check.ts";

export interface ModelCall {
  readonly client: ModelClient;
  readonly request: Omit<ModelRequest, "signal">;
  readonly purpose: ModelCallPurpose;
  /** The round, from 1. */
  readonly iteration: number;
  /** Whether the answer's pieces are events of the turn; not for side calls. */
  readonly streamed: boolean;
  /** What its spans go under; default: the turn. */
  readonly parent?: Context;
  /** Attempts in all; default: the harness's. */
  readonly maxAttempts?: number;
  /** How long an attempt may take, in milliseconds. Past it, it failed for good. */
  readonly limitMs?: number;
}

/** An answer and the span of the attempt that gave it. */
export type ModelCallAnswer = ModelAnswer & { readonly spanId: string | undefined };

/**
 * The one way the loop calls a model: attempts with waits between them, each a span, each with its hooks.
 *
 * @throws Interruption on an interrupt
 * @throws HarnessError MODEL_CALL_FAILED where it failed for good
 */
export async function callModel(scope: TurnScope, call: ModelCall): Promise<ModelCallAnswer> {
  for (let attempt = 1; ; attempt += 1) {
    const outcome = await tryOnce(scope, call, attempt);
    if (outcome.answer !== undefined) return outcome.answer;
    const { failure, retryAfterMs, error, spanId } = outcome;
    const classification = await classify(scope, failure, retryAfterMs, call.parent);
    if (!classification.retryable || attempt >= failure.max_attempts) {
      const what = classification.retryable ? `failed ${attempt} times` : "failed";
      throw new HarnessError(
        "MODEL_CALL_FAILED",
        `the call of model ${failure.model} ${what}: ${classification.reason ?? failure.error}`,
        { cause: error },
      );
    }
    const wait = { attempt, error: failure.error, retryAfterMs: classification.retry_after_ms, spanId };
    await waitBeforeRetry(scope, wait);
    if (outcome.shown) scope.emit({ type: "message_update", content: [], attempt: attempt + 1 });
  }
}

/** A provider that nobody answers for comes back less often than one that has too much to do. */
function maxAttemptsOf(scope: TurnScope, call: ModelCall, failureType: string): number {
  const { maxAttempts, maxUnreachableAttempts } = scope.setup.retry;
  const most = call.maxAttempts ?? maxAttempts;
  return failureType === UNREACHABLE_TYPE ? Math.min(most, maxUnreachableAttempts) : most;
}

interface Failed {
  readonly answer?: undefined;
  readonly failure: ApiErrorPayload;
  readonly retryAfterMs: number | undefined;
  readonly error: unknown;
  readonly spanId: string | undefined;
  /** Whether pieces of the answer were events already. */
  readonly shown: boolean;
}

type Identity = Pick<ApiErrorPayload, "provider" | "model" | "iteration" | "attempt" | "purpose">;

async function tryOnce(
  scope: TurnScope,
  call: ModelCall,
  attempt: number,
): Promise<{ readonly answer: ModelCallAnswer } | Failed> {
  const { client, request, purpose, iteration, parent } = call;
  const identity: Identity = { provider: client.provider, model: request.model, iteration, attempt, purpose };
  await scope.dispatch(
    "pre_api_request",
    () => ({ ...identity, message_count: request.messages.length, tool_count: request.tools.length }),
    parent,
  );
  const startTime = scope.now();
  const span = startModelSpan(scope, call, attempt, startTime);
  const relay = new ModelStreamRelay(scope, call, span.spanId, startTime);
  let answer: ModelAnswer;
  try {
    answer = await readStream(scope, call, relay);
  } catch (thrown) {
    relay.close();
    const durationMs = scope.now() - startTime;
    if (scope.signal.aborted) {
      span.end(startTime + durationMs, { "error.type": "interrupted" });
      throw new Interruption();
    }
    return fail(scope, { call, identity, span, thrown, startTime, durationMs, shown: relay.hasShown });
  }
  relay.close();
  const endTime = scope.now();
  scope.addUsage(answer.usage);
  span.end(endTime, answerAttributes(scope, answer, relay.timeToFirstPart));
  await scope.dispatch(
    "post_api_request",
    () => ({
      ...identity,
      usage: answer.usage,
      stop: answer.stop,
      response_model: answer.responseModel ?? request.model,
      duration_ms: endTime - startTime,
    }),
    parent,
  );
  return { answer: { ...answer, spanId: span.spanId } };
}

interface FailedAttempt {
  readonly call: ModelCall;
  readonly identity: Identity;
  readonly span: OpenSpan;
  readonly thrown: unknown;
  readonly startTime: number;
  readonly durationMs: number;
  readonly shown: boolean;
}

async function fail(
  scope: TurnScope,
  { call, identity, span, thrown, startTime, durationMs, shown }: FailedAttempt,
): Promise<Failed> {
  const details = detailsOf(thrown);
  const message = scope.setup.core.redactText(describeThrown(thrown));
  if (details.usage !== undefined) scope.addUsage(details.usage);
  const usage = details.usage === undefined ? {} : usageAttributes(details.usage);
  span.end(startTime + durationMs, usage, { type: details.type, message });
  const failure: ApiErrorPayload = {
    ...identity,
    status_code: details.statusCode,
    retryable: details.retryable,
    error: message,
    error_type: details.type,
    max_attempts: maxAttemptsOf(scope, call, details.type),
    duration_ms: durationMs,
    ...(details.usage === undefined ? {} : { usage: details.usage }),
  };
  await scope.dispatch("api_request_error", () => failure, call.parent);
  return { failure, retryAfterMs: details.retryAfterMs, error: thrown, spanId: span.spanId, shown };
}

async function readStream(scope: TurnScope, call: ModelCall, relay: ModelStreamRelay): Promise<ModelAnswer> {
  const accumulator = new MessageAccumulator();
  const limit = startLimit(scope, call.limitMs);
  let iterator: AsyncIterator<unknown> | undefined;
  try {
    const opened = openStream(call.client.stream({ ...call.request, signal: limit.signal }));
    iterator = opened;
    for (;;) {
      const next = await untilAborted(() => opened.next(), limit.signal);
      if (next.done === true) break;
      // Read on to its end, so that the client does what it does there.
      if (accumulator.isFinished) continue;
      const part = checkPart(next.value);
      accumulator.add(part);
      relay.pass(part, accumulator);
    }
  } catch (thrown) {
    abandon(iterator);
    // What fails after the answer was complete takes nothing away from it.
    if (limit.signal.aborted || !accumulator.isFinished) throw limit.failure() ?? thrown;
  } finally {
    limit.release();
  }
  const answer = accumulator.answer();
  if (answer !== undefined) return answer;
  throw new ModelError("MODEL_STREAM_INCOMPLETE: the model's answer ended before it was finished", {
    statusCode: null,
    retryable: true,
    type: "incomplete_stream",
  });
}

/** Not awaited: a client that hangs in its own clean-up must not hold the turn. */
function abandon(iterator: AsyncIterator<unknown> | undefined): void {
  void (async () => iterator?.return?.(undefined))().catch(() => undefined);
}

interface Classification {
  readonly retryable: boolean;
  readonly reason?: string | undefined;
  readonly retry_after_ms?: number | undefined;
}

async function classify(
  scope: TurnScope,
  failure: ApiErrorPayload,
  retryAfterMs: number | undefined,
  parent: Context | undefined,
): Promise<Classification> {
  const own: Classification = { retryable: failure.retryable, retry_after_ms: retryAfterMs };
  const verdict = await scope.dispatch("transform_api_error_classification", () => failure, parent);
  return verdict.decision === "modify" ? { ...own, ...verdict.value } : own;
}

/** What is not a ModelError comes from a client's own fault, which trying again does not mend. */
function detailsOf(thrown: unknown): ModelErrorDetails {
  const details = thrown instanceof ModelError ? thrown.details : undefined;
  if (details === undefined) return { statusCode: null, retryable: false, type: typeOfThrown(thrown) };
  return details.usage === undefined ? details : { ...details, usage: countedUsage(details.usage) };
}
