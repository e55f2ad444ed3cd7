import { snapshot, TurnTotals, turnTotalsOf, type TurnInfo } from "@hookscope/hooks";
import { context as contextApi, ROOT_CONTEXT, SpanKind, trace, type Context } from "@opentelemetry/api";

import type { ApprovalLane } from "./approval-desk.ts";
import { describeThrown } from "./describe-thrown.ts";
import type { AgentEvent } from "./events.ts";
import { Interruption } from "./interruption.ts";
import { invokeMod } from "./mod-runner.ts";
import type { Progress } from "./progress.ts";
import { runRounds } from "./rounds.ts";
import type { RunResult, StopReason } from "./run-result.ts";
import { TurnScope } from "./scope.ts";
import { recordClosing, recordTurn } from "./session/record-turn.ts";
import type { Session } from "./session/session.ts";
import { isFirstTurn } from "./session/turn-session.ts";
import type { HarnessSetup } from "./setup.ts";
import { OpenSpan } from "./spans.ts";
import { freezeState, type AgentState } from "./state.ts";
import { enterTimeBase } from "./time-base.ts";
import { takeInput, type TakenInput } from "./turn-input.ts";
import { endTurnSpan } from "./turn-span.ts";

export interface TurnRequest {
  readonly state: AgentState;
  readonly userInput?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** The context the turn belongs under; without it a trace of its own, linked to whatever span is active. */
  readonly parent?: Context | undefined;
  readonly turnId?: string | undefined;
  readonly parentTurn?: TurnInfo | undefined;
  readonly depth?: number;
  readonly approvalLane?: ApprovalLane;
  readonly session?: Session | undefined;
  /** Takes the turn's events instead of the harness's subscribers. */
  readonly onEvent?: ((event: AgentEvent) => void) | undefined;
  /** Called with the scope as soon as the turn has one: for totals and links. */
  readonly onOpen?: (scope: TurnScope) => void;
  /** The platform and profile of an inbound message, where they are not the harness's own. */
  readonly origin?: { readonly platform?: string | undefined; readonly profile?: string | undefined } | undefined;
}

/** Stops that count as a completed turn. */
const COMPLETED: ReadonlySet<StopReason> = new Set<StopReason>(["end_turn", "stop_hook", "terminate", "handled"]);

/**
 * One user message worked to completion. Ends exactly once on every path; never rejects for what happens inside.
 *
 * @throws HarnessError SESSION_BUSY, SESSION_CLOSED, SESSION_NOT_WRITABLE where the session can take no turn
 */
export async function runTurn(setup: HarnessSetup, request: TurnRequest): Promise<RunResult> {
  const endSessionTurn = request.session?.beginTurn();
  const leaveTimeBase = enterTimeBase(setup.clock);
  try {
    return await runOpenTurn(setup, request);
  } finally {
    leaveTimeBase();
    endSessionTurn?.();
  }
}

async function runOpenTurn(setup: HarnessSetup, request: TurnRequest): Promise<RunResult> {
  const controller = new AbortController();
  const interrupt = (): void => controller.abort(request.signal?.reason);
  if (request.signal?.aborted === true) interrupt();
  request.signal?.addEventListener("abort", interrupt, { once: true });
  const scope = openTurn(setup, request, controller.signal);
  request.onOpen?.(scope);
  const progress: Progress = {
    state: freezeState(request.state),
    turnCount: 0,
    finalText: "",
    model: { client: setup.model, name: setup.model.model },
    effort: setup.options.effort,
    onAppend: (message, growth) => request.session?.messageAppended(message, growth),
  };
  try {
    const { stopReason, error } = await contextApi.with(scope.context, () => work(scope, request, progress));
    return await contextApi.with(scope.context, () => closeTurn(scope, progress, stopReason, error));
  } finally {
    scope.span.end(scope.now());
    request.signal?.removeEventListener("abort", interrupt);
  }
}

interface Ending {
  readonly stopReason: StopReason;
  readonly error?: Error | undefined;
}

async function work(scope: TurnScope, request: TurnRequest, progress: Progress): Promise<Ending> {
  try {
    const isFirst = isFirstTurn(scope.session, request.state);
    let input: TakenInput;
    try {
      input = await takeInput(scope, progress, request.userInput);
      if (!input.handled) await startSession(scope, isFirst);
    } finally {
      scope.emit({ type: "run_start", sessionId: scope.turn.session_id });
    }
    if (input.handled) return { stopReason: "handled" };
    const turnContext = await collectContext(scope, input.text, isFirst);
    return { stopReason: await runRounds(scope, progress, turnContext) };
  } catch (thrown) {
    if (thrown instanceof Interruption || scope.signal.aborted) return { stopReason: "interrupted" };
    const error = thrown instanceof Error ? thrown : new Error(describeThrown(thrown));
    scope.emit({ type: "run_error", error });
    return { stopReason: "error", error };
  }
}

async function startSession(scope: TurnScope, isFirst: boolean): Promise<void> {
  if (!isFirst) return;
  const { model, session_id, platform } = scope.turn;
  await scope.dispatch("on_session_start", () => ({ model, session_id, platform }));
}

