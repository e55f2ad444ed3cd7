import { messagesForSpan } from "./content.ts";
import { usageAttributes } from "./model-span.ts";
import type { RunResult } from "./run-result.ts";
import type { TurnScope } from "./scope.ts";

/** Ends the turn's span with what the turn came to. */
export function endTurnSpan(scope: TurnScope, result: RunResult): void {
  const { core } = scope.setup;
  const failure =
    result.error === undefined
      ? undefined
      : { type: result.error.name, message: core.redactText(result.error.message) };
  scope.span.end(
    scope.now(),
    {
      ...scope.totals.attributes(),
      ...usageAttributes(result.usage),
      "agent_turn.outcome": result.stopReason,
      "gen_ai.response.finish_reasons": [result.stopReason],
      ...(scope.setup.recordContent
        ? {
            "gen_ai.output.messages": messagesForSpan(scope, [
              { role: "assistant", content: [{ type: "text", text: result.finalText }] },
            ]),
          }
        : {}),
    },
    failure,
  );
}
