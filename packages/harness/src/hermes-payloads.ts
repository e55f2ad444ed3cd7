import type { HookEvent, HookEventAt, HookPoint, JsonValue, TurnInfo } from "@hookscope/hooks";

/** Keyword arguments, by their names in Hermes. */
export type HermesPayload = { readonly [name: string]: JsonValue };

/** Every hook point but the one that Hermes has not. */
export type HermesHookName = Exclude<HookPoint, "post_compaction">;

type Mapper<Point extends HookPoint> = (
  event: HookEventAt<Point>,
  toolName: (name: string) => string,
) => { readonly [name: string]: JsonValue | undefined };

const SCHEMA_VERSION = "hermes.observer.v1";
const MS_PER_SECOND = 1_000;

/** What a Hermes callback of an event's point gets. Fields that are not known here are left out. */
export function hermesPayload(event: HookEvent, toolName: (name: string) => string): HermesPayload {
  const map = HERMES_HOOK_NAMES[event.point as HermesHookName] as Mapper<HookPoint>;
  const fields: { readonly [name: string]: JsonValue | undefined } = {
    telemetry_schema_version: SCHEMA_VERSION,
    ...map(event, toolName),
  };
  const known = Object.entries(fields).filter((field): field is [string, JsonValue] => field[1] !== undefined);
  return Object.freeze(Object.fromEntries(known));
}

