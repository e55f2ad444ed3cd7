import {
  createHookBus,
  turnInfo,
  type Hook,
  type PreToolCallPayload,
  type TurnInfo,
  type Verdict,
} from "@hookscope/hooks";

import { createApprovalPolicy, type ApprovalPolicyOptions } from "../../src/approval-policy.ts";

export interface Asked {
  readonly call?: Partial<PreToolCallPayload>;
  readonly turn?: Partial<TurnInfo>;
  /** Hooks after the policy. */
  readonly others?: readonly Hook[];
}

/** What a real bus makes of one tool call under a policy. */
export async function askPolicy(
  policy: ApprovalPolicyOptions,
  { call = {}, turn = {}, others = [] }: Asked = {},
): Promise<Verdict<"pre_tool_call">> {
  const bus = createHookBus({ hooks: [createApprovalPolicy(policy), ...others] });
  const payload = { tool_name: "shell", args: {}, risk: "medium", call_id: "call-1", ...call } as const;
  return bus.dispatch("pre_tool_call", payload, { turn: turnInfo(turn) });
}

/** `continue`, or the decision and its words. */
export async function decisionOf(policy: ApprovalPolicyOptions, asked: Asked = {}): Promise<string> {
  const verdict = await askPolicy(policy, asked);
  if (verdict.decision === "block") return `block: ${verdict.reason}`;
  return verdict.decision === "ask_user" ? `ask: ${verdict.question}` : verdict.decision;
}
