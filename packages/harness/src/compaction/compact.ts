import { withTurnTotals } from "@hookscope/hooks";
import { context as contextApi, SpanKind, trace, type Context } from "@opentelemetry/api";

import { describeThrown, typeOfThrown } from "../describe-thrown.ts";
import { textOf, type Message } from "../messages.ts";
import { callModel } from "../model-call.ts";
import type { ModelClient } from "../model.ts";
import type { TurnScope } from "../scope.ts";
import { OpenSpan } from "../spans.ts";
import { estimateTokens } from "./estimate.ts";
import { SUMMARY_SYSTEM_PROMPT, summaryMessage, summaryRequest } from "./summary.ts";

export interface CompactionRequest {
  /** What the model would see now. */
  readonly view: readonly Message[];
  /** Where its tail begins: what comes before is summed up. */
  readonly tail: number;
  readonly tokensBefore: number;
  readonly model: ModelClient | undefined;
  /** How long an attempt to write the summary may take, in milliseconds. */
  readonly limitMs: number;
}

/**
 * Has the beginning of a conversation summed up. The model call takes the one path, with its own purpose; the bus hears of
 * it once it is done.
 *
 * @returns the summary
 * @throws Interruption, HarnessError MODEL_CALL_FAILED, or an Error where the summary saves nothing
 */
export async function compact(scope: TurnScope, request: CompactionRequest): Promise<string> {
  const { view, tail, tokensBefore } = request;
  const span = startSpan(scope, tokensBefore);
  const parent = withTurnTotals(span.context, scope.totals);
  let tokensSaved = 0;
  scope.emit({ type: "compaction_start" }, span.spanId);
  try {
    const summary = await summarise(scope, request, parent);
    const tokensAfter = estimateTokens([summaryMessage(summary), ...view.slice(tail)]);
    if (tokensAfter >= tokensBefore) {
      throw new Error(`the summary saves nothing: about ${tokensBefore} tokens before, ${tokensAfter} after`);
    }
    tokensSaved = tokensBefore - tokensAfter;
    await scope.dispatch(
      "post_compaction",
      () => ({
        tokens_before: tokensBefore,
        tokens_after: tokensAfter,
        messages_before: view.length,
        messages_after: view.length - tail + 1,
        trigger: "threshold",
      }),
      parent,
    );
    span.end(scope.now(), { "agent_compaction.tokens_after": tokensAfter });
    return summary;
  } catch (thrown) {
    const message = scope.setup.core.redactText(describeThrown(thrown));
    span.end(scope.now(), {}, { type: typeOfThrown(thrown), message });
    throw thrown;
  } finally {
    scope.emit({ type: "compaction_done", ...(tokensSaved > 0 ? { tokensSaved } : {}) }, span.spanId);
  }
}

async function summarise(scope: TurnScope, request: CompactionRequest, parent: Context): Promise<string> {
  const client = request.model ?? scope.setup.model;
  const answer = await callModel(scope, {
    client,
    request: {
      model: client.model,
      system: SUMMARY_SYSTEM_PROMPT,
      messages: [summaryRequest(request.view.slice(0, request.tail))],
      tools: [],
      effort: undefined,
    },
    purpose: "compaction",
    iteration: Math.max(1, scope.round),
    streamed: false,
    limitMs: request.limitMs,
    parent,
  });
  const summary = textOf(answer.content).trim();
  if (summary === "") throw new Error("the model wrote no summary");
  return summary;
}

function startSpan(scope: TurnScope, tokensBefore: number): OpenSpan {
  const active = contextApi.active();
  return new OpenSpan({
    core: scope.setup.core,
    name: "compact_context",
    kind: SpanKind.INTERNAL,
    // The invocation of the mod's hook, where the application has a context manager.
    parent: trace.getSpan(active) === undefined ? scope.context : active,
    startTime: scope.now(),
    turn: scope.turn,
    attributes: { "agent_compaction.tokens_before": tokensBefore, "agent_compaction.trigger": "threshold" },
  });
}
