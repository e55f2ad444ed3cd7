import {
  createHookBus,
  turnInfo,
  type Hook,
  type HookBus,
  type HookInvocation,
  type TurnInfo,
  type Verdict,
} from "@hookscope/hooks";

import { fromHermes, type HermesCallback } from "../../src/from-hermes.ts";

export const TURN: TurnInfo = turnInfo({
  turn_id: "turn-1",
  session_id: "session-1",
  platform: "cli",
  model: "model-1",
});

export const TOOL_CALL = {
  tool_name: "shell",
  args: { path: "a", content: "b" },
  risk: "low",
  call_id: "call-1",
} as const;

/** Warnings are kept, not printed. */
export function busOf(hooks: readonly Hook[], warnings: string[] = []): HookBus {
  return createHookBus({ hooks, logger: { warn: (message) => void warnings.push(message) } });
}

/** A tool call before Hermes callbacks that each stand in a hook of their own. */
export function beforeTool(...callbacks: readonly HermesCallback[]): Promise<Verdict<"pre_tool_call">> {
  const hooks = callbacks.map((callback, index) => fromHermes(`hook-${index + 1}`, { pre_tool_call: callback }));
  return busOf(hooks).dispatch("pre_tool_call", TOOL_CALL, { turn: TURN });
}

export function recordsOf(invocations: readonly HookInvocation[]): readonly (readonly unknown[])[] {
  return invocations.map(({ hook, execution, decision, applied, notAppliedReason }) => [
    hook,
    execution,
    decision,
    applied,
    notAppliedReason,
  ]);
}
