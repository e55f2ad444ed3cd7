import { describeThrown } from "./describe-thrown.ts";
import { untilAborted } from "./interruption.ts";
import type { Message } from "./messages.ts";
import { invokeMod, type ModAnswer, type ModInvocation } from "./mod-runner.ts";
import { setModState } from "./mod-state.ts";
import type { ModHookName } from "./mods.ts";
import type { PermissionMode } from "./permissions.ts";
import type { Progress } from "./progress.ts";
import type { TurnScope } from "./scope.ts";
import { freezeState, type AgentState } from "./state.ts";
import type { FinishedCall } from "./tool-finish.ts";

const NEUTRAL_CONTINUATION = "Keep going.";

export async function resolveSystemPrompt(
  scope: TurnScope,
  state: AgentState,
  permissionMode: PermissionMode,
): Promise<string | undefined> {
  const { systemPrompt } = scope.setup.options;
  const base =
    typeof systemPrompt === "function"
      ? await untilAborted(() => systemPrompt({ sessionId: state.sessionId, state, permissionMode }), scope.signal)
      : systemPrompt;
  const parts = base === undefined || base === "" ? [] : [base];
  for (const answer of await askEach(scope, "appendSystemPrompt", () => ({ params: { state } }))) {
    if (!answer.failed && answer.value !== undefined && answer.value !== "") parts.push(answer.value);
  }
  return parts.length === 0 ? undefined : parts.join("\n\n");
}

export async function transformContext(scope: TurnScope, state: AgentState): Promise<readonly Message[]> {
  let messages = state.messages;
  for (const site of scope.setup.mods.with("transformContext")) {
    const params = { messages, state, signal: scope.signal };
    const answer = await invokeMod(scope, site, { hook: "transformContext", params, given: messages });
    if (!answer.failed) messages = answer.value;
  }
  return messages;
}

export async function changeState<Hook extends "onTurnStart" | "onTurnEnd">(
  scope: TurnScope,
  progress: Progress,
  hook: Hook,
  params: (state: AgentState) => ModInvocation<Hook>["params"],
  closing = false,
): Promise<void> {
  for (const site of scope.setup.mods.with(hook)) {
    const given = progress.state;
    const answer = await invokeMod(scope, site, { hook, params: params(given), given, closing });
    if (!answer.failed) progress.state = freezeState(answer.value as AgentState);
  }
}

async function askEach<Hook extends ModHookName>(
  scope: TurnScope,
  hook: Hook,
  invocation: () => Omit<ModInvocation<Hook>, "hook">,
): Promise<readonly ModAnswer<Hook>[]> {
  const answers: ModAnswer<Hook>[] = [];
  for (const site of scope.setup.mods.with(hook)) answers.push(await invokeMod(scope, site, { hook, ...invocation() }));
  return answers;
}

/** The first true ends it; later mods are not asked. */
export async function anyModStops(scope: TurnScope, { state, turnCount }: Progress): Promise<boolean> {
  for (const site of scope.setup.mods.with("shouldStopAfterTurn")) {
    const answer = await invokeMod(scope, site, {
      hook: "shouldStopAfterTurn",
      params: { state, turnNumber: turnCount },
    });
    if (!answer.failed && answer.value) return true;
  }
  return false;
}

/** The first that wants to continue says why; later mods are not asked. */
export async function anyModContinues(
  scope: TurnScope,
  { state, turnCount, finalText }: Progress,
): Promise<string | undefined> {
  for (const site of scope.setup.mods.with("onStop")) {
    const params = { state, stopReason: "end_turn", turnNumber: turnCount, lastAssistantText: finalText } as const;
    const answer = await invokeMod(scope, site, { hook: "onStop", params });
    if (!answer.failed && answer.value?.continue === true) return answer.value.reason ?? NEUTRAL_CONTINUATION;
  }
  return undefined;
}

/** Later mods override earlier ones, field by field. */
export async function prepareNextRound(scope: TurnScope, progress: Progress): Promise<void> {
  const { state, turnCount } = progress;
  for (const answer of await askEach(scope, "prepareNextTurn", () => ({ params: { state, turnNumber: turnCount } }))) {
    if (answer.failed || answer.value === undefined || answer.value === null) continue;
    const { model, effort } = answer.value;
    if (model !== undefined) {
      progress.model = { client: scope.setup.options.resolveModel?.(model) ?? progress.model.client, name: model };
    }
    if (effort !== undefined) progress.effort = effort ?? undefined;
  }
}

/** A value that cannot be written as JSON is the mod's fault, and keeps its slot as it was. */
export function applyModState(
  scope: TurnScope,
  progress: Progress,
  { modId, toolCallId, spanId, value }: FinishedCall["modStates"][number],
): void {
  try {
    progress.state = freezeState(setModState({ state: progress.state, modId, value }));
  } catch (error) {
    const problem = scope.setup.core.redactText(describeThrown(error));
    scope.emit({ type: "mod_error", modId, hook: "afterToolCall", error: problem, toolCallId }, spanId);
  }
}
