import type { HookPoint, HookPoints, PayloadOf, TurnInfo, Usage } from "@hookscope/hooks";

/** A turn that fills every field. */
export const SAMPLE_TURN: TurnInfo = {
  turn_id: "turn-1",
  session_id: "session-1",
  profile: "default",
  platform: "telegram",
  agent: "reviewer",
  model: "model-1",
  parent_turn_id: "turn-0",
  parent_session_id: "session-0",
  tags: [{ key: "client", value: "acme" }],
};

const USAGE: Usage = {
  input_tokens: 10,
  output_tokens: 5,
  cache_read_tokens: 4,
  cache_write_tokens: 0,
  reasoning_tokens: 2,
};

const API_ERROR: PayloadOf<"api_request_error"> = {
  model: "model-1",
  status_code: 529,
  retryable: true,
  error: "overloaded",
  provider: "provider-1",
  error_type: "overloaded_error",
  iteration: 1,
  attempt: 1,
  max_attempts: 3,
  duration_ms: 12,
  purpose: "turn",
};

const CHILD = {
  child_role: "explorer",
  child_session_id: "session-2",
  child_turn_id: "turn-2",
  parent_session_id: "session-1",
  parent_turn_id: "turn-1",
  call_id: "call-1",
};

const ARGS = { path: "README.md", range: { from: 1, to: 9 } };

/** One payload for each point. */
export const SAMPLE_PAYLOADS: { readonly [Point in HookPoint]: PayloadOf<Point> } = {
  pre_gateway_dispatch: { profile: "default", source: "telegram", session_id: null, text: "hello" },
  post_gateway_admission: { session_id: "session-1", platform: "telegram", profile: "default", text: "hello" },
  on_session_start: { model: "model-1", session_id: "session-1", platform: "telegram" },
  pre_llm_call: { user_message: "hello", is_first_turn: true, model: "model-1" },
  pre_api_request: {
    provider: "provider-1",
    model: "model-1",
    iteration: 1,
    message_count: 2,
    attempt: 1,
    tool_count: 3,
    purpose: "turn",
  },
  post_api_request: {
    provider: "provider-1",
    model: "model-1",
    usage: USAGE,
    stop: "end_turn",
    iteration: 1,
    attempt: 1,
    response_model: "model-1-large",
    duration_ms: 12,
    purpose: "turn",
  },
  api_request_error: API_ERROR,
  transform_api_error_classification: API_ERROR,
  on_stream_delta: { kind: "text", delta: "hel", iteration: 1 },
  pre_tool_call: { tool_name: "read_file", args: ARGS, risk: "low", call_id: "call-1" },
  post_tool_call: {
    tool_name: "read_file",
    args: ARGS,
    result: "text",
    is_error: false,
    call_id: "call-1",
    status: "ok",
    duration_ms: 3,
  },
  transform_tool_result: {
    tool_name: "read_file",
    result: "text",
    args: ARGS,
    is_error: false,
    call_id: "call-1",
    duration_ms: 3,
  },
  pre_approval_request: {
    approval_id: "approval-1",
    tool_name: "read_file",
    args: ARGS,
    risk: "low",
    question: "Read it?",
    hook: "policy",
    call_id: "call-1",
  },
  post_approval_response: { approval_id: "approval-1", tool_name: "read_file", choice: "once", wait_ms: 1_000 },
  subagent_start: { ...CHILD, child_goal: "find it" },
  subagent_stop: {
    ...CHILD,
    child_status: "completed",
    child_summary: "found it",
    duration_ms: 50,
    usage: USAGE,
    blocked_tool_calls: 0,
  },
  transform_llm_output: { response_text: "a reply", model: "model-1" },
  post_llm_call: { assistant_response: "a reply", model: "model-1", usage: USAGE },
  post_compaction: {
    tokens_before: 90,
    tokens_after: 30,
    messages_before: 9,
    messages_after: 3,
    trigger: "threshold",
  },
  agent_loop_stopped: { reason: "interrupted" },
  on_session_end: {
    completed: true,
    interrupted: false,
    model: "model-1",
    failed: false,
    stop_reason: "end_turn",
    usage: USAGE,
  },
  on_session_finalize: { session_id: "session-1", reason: "close" },
};

type ModifiablePoint = {
  [Point in HookPoint]: "modify" extends HookPoints[Point]["accepts"] ? Point : never;
}[HookPoint];

/** A modify each point takes that takes one, and what the verdict's value then is. */
export const SAMPLE_MODIFIES: {
  readonly [Point in ModifiablePoint]: {
    readonly value: HookPoints[Point]["modify"];
    readonly folded: HookPoints[Point]["modify"];
  };
} = {
  pre_gateway_dispatch: { value: { text: "changed" }, folded: { text: "changed" } },
  pre_llm_call: { value: { context: "more" }, folded: { context: "more" } },
  transform_api_error_classification: { value: { retryable: false }, folded: { retryable: false } },
  pre_tool_call: { value: { args: { path: "LICENSE" } }, folded: { args: { ...ARGS, path: "LICENSE" } } },
  transform_tool_result: { value: "", folded: "" },
  transform_llm_output: { value: "changed", folded: "changed" },
};
