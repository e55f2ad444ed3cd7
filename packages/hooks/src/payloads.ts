import type { JsonObject } from "./json.ts";

/** One label a deployment puts on turns, for example `{ key: "client", value: "acme" }`. Inherited by subagents. */
export interface TurnTag {
  readonly key: string;
  readonly value: string;
}

/** What every event of a turn carries beside its payload. A subagent inherits profile, platform and tags. */
export interface TurnInfo {
  readonly turn_id: string;
  readonly session_id: string;
  readonly profile: string;
  readonly platform: string;
  readonly agent: string;
  readonly model: string;
  readonly parent_turn_id?: string;
  readonly parent_session_id?: string;
  readonly tags: readonly TurnTag[];
}

/** Tokens. `input_tokens` is all input, cached parts included. */
export interface Usage {
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly cache_read_tokens: number;
  readonly cache_write_tokens: number;
  readonly reasoning_tokens: number;
}

export type Risk = "low" | "medium" | "high" | "unknown";
export type ToolCallStatus = "ok" | "error" | "blocked" | "denied" | "cancelled";
/** Why a tool call did not run. */
export type ToolCallCause = "policy" | "failure" | "person" | "permission" | "mod" | "interrupt";
export type ApprovalChoice = "once" | "session" | "always" | "deny" | "timeout" | "cancelled" | "unavailable";
/** What a model call is for. Every model call of the loop takes the same path, whatever its purpose. */
export type ModelCallPurpose = "turn" | "compaction" | "title" | "description" | "subagent";

export interface GatewayDispatchPayload {
  readonly profile: string;
  readonly source: string;
  /** null before the session is known */
  readonly session_id: string | null;
  readonly text: string;
}

export interface GatewayAdmissionPayload {
  readonly session_id: string;
  readonly platform: string;
  readonly profile: string;
  readonly text: string;
}

export interface SessionStartPayload {
  readonly model: string;
  readonly session_id: string;
  readonly platform: string;
}

export interface LlmCallPayload {
  readonly user_message: string;
  readonly is_first_turn: boolean;
  readonly model: string;
}

export interface ApiRequestPayload {
  readonly provider: string;
  readonly model: string;
  /** the round, from 1 */
  readonly iteration: number;
  readonly message_count: number;
  /** the try of this round's model call, from 1 */
  readonly attempt: number;
  readonly tool_count: number;
  readonly purpose: ModelCallPurpose;
}

export interface ApiResponsePayload {
  readonly provider: string;
  readonly model: string;
  readonly usage: Usage;
  /** why the model stopped: `end_turn`, `tool_use`, `max_tokens`, … */
  readonly stop: string;
  readonly iteration: number;
  readonly attempt: number;
  readonly response_model: string;
  readonly duration_ms: number;
  readonly purpose: ModelCallPurpose;
}

export interface ApiErrorPayload {
  readonly model: string;
  /** HTTP status; null where the call failed before an answer */
  readonly status_code: number | null;
  readonly retryable: boolean;
  readonly error: string;
  readonly provider: string;
  readonly error_type: string;
  readonly iteration: number;
  readonly attempt: number;
  readonly max_attempts: number;
  readonly duration_ms: number;
  readonly purpose: ModelCallPurpose;
  /** set where the provider told it in spite of the failure */
  readonly usage?: Usage;
}

/** The parts of an error's classification a transform may replace. */
export interface ApiErrorClassification {
  readonly retryable?: boolean;
  readonly reason?: string;
  readonly retry_after_ms?: number;
}

export interface StreamDeltaPayload {
  readonly kind: "text" | "thinking";
  readonly delta: string;
  readonly iteration: number;
}

export interface PreToolCallPayload {
  readonly tool_name: string;
  readonly args: JsonObject;
  readonly risk: Risk;
  readonly call_id: string;
}

export interface PostToolCallPayload {
  readonly tool_name: string;
  readonly args: JsonObject;
  readonly result: string;
  readonly is_error: boolean;
  readonly call_id: string;
  readonly status: ToolCallStatus;
  /** set where the call did not run */
  readonly cause?: ToolCallCause;
  /** the hook or mod that stopped it */
  readonly hook?: string;
  /** the tool itself, without hooks and approvals */
  readonly duration_ms: number;
  /** the time the call waited for hooks */
  readonly hook_wait_ms?: number;
  readonly error_type?: string;
  readonly error_message?: string;
}

export interface ToolResultPayload {
  readonly tool_name: string;
  readonly result: string;
  readonly args: JsonObject;
  readonly is_error: boolean;
  readonly call_id: string;
  readonly duration_ms: number;
}

export interface ApprovalRequestPayload {
  readonly approval_id: string;
  readonly tool_name: string;
  /** after every merge: what would run */
  readonly args: JsonObject;
  readonly risk: Risk;
  readonly question: string;
  /** the hook that asked */
  readonly hook: string;
  readonly call_id: string;
}

export interface ApprovalResponsePayload {
  readonly approval_id: string;
  readonly tool_name: string;
  readonly choice: ApprovalChoice;
  readonly wait_ms: number;
}

export interface SubagentStartPayload {
  readonly child_role: string;
  readonly child_goal: string;
  readonly child_session_id: string;
  readonly child_turn_id: string;
  readonly parent_session_id: string;
  readonly parent_turn_id: string;
  readonly call_id: string;
}

export interface SubagentStopPayload {
  readonly child_status: "completed" | "failed" | "interrupted";
  readonly child_summary: string;
  readonly child_role: string;
  readonly child_session_id: string;
  readonly child_turn_id: string;
  readonly parent_session_id: string;
  readonly parent_turn_id: string;
  readonly call_id: string;
  readonly duration_ms: number;
  readonly usage: Usage;
  readonly blocked_tool_calls: number;
}

export interface LlmOutputPayload {
  readonly response_text: string;
  readonly model: string;
}

export interface PostLlmCallPayload {
  readonly assistant_response: string;
  readonly model: string;
  readonly usage: Usage;
}

export interface CompactionPayload {
  readonly tokens_before: number;
  readonly tokens_after: number;
  readonly messages_before: number;
  readonly messages_after: number;
  /** what started it: `threshold` or `manual` */
  readonly trigger: string;
}

export interface LoopStoppedPayload {
  readonly reason: string;
}

export interface SessionEndPayload {
  readonly completed: boolean;
  readonly interrupted: boolean;
  readonly model: string;
  readonly failed: boolean;
  readonly stop_reason: string;
  readonly usage: Usage;
}

export interface SessionFinalizePayload {
  readonly session_id: string;
  readonly reason: string;
}