/** What hooks add for this turn only: for the model, not for the log. */
async function collectContext(scope: TurnScope, userInput: string, isFirst: boolean): Promise<string | undefined> {
  const verdict = await scope.dispatch("pre_llm_call", () => ({
    user_message: userInput,
    is_first_turn: isFirst,
    model: scope.turn.model,
  }));
  return verdict.decision === "modify" ? verdict.value.context : undefined;
}

async function closeTurn(
  scope: TurnScope,
  progress: Progress,
  wanted: StopReason,
  failure: Error | undefined,
): Promise<RunResult> {
  if (wanted === "interrupted") scope.emit({ type: "interrupted" });
  scope.round = 0;
  const finalText = await transformReply(scope, progress.finalText);
  const unrecorded = await recordTurn(scope, progress, finalText);
  const error = failure ?? unrecorded;
  if (unrecorded !== undefined && failure === undefined) scope.emit({ type: "run_error", error: unrecorded });
  const stopReason = error === undefined ? wanted : "error";
  const { model } = scope.turn;
  const completed = COMPLETED.has(stopReason);
  if (completed && stopReason !== "handled") {
    await scope.dispatchClosing("post_llm_call", () => ({ assistant_response: finalText, model, usage: scope.usage }));
  }
  if (stopReason === "interrupted") {
    await scope.dispatchClosing("agent_loop_stopped", () => ({ reason: describeAbort(scope) }));
  }
  await scope.dispatchClosing("on_session_end", () => ({
    completed,
    interrupted: stopReason === "interrupted",
    model,
    failed: stopReason === "error",
    stop_reason: stopReason,
    usage: scope.usage,
  }));
  // Frozen: hooks that see it cannot alter it.
  const result: RunResult = Object.freeze<RunResult>({
    finalText,
    stopReason,
    turnCount: progress.turnCount,
    usage: scope.usage,
    state: progress.state,
    turnId: scope.turn.turn_id,
    sessionId: scope.turn.session_id,
    ...(scope.span.traceId === undefined ? {} : { traceId: scope.span.traceId }),
    ...(error === undefined ? {} : { error }),
  });
  scope.beginClosing();
  for (const site of scope.setup.mods.with("onRunEnd")) {
    await invokeMod(scope, site, { hook: "onRunEnd", params: { state: progress.state, result }, closing: true });
  }
  await Promise.all(scope.pending);
  if (unrecorded === undefined) await recordClosing(scope, progress);
  scope.emit({ type: "run_end", result });
  endTurnSpan(scope, result);
  return result;
}

/** Whatever the stop reason: a hook that takes something out of replies must see every reply. */
async function transformReply(scope: TurnScope, finalText: string): Promise<string> {
  if (finalText === "") return finalText;
  const verdict = await scope.dispatchClosing("transform_llm_output", () => ({
    response_text: finalText,
    model: scope.turn.model,
  }));
  return verdict.decision === "modify" ? verdict.value : finalText;
}

function describeAbort({ signal }: TurnScope): string {
  const reason: unknown = signal.reason;
  if (reason instanceof Error) return reason.name === "AbortError" ? "interrupted" : reason.message;
  return typeof reason === "string" ? reason : "interrupted";
}

function openTurn(setup: HarnessSetup, request: TurnRequest, signal: AbortSignal): TurnScope {
  const { parentTurn, origin } = request;
  const turn: TurnInfo = snapshot({
    turn_id: request.turnId ?? crypto.randomUUID(),
    session_id: request.state.sessionId,
    profile: origin?.profile ?? parentTurn?.profile ?? setup.profile,
    platform: origin?.platform ?? parentTurn?.platform ?? setup.platform,
    agent: setup.agent,
    model: setup.model.model,
    tags: parentTurn?.tags ?? setup.tags,
    ...(parentTurn === undefined
      ? {}
      : { parent_turn_id: parentTurn.turn_id, parent_session_id: parentTurn.session_id }),
  });
  const active = trace.getSpanContext(contextApi.active());
  const parent = request.parent ?? ROOT_CONTEXT;
  const span = new OpenSpan({
    core: setup.core,
    name: `invoke_agent ${turn.agent}`,
    kind: SpanKind.INTERNAL,
    parent,
    startTime: setup.clock.now(),
    turn,
    ...(request.parent === undefined && active !== undefined ? { links: [{ context: active }] } : {}),
    attributes: {
      "gen_ai.operation.name": "invoke_agent",
      "gen_ai.provider.name": setup.model.provider,
      "gen_ai.agent.name": turn.agent,
      "gen_ai.request.model": turn.model,
      "agent_turn.profile": turn.profile,
      "agent_turn.platform": turn.platform,
      ...(turn.tags.length === 0 ? {} : { "agent_turn.tags": turn.tags.map(({ key, value }) => `${key}=${value}`) }),
      ...(parentTurn === undefined ? {} : { "agent_turn.parent_id": parentTurn.turn_id }),
    },
  });
  return new TurnScope({
    setup,
    turn,
    span,
    totals: new TurnTotals(request.parent === undefined ? undefined : turnTotalsOf(request.parent)),
    signal,
    depth: request.depth ?? 0,
    approvalLane: request.approvalLane ?? { sessionId: turn.session_id },
    session: request.session,
    onEvent: request.onEvent,
  });
}
