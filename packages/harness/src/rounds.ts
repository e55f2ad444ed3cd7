import type { Usage } from "@hookscope/hooks";

import type { ModelAnswer } from "./accumulate.ts";
import { Continuation } from "./continuation.ts";
import { Interruption, untilAborted } from "./interruption.ts";
import { readMessages, type MessageProviderName } from "./message-queue.ts";
import { textOf, toolCallsOf, userMessage, type Message, type MessageSource, type ToolUseBlock } from "./messages.ts";
import { callModel } from "./model-call.ts";
import type { PermissionMode } from "./permissions.ts";
import { prepareForSend } from "./prepare-for-send.ts";
import { append, type Progress } from "./progress.ts";
import {
  anyModContinues,
  anyModStops,
  applyModState,
  changeState,
  prepareNextRound,
  resolveSystemPrompt,
  transformContext,
} from "./round-mods.ts";
import type { StopReason } from "./run-result.ts";
import type { TurnScope } from "./scope.ts";
import { runToolBatch } from "./tool-batch.ts";

/** How often in a row a mod's `onStop` may keep a turn going. */
const MAX_STOP_CONTINUATIONS = 8;

/**
 * Rounds until the turn ends by itself or is stopped.
 *
 * @throws Interruption, or what made a model call fail for good
 */
export async function runRounds(
  scope: TurnScope,
  progress: Progress,
  turnContext: string | undefined,
): Promise<StopReason> {
  const continuation = new Continuation(scope);
  let stopContinuations = 0;
  await appendMessages(scope, progress, "getSteeringMessages");
  for (;;) {
    if (scope.signal.aborted) throw new Interruption();
    const round = await runRound(scope, progress, turnContext);
    progress.finalText = continuation.join(progress.finalText);
    if (scope.signal.aborted) throw new Interruption();
    if (round.pendingStop !== undefined) return round.pendingStop;
    if (await anyModStops(scope, progress)) return "stop_hook";
    if (progress.turnCount >= scope.setup.maxTurns) return "max_turns";
    const recovery = continuation.recover(round.answer, round.hadToolCalls, progress.finalText);
    if (recovery !== undefined) {
      append(progress, userMessage(recovery, "continuation"));
    } else if (!round.hadToolCalls && !(await appendMessages(scope, progress, "getFollowUpMessages"))) {
      const reason = stopContinuations < MAX_STOP_CONTINUATIONS ? await anyModContinues(scope, progress) : undefined;
      if (reason === undefined) return "end_turn";
      stopContinuations += 1;
      append(progress, userMessage(reason, "stop_hook"));
    } else {
      stopContinuations = 0;
    }
    await prepareNextRound(scope, progress);
  }
}

interface Round {
  readonly hadToolCalls: boolean;
  readonly pendingStop: StopReason | undefined;
  readonly answer: ModelAnswer;
}

async function runRound(scope: TurnScope, progress: Progress, turnContext: string | undefined): Promise<Round> {
  const turnNumber = progress.turnCount + 1;
  scope.round = turnNumber;
  await changeState(scope, progress, "onTurnStart", (state) => ({ state, turnNumber }));
  scope.emit({ type: "turn_start", turnNumber });
  const permissionMode = scope.setup.permissionMode();
  const system = await resolveSystemPrompt(scope, progress.state, permissionMode);
  const messages = prepareForSend(await transformContext(scope, progress.state), turnContext);
  const answer = await requestAnswer(scope, progress, { system, messages, turnNumber });
  append(progress, { role: "assistant", content: answer.content.filter((block) => block.type !== "provider") });
  progress.finalText = textOf(answer.content);
  progress.turnCount = turnNumber;
  scope.totals.add("agent_turn.rounds", 1);
  const blocks = toolCallsOf(answer.content);
  const hadToolCalls = blocks.length > 0;
  try {
    const pendingStop = hadToolCalls ? await runTools(scope, progress, blocks, permissionMode) : undefined;
    return { hadToolCalls, pendingStop, answer };
  } finally {
    await endRound(scope, progress, { turnNumber, hadToolCalls, usage: answer.usage });
  }
}

async function runTools(
  scope: TurnScope,
  progress: Progress,
  blocks: readonly ToolUseBlock[],
  permissionMode: PermissionMode,
): Promise<StopReason | undefined> {
  const batch = await runToolBatch(scope, blocks, progress.state, permissionMode);
  append(progress, { role: "user", source: "tool_results", content: batch.results });
  for (const modState of batch.modStates) applyModState(scope, progress, modState);
  if (batch.denied) return "permission_denied";
  if (batch.terminate) return "terminate";
  await appendMessages(scope, progress, "getSteeringMessages");
  return undefined;
}

async function requestAnswer(
  scope: TurnScope,
  progress: Progress,
  {
    system,
    messages,
    turnNumber,
  }: { readonly system: string | undefined; readonly messages: readonly Message[]; readonly turnNumber: number },
): ReturnType<typeof callModel> {
  const { client, name } = progress.model;
  scope.emit({ type: "message_start" });
  scope.emit({ type: "model_request_start", model: name });
  const answer = await callModel(scope, {
    client,
    request: { model: name, system, messages, tools: scope.setup.tools.definitions(), effort: progress.effort },
    purpose: scope.depth === 0 ? "turn" : "subagent",
    iteration: turnNumber,
    streamed: true,
  });
  for (const { id, name: toolName, input } of answer.coerced) {
    const rawType = input.coercedFrom ?? "unknown";
    const recovered = input.problem === undefined;
    scope.emit({ type: "tool_input_coerced", toolCallId: id, toolName, rawType, recovered }, answer.spanId);
  }
  const { content, usage, stop: stopReason, spanId } = answer;
  scope.emit({ type: "model_request_end", model: name, usage, stopReason }, spanId);
  const shown = scope.holdsText ? content.filter((block) => block.type !== "text") : content;
  scope.emit({ type: "message_end", content: shown }, spanId);
  return answer;
}

/**
 * The durability boundary. The model answered and the tools did what they did, so neither an interrupt nor a failure
 * after them keeps the round from being ended by the mods and committed.
 */
async function endRound(
  scope: TurnScope,
  progress: Progress,
  round: { readonly turnNumber: number; readonly hadToolCalls: boolean; readonly usage: Usage },
): Promise<void> {
  await changeState(scope, progress, "onTurnEnd", (state) => ({ state, ...round }), true);
  scope.emit({ type: "turn_end", ...round });
  await scope.session?.commit(progress.state);
  await scope.setup.options.onCommit?.(progress.state);
}

const SOURCES: { readonly [Name in MessageProviderName]: MessageSource } = {
  getSteeringMessages: "steering",
  getFollowUpMessages: "follow_up",
};

async function appendMessages(scope: TurnScope, progress: Progress, name: MessageProviderName): Promise<boolean> {
  const provider = scope.setup.options[name];
  if (provider === undefined) return false;
  const texts = readMessages(name, await untilAborted(provider, scope.signal));
  for (const text of texts) append(progress, userMessage(text, SOURCES[name]));
  return texts.length > 0;
}
