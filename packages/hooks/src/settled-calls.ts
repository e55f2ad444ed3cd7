import type { InvocationCore } from "./core.ts";
import { foldDirective, foldObserver, foldTransform, type Applied, type Fold } from "./fold.ts";
import type { HookInvocation } from "./invocation.ts";
import type { JsonObject } from "./json.ts";
import { OpenInvocation } from "./open-invocation.ts";
import { conclude, noteIgnored, outcomeOf, plainOutcomeOf, type JudgedOutcome } from "./outcome.ts";
import type { HookPointRow } from "./points.ts";

/** A call that settled; a plain one is its record already, which only waits to be published. */
export type SettledCall = OpenInvocation | HookInvocation;

/** Reads what the calls say that were not read yet. @param outcomes those read so far; the others are added */
export function judgeCalls(
  core: InvocationCore,
  row: HookPointRow,
  calls: readonly SettledCall[],
  outcomes: JudgedOutcome[],
): void {
  for (let index = outcomes.length; index < calls.length; index += 1) {
    const call = calls[index] as SettledCall;
    outcomes.push(call instanceof OpenInvocation ? outcomeOf(core, row, call) : plainOutcomeOf(call));
  }
}

export function foldOutcomes(row: HookPointRow, payload: JsonObject, outcomes: readonly JudgedOutcome[]): Fold {
  switch (row.kind) {
    case "directive":
      return foldDirective(outcomes, payload, row.modify);
    case "transform":
      return foldTransform(outcomes);
    case "observer":
      return foldObserver(outcomes);
  }
}

/** The records, published in order. @param applied one for each call, like the outcomes */
export function finishCalls(
  core: InvocationCore,
  row: HookPointRow,
  calls: readonly SettledCall[],
  outcomes: readonly JudgedOutcome[],
  applied: readonly Applied[],
): readonly HookInvocation[] {
  return calls.map((call, index) => {
    if (!(call instanceof OpenInvocation)) {
      core.publish(call);
      return call;
    }
    const outcome = outcomes[index] as JudgedOutcome;
    if (!outcome.accepted) noteIgnored(core, call.site, outcome);
    return call.finish(core, conclude(call, outcome, applied[index] as Applied, row.kind));
  });
}
