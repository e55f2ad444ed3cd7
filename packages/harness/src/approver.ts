import type { ApprovalChoice, ApprovalRequestPayload } from "@hookscope/hooks";

/**
 * What a person can answer. `session` and `always` hold for the call they saw: the same question of the same hook about the
 * same tool with the same arguments is not put again in that session, or as long as the harness lives.
 */
export type ApprovalAnswer = Extract<ApprovalChoice, "once" | "session" | "always" | "deny">;

/** Asks a person. Questions of one turn come one at a time; `signal` fires on an interrupt and when the time is over. */
export interface Approver {
  ask(request: ApprovalRequestPayload, options: { readonly signal: AbortSignal }): Promise<ApprovalAnswer>;
}
