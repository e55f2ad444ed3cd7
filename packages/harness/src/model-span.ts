import type { SpanAttributes, Usage } from "@hookscope/hooks";
import { SpanKind } from "@opentelemetry/api";

import type { ModelAnswer } from "./accumulate.ts";
import { messagesForSpan, valueForSpan } from "./content.ts";
import type { ModelCall } from "./model-call.ts";
import type { TurnScope } from "./scope.ts";
import { OpenSpan } from "./spans.ts";

/** One attempt of a model call. */
export function startModelSpan(
  scope: TurnScope,
  { client, request, purpose, iteration, parent }: ModelCall,
  attempt: number,
  startTime: number,
): OpenSpan {
  const content: SpanAttributes = scope.setup.recordContent
    ? {
        "gen_ai.input.messages": messagesForSpan(scope, request.messages),
        ...(request.system === undefined
          ? {}
          : { "gen_ai.system_instructions": valueForSpan(scope, [{ type: "text", content: request.system }]) }),
      }
    : {};
  return new OpenSpan({
    core: scope.setup.core,
    name: `chat ${request.model}`,
    kind: SpanKind.CLIENT,
    parent: parent ?? scope.context,
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

export function answerAttributes(
  scope: TurnScope,
  answer: ModelAnswer,
  timeToFirstPart: number | undefined,
): SpanAttributes {
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
