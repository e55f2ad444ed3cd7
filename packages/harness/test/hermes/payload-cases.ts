import type { PayloadOf } from "@hookscope/hooks";

import type { HermesHookName, HermesPayload } from "../../src/hermes-payloads.ts";

const USAGE = { input_tokens: 10, output_tokens: 2, cache_read_tokens: 3, cache_write_tokens: 4, reasoning_tokens: 1 };
const API = { provider: "anthropic", model: "model-1", iteration: 2, attempt: 3, purpose: "turn" } as const;
const FAILED = {
  ...API,
  status_code: 529,
  retryable: true,
  error: "busy",
  error_type: "overloaded",
  max_attempts: 10,
  duration_ms: 1_500,
} as const;
const PARENTS = { parent_session_id: "session-1", parent_turn_id: "turn-1", call_id: "call-1" } as const;
const CHILD = { child_role: "explorer", child_session_id: "session-2", child_turn_id: "turn-2" } as const;

const IDS = { session_id: "session-1", turn_id: "turn-1" } as const;
const CALL_IDS = { ...IDS, tool_call_id: "call-1" } as const;
const COUNTS = {
  ...IDS,
  api_call_count: 2,
  retry_count: 2,
  provider: "anthropic",
  model: "model-1",
  platform: "cli",
  purpose: "turn",
} as const;

/** By hook: what the bus gives, and what a Hermes callback gets of it. */
export const CASES: {
  readonly [Name in HermesHookName]: { readonly given: PayloadOf<Name>; readonly expected: HermesPayload };
} = {
  pre_gateway_dispatch: {
    given: { profile: "default", source: "telegram", session_id: null, text: "hi" },
    expected: {
      event: { text: "hi", source: "telegram", profile: "default", session_id: null },
      gateway: null,
      session_store: null,
    },
  },
  post_gateway_admission: {
    given: { session_id: "session-1", platform: "telegram", profile: "default", text: "hi" },
    expected: {
      session_key: "session-1",
      platform: "telegram",
      source: { platform: "telegram", profile: "default" },
      text: "hi",
    },
  },
  on_session_start: {
    given: { model: "model-1", session_id: "session-1", platform: "cli" },
    expected: { session_id: "session-1", model: "model-1", platform: "cli" },
  },
  pre_llm_call: {
    given: { user_message: "hi", is_first_turn: true, model: "model-1" },
    expected: {
      ...IDS,
      user_message: "hi",
      is_first_turn: true,
      model: "model-1",
      platform: "cli",
      parent_session_id: null,
    },
  },
  pre_api_request: {
    given: { ...API, message_count: 5, tool_count: 6 },
    expected: { ...COUNTS, message_count: 5, tool_count: 6 },
  },
  post_api_request: {
    given: { ...API, usage: USAGE, stop: "end_turn", response_model: "model-1b", duration_ms: 2_500 },
    expected: { ...COUNTS, api_duration: 2.5, finish_reason: "end_turn", response_model: "model-1b", usage: USAGE },
  },
  api_request_error: {
    given: FAILED,
    expected: {
      ...COUNTS,
      api_duration: 1.5,
      status_code: 529,
      max_retries: 9,
      retryable: true,
      reason: "overloaded",
      error: { type: "overloaded", message: "busy" },
    },
  },
  transform_api_error_classification: {
    given: FAILED,
    expected: {
      ...IDS,
      provider: "anthropic",
      model: "model-1",
      status_code: 529,
      error_type: "overloaded",
      error_code: null,
      error_message: "busy",
      error: { type: "overloaded", message: "busy" },
    },
  },
  on_stream_delta: {
    given: { kind: "thinking", delta: "hm", iteration: 2 },
    expected: { ...IDS, model: "model-1", surface: "cli", iteration: 2, kind: "reasoning", delta: "hm" },
  },
  pre_tool_call: {
    given: { tool_name: "agent", args: { a: 1 }, risk: "low", call_id: "call-1" },
    expected: { ...CALL_IDS, tool_name: "delegate_task", args: { a: 1 }, risk: "low" },
  },
  post_tool_call: {
    given: {
      tool_name: "shell",
      args: {},
      result: "x",
      is_error: true,
      call_id: "call-1",
      status: "error",
      duration_ms: 1.6,
      error_type: "Error",
      error_message: "x",
    },
    expected: {
      ...CALL_IDS,
      tool_name: "terminal",
      args: {},
      result: "x",
      duration_ms: 2,
      status: "error",
      error_type: "Error",
      error_message: "x",
    },
  },
  transform_tool_result: {
    given: { tool_name: "shell", result: "x", args: {}, is_error: false, call_id: "call-1", duration_ms: 1 },
    expected: { ...CALL_IDS, tool_name: "terminal", args: {}, result: "x", duration_ms: 1, status: "ok" },
  },
  pre_approval_request: {
    given: {
      approval_id: "approval-1",
      tool_name: "shell",
      args: { command: "make" },
      risk: "high",
      question: "Run it?",
      hook: "policy",
      call_id: "call-1",
    },
    expected: {
      pattern_key: "terminal",
      pattern_keys: ["terminal"],
      session_key: "session-1",
      surface: "cli",
      turn_id: "turn-1",
      tool_call_id: "call-1",
      command: "make",
      description: "Run it?",
    },
  },
  post_approval_response: {
    given: { approval_id: "approval-1", tool_name: "shell", choice: "unavailable", wait_ms: 1 },
    expected: {
      pattern_key: "terminal",
      pattern_keys: ["terminal"],
      session_key: "session-1",
      surface: "cli",
      turn_id: "turn-1",
      choice: "notify_failed",
    },
  },
  subagent_start: {
    given: { ...PARENTS, ...CHILD, child_goal: "look" },
    expected: {
      parent_session_id: "session-1",
      parent_turn_id: "turn-1",
      child_session_id: "session-2",
      child_role: "explorer",
      child_goal: "look",
    },
  },
  subagent_stop: {
    given: {
      ...PARENTS,
      ...CHILD,
      child_status: "completed",
      child_summary: "found",
      duration_ms: 9.6,
      usage: USAGE,
      blocked_tool_calls: 0,
    },
    expected: {
      parent_session_id: "session-1",
      parent_turn_id: "turn-1",
      child_session_id: "session-2",
      child_role: "explorer",
      child_summary: "found",
      child_status: "completed",
      duration_ms: 10,
    },
  },
  transform_llm_output: {
    given: { response_text: "hello", model: "model-1" },
    expected: { response_text: "hello", session_id: "session-1", model: "model-1", platform: "cli" },
  },
  post_llm_call: {
    given: { assistant_response: "hello", model: "model-1", usage: USAGE },
    expected: { ...IDS, assistant_response: "hello", model: "model-1", platform: "cli" },
  },
  agent_loop_stopped: {
    given: { reason: "interrupt" },
    expected: { session_key: "session-1", platform: "cli", reason: "interrupt", invalidation_reason: null },
  },
  on_session_end: {
    given: {
      completed: true,
      interrupted: false,
      model: "model-1",
      failed: false,
      stop_reason: "end_turn",
      usage: USAGE,
    },
    expected: {
      ...IDS,
      completed: true,
      failed: false,
      interrupted: false,
      turn_exit_reason: "end_turn",
      model: "model-1",
      platform: "cli",
    },
  },
  on_session_finalize: {
    given: { session_id: "session-1", reason: "closed" },
    expected: { session_id: "session-1", platform: "cli", reason: "closed" },
  },
};