export const HERMES_HOOK_NAMES: { readonly [Name in HermesHookName]: Mapper<Name> } = {
  pre_gateway_dispatch: ({ payload }) => ({
    // Live objects in Hermes; here what a text of them is. There is no store to reach.
    event: { text: payload.text, source: payload.source, profile: payload.profile, session_id: payload.session_id },
    gateway: null,
    session_store: null,
  }),
  post_gateway_admission: ({ payload: { session_id, platform, profile, text } }) => ({
    session_key: session_id,
    platform,
    source: { platform, profile },
    text,
  }),
  on_session_start: ({ payload: { session_id, model, platform } }) => ({ session_id, model, platform }),
  pre_llm_call: ({ payload: { user_message, is_first_turn, model }, turn }) => ({
    ...ids(turn),
    user_message,
    is_first_turn,
    model,
    platform: turn.platform,
    parent_session_id: turn.parent_session_id ?? null,
  }),
  pre_api_request: ({
    payload: { provider, model, iteration, message_count, attempt, tool_count, purpose },
    turn,
  }) => ({
    ...ids(turn),
    ...attemptOf(iteration, attempt),
    provider,
    model,
    platform: turn.platform,
    message_count,
    tool_count,
    purpose,
  }),
  post_api_request: ({ payload, turn }) => ({
    ...ids(turn),
    ...attemptOf(payload.iteration, payload.attempt),
    provider: payload.provider,
    model: payload.model,
    platform: turn.platform,
    api_duration: payload.duration_ms / MS_PER_SECOND,
    finish_reason: payload.stop,
    response_model: payload.response_model,
    usage: { ...payload.usage },
    purpose: payload.purpose,
  }),
  api_request_error: ({ payload, turn }) => ({
    ...ids(turn),
    ...attemptOf(payload.iteration, payload.attempt),
    provider: payload.provider,
    model: payload.model,
    platform: turn.platform,
    api_duration: payload.duration_ms / MS_PER_SECOND,
    status_code: payload.status_code,
    max_retries: payload.max_attempts - 1,
    retryable: payload.retryable,
    reason: payload.error_type,
    error: { type: payload.error_type, message: payload.error },
    purpose: payload.purpose,
  }),
  transform_api_error_classification: ({ payload, turn }) => ({
    ...ids(turn),
    provider: payload.provider,
    model: payload.model,
    status_code: payload.status_code,
    error_type: payload.error_type,
    error_code: null,
    error_message: payload.error,
    error: { type: payload.error_type, message: payload.error },
  }),
  on_stream_delta: ({ payload: { kind, delta, iteration }, turn }) => ({
    ...ids(turn),
    model: turn.model,
    surface: turn.platform,
    iteration,
    kind: kind === "thinking" ? "reasoning" : kind,
    delta,
  }),
  pre_tool_call: ({ payload: { tool_name, args, risk, call_id }, turn }, toolName) => ({
    ...ids(turn),
    tool_name: toolName(tool_name),
    args,
    tool_call_id: call_id,
    risk,
  }),
  post_tool_call: ({ payload, turn }, toolName) => ({
    ...ids(turn),
    tool_name: toolName(payload.tool_name),
    args: payload.args,
    result: payload.result,
    tool_call_id: payload.call_id,
    duration_ms: Math.round(payload.duration_ms),
    // Hermes knows no denial apart from a block.
    status: payload.status === "denied" ? "blocked" : payload.status,
    error_type: payload.error_type ?? null,
    error_message: payload.error_message ?? null,
  }),
  transform_tool_result: ({ payload, turn }, toolName) => ({
    ...ids(turn),
    tool_name: toolName(payload.tool_name),
    args: payload.args,
    result: payload.result,
    tool_call_id: payload.call_id,
    duration_ms: Math.round(payload.duration_ms),
    status: payload.is_error ? "error" : "ok",
  }),
  pre_approval_request: ({ payload, turn }, toolName) => ({
    ...approval(turn, toolName(payload.tool_name)),
    command: typeof payload.args["command"] === "string" ? payload.args["command"] : JSON.stringify(payload.args),
    description: payload.question,
    tool_call_id: payload.call_id,
  }),
  post_approval_response: ({ payload, turn }, toolName) => ({
    ...approval(turn, toolName(payload.tool_name)),
    choice: payload.choice === "unavailable" ? "notify_failed" : payload.choice,
  }),
  subagent_start: ({ payload: { parent_session_id, parent_turn_id, child_session_id, child_role, child_goal } }) => ({
    parent_session_id,
    parent_turn_id,
    child_session_id,
    child_role,
    child_goal,
  }),
  subagent_stop: ({ payload }) => ({
    parent_session_id: payload.parent_session_id,
    parent_turn_id: payload.parent_turn_id,
    child_session_id: payload.child_session_id,
    child_role: payload.child_role,
    child_summary: payload.child_summary,
    child_status: payload.child_status,
    duration_ms: Math.round(payload.duration_ms),
  }),
  transform_llm_output: ({ payload: { response_text, model }, turn }) => ({
    response_text,
    session_id: turn.session_id,
    model,
    platform: turn.platform,
  }),
  post_llm_call: ({ payload: { assistant_response, model }, turn }) => ({
    ...ids(turn),
    assistant_response,
    model,
    platform: turn.platform,
  }),
  agent_loop_stopped: ({ payload: { reason }, turn }) => ({
    session_key: turn.session_id,
    platform: turn.platform,
    reason,
    invalidation_reason: null,
  }),
  on_session_end: ({ payload: { completed, failed, interrupted, stop_reason, model }, turn }) => ({
    ...ids(turn),
    completed,
    failed,
    interrupted,
    turn_exit_reason: stop_reason,
    model,
    platform: turn.platform,
  }),
  on_session_finalize: ({ payload: { session_id, reason }, turn }) => ({ session_id, platform: turn.platform, reason }),
};

function ids({ session_id, turn_id }: TurnInfo): { readonly session_id: string; readonly turn_id: string } {
  return { session_id, turn_id };
}

function attemptOf(
  iteration: number,
  attempt: number,
): { readonly api_call_count: number; readonly retry_count: number } {
  return { api_call_count: iteration, retry_count: attempt - 1 };
}

function approval(turn: TurnInfo, toolName: string): { readonly [name: string]: JsonValue } {
  return {
    pattern_key: toolName,
    pattern_keys: [toolName],
    session_key: turn.session_id,
    surface: turn.platform,
    turn_id: turn.turn_id,
  };
}
