import type { Decision, Execution } from "@hookscope/hooks";

import type { TimelineSpan } from "./document.ts";
import type { Facts } from "./facts-type.ts";
import { count, duration } from "./format.ts";
import { attribute, errorText, listAttribute, numberAttribute, splitName, textAttribute } from "./read-span.ts";

type Outcome = Pick<Facts, "mark" | "word" | "tone" | "details">;

/** The execution speaks first; only a call that went well has a decision to show. */
export function hookFacts(span: TimelineSpan, slowMs: number): Facts {
  const outcome = executionOutcome(span) ?? decisionOutcome(span);
  const milliseconds = hookTime(span);
  const slow = attribute(span, "agent_hook.execution") === "ok" && milliseconds >= slowMs;
  const plain = outcome.mark === undefined;
  return {
    type: "hook",
    category: "hook",
    label: hookLabel(span),
    ...outcome,
    ...(slow && plain ? { mark: "slow", word: "SLOW", tone: "warning" } : {}),
    details: [...outcome.details, ...(slow && !plain ? [`slow: took ${duration(milliseconds)}`] : [])],
    time: milliseconds,
    offPath: isStream(span),
    extra: isStream(span) ? streamText(span) : undefined,
  };
}

function hookLabel(span: TimelineSpan): readonly [string, string] {
  const [pointOfName, hookOfName] = splitName(span.name);
  const pass = numberAttribute(span, "agent_hook.pass") ?? 1;
  const hook = textAttribute(span, "agent_hook.name") ?? hookOfName;
  return [textAttribute(span, "agent_hook.point") ?? pointOfName, pass > 1 ? `${hook} #${pass}` : hook];
}

const EXECUTION_WORDS: { readonly [Name in Execution]: string | undefined } = {
  ok: undefined,
  error: "FAILED",
  timeout: "TIMED OUT",
  aborted: "ABORTED",
  suspended: "SUSPENDED",
  invalid_result: "INVALID",
};

function executionOutcome(span: TimelineSpan): Outcome | undefined {
  const execution = textAttribute(span, "agent_hook.execution") as Execution | undefined;
  const word = execution === undefined ? undefined : EXECUTION_WORDS[execution];
  if (word === undefined) return undefined;
  const what = textAttribute(span, "agent_hook.reason") ?? errorText(span);
  if (execution === "aborted") return { mark: "stopped", word, tone: "quiet", details: what === "" ? [] : [what] };
  return { mark: "failed", word, tone: "bad", details: [what, consequence(span, execution)] };
}

function consequence(span: TimelineSpan, execution: Execution | undefined): string {
  if (execution === "invalid_result") return "so what it returned is ignored";
  if (textAttribute(span, "agent_hook.failure_policy") === "open") return "the turn goes on without it";
  return attribute(span, "agent_hook.applied") === true ? "so the call is blocked" : "another decision counts";
}

function decisionOutcome(span: TimelineSpan): Outcome {
  const decision = textAttribute(span, "agent_hook.decision") as Decision | undefined;
  const reason = textAttribute(span, "agent_hook.reason");
  const details = reason === undefined ? [] : [reason];
  if (decision === undefined || decision === "none" || decision === "continue") {
    const observes = textAttribute(span, "agent_hook.kind") === "observer";
    return { word: observes ? "ok" : (decision ?? ""), tone: "quiet", details };
  }
  if (attribute(span, "agent_hook.applied") === false) return notApplied(span, decision, details);
  switch (decision) {
    case "block":
      return { mark: "blocked", word: "BLOCKED", tone: "bad", details };
    case "ask_user":
      return { mark: "asked", word: "ASKED", tone: "warning", details };
    case "modify": {
      const keys = listAttribute(span, "agent_hook.changed_keys");
      const changed = keys.length === 0 ? details : [`changed ${keys.join(", ")}`, ...details];
      return { mark: "changed", word: "CHANGED", tone: "changed", details: changed };
    }
  }
}

function notApplied(span: TimelineSpan, decision: Decision, details: readonly string[]): Outcome {
  const superseded = textAttribute(span, "agent_hook.not_applied_reason") === "superseded";
  const why = superseded ? "another hook's decision counts" : "not a result this point accepts";
  return {
    mark: "ignored",
    word: superseded ? "SUPERSEDED" : "IGNORED",
    tone: "plain",
    details: [`wanted ${decision}: ${why}`, ...details],
  };
}

/** A stream's hook is called again and again while its one span is open: its time is that of the calls. */
function hookTime(span: TimelineSpan): number {
  const seconds = numberAttribute(span, "agent_hook.stream.total_time");
  return seconds === undefined ? span.endTime - span.startTime : seconds * 1000;
}

function isStream(span: TimelineSpan): boolean {
  return numberAttribute(span, "agent_hook.stream.count") !== undefined;
}

function streamText(span: TimelineSpan): string {
  const dropped = numberAttribute(span, "agent_hook.stream.dropped") ?? 0;
  const given = count(numberAttribute(span, "agent_hook.stream.count") ?? 0, "delta");
  return `${given}${dropped > 0 ? `, ${dropped} dropped` : ""}`;
}
