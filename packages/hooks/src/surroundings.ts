import { context as contextApi, trace, TraceFlags, type Context } from "@opentelemetry/api";

import type { InvocationCore } from "./core.ts";
import type { JsonObject } from "./json.ts";
import type { TurnInfo } from "./payloads.ts";
import { turnTotalsOf, type TurnTotals } from "./turn-totals.ts";

/** Where an invocation belongs: the same for all of one dispatch. */
export interface Surroundings {
  /** Redacted: for spans and records, not for hooks. */
  readonly turn: TurnInfo | undefined;
  /** Redacted, for spans; undefined where it is not known or no span is made. */
  readonly sessionId: string | undefined;
  readonly totals: TurnTotals | undefined;
  readonly parent: Context;
  /** False without an SDK and under a turn that is not recorded: then no span is made. */
  readonly recording: boolean;
  /**
   * Whether the parent is the active context at present. Not so after a wait: a hook may be called after another one's
   * time was over, from a timer that some other turn set.
   */
  isActive: boolean;
}

/**
 * @param given the context to belong to; the active one where none is given
 * @param payload of an event before there is a turn, which may know its session
 */
export function surroundingsOf(
  core: InvocationCore,
  turn: TurnInfo | undefined,
  given: Context | undefined,
  payload?: JsonObject,
): Surroundings {
  const active = contextApi.active();
  const parent = given ?? active;
  const redactedTurn = turn === undefined ? undefined : core.redactTurn(turn);
  const recording = core.tracing && isRecorded(parent);
  return {
    turn: redactedTurn,
    sessionId: redactedTurn === undefined && recording ? sessionOf(core, payload) : redactedTurn?.session_id,
    totals: turnTotalsOf(parent),
    parent,
    recording,
    isActive: parent === active,
  };
}

function sessionOf(core: InvocationCore, payload: JsonObject | undefined): string | undefined {
  const sessionId = payload?.["session_id"];
  return typeof sessionId === "string" ? core.redactText(sessionId) : undefined;
}

/**
 * Whether spans are to be made under this context: not under a local span that is not recorded. One that has ended, or
 * that somebody made from a context, is no longer recording, but says whether its trace is sampled.
 */
export function isRecorded(parent: Context): boolean {
  const span = trace.getSpan(parent);
  if (span === undefined || span.isRecording()) return true;
  const { isRemote, traceFlags } = span.spanContext();
  return isRemote === true || (traceFlags & TraceFlags.SAMPLED) !== 0;
}
