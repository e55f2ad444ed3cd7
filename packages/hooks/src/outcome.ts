import type { InvocationCore } from "./core.ts";
import { describeError } from "./describe-error.ts";
import type { Applied, Outcome } from "./fold.ts";
import type { HookInvocation } from "./invocation.ts";
import type { JsonObject } from "./json.ts";
import { judge, type Judgement } from "./judge.ts";
import type { Conclusion, OpenInvocation } from "./open-invocation.ts";
import type { HookKind, HookPointRow } from "./points.ts";
import type { HookSite } from "./site.ts";

/** What the fold reads of an invocation, and what its record says. */
export type JudgedOutcome = Outcome & Judgement;

/** Reads what a settled invocation says at its point. */
export function outcomeOf(core: InvocationCore, row: HookPointRow, invocation: OpenInvocation): JudgedOutcome {
  const { hook, failurePolicy } = invocation.site.description;
  const about = { hook, failurePolicy, pass: invocation.pass };
  switch (invocation.execution) {
    case "ok":
      return { ...about, ...judge(row, invocation.value) };
    case "aborted":
      return { ...about, decision: "none", accepted: true };
    default:
      return { ...about, failure: describeFailure(core, invocation), decision: "none", accepted: true };
  }
}

/** Of an invocation whose hook returned nothing. */
export function plainOutcomeOf({ hook, failurePolicy, pass }: HookInvocation): JudgedOutcome {
  return { hook, failurePolicy, pass, decision: "continue", accepted: true };
}

/** What the record of an invocation says, once the fold has decided. */
export function conclude(
  invocation: OpenInvocation,
  outcome: JudgedOutcome,
  applied: Applied,
  kind: HookKind,
): Conclusion {
  const invalid = !outcome.accepted && kind !== "observer";
  return {
    execution: invocation.execution === "ok" && invalid ? "invalid_result" : invocation.execution,
    decision: outcome.decision,
    applied: applied.applied,
    notAppliedReason: applied.notAppliedReason,
    changedKeys: changedKeys(outcome.value),
    reason: outcome.failure ?? outcome.text ?? outcome.problem,
  };
}

/** A result the point does not take: counted always, logged once per hook and kind of result. */
export function noteIgnored(core: InvocationCore, site: HookSite, { decision, problem }: Judgement): void {
  site.resultsIgnored += 1;
  const { hook, point } = site.description;
  core.log.warn(
    `ignored ${decision} ${hook}`,
    `a result of hook "${hook}" at ${point} is ignored: ${core.redactText(problem ?? "")}. Further ones are only counted.`,
    { hook, point, decision },
  );
}

/** Redacted: it becomes the reason of a block, which a model is told. */
function describeFailure(core: InvocationCore, invocation: OpenInvocation): string {
  const { hook, timeoutMs } = invocation.site.description;
  switch (invocation.execution) {
    case "timeout":
      return `hook "${hook}" took longer than ${timeoutMs} ms`;
    case "suspended":
      return `hook "${hook}" is suspended after it took longer than ${timeoutMs} ms`;
    default: {
      const { type, message } = describeError(invocation.value);
      return core.redactText(`hook "${hook}" failed: ${type}: ${message}`);
    }
  }
}

/** For arguments the keys within them; else the payload's fields. */
function changedKeys(value: unknown): readonly string[] | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const args = (value as JsonObject)["args"];
  return Object.keys(typeof args === "object" && args !== null ? args : value);
}
