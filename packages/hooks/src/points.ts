import type { JsonObject } from "./json.ts";
import type * as Payload from "./payloads.ts";

/*
 * The 22 hook points, described once. The names are wire names and keep their snake_case. Types, dispatch, label values,
 * documentation and tests are derived from this file.
 */

export type HookKind = "directive" | "transform" | "observer";
export type AcceptedResult = "block" | "ask_user" | "modify";
/** What a failing hook does to the action: closed blocks it, open lets it go on. */
export type FailurePolicy = "open" | "closed";

interface Directive<Accepts extends AcceptedResult, Modify, PayloadType, Turn extends boolean = true> {
  readonly kind: "directive";
  readonly accepts: Accepts;
  readonly modify: Modify;
  readonly hasTurn: Turn;
  readonly payload: PayloadType;
}

interface Transform<Modify, PayloadType> {
  readonly kind: "transform";
  readonly accepts: "modify";
  readonly modify: Modify;
  readonly hasTurn: true;
  readonly payload: PayloadType;
}

interface Observer<PayloadType> {
  readonly kind: "observer";
  readonly accepts: never;
  readonly modify: never;
  readonly hasTurn: true;
  readonly payload: PayloadType;
}

export interface HookPoints {
  pre_gateway_dispatch: Directive<"block" | "modify", { readonly text: string }, Payload.GatewayDispatchPayload, false>;
  post_gateway_admission: Directive<"block", never, Payload.GatewayAdmissionPayload, false>;
  on_session_start: Observer<Payload.SessionStartPayload>;
  pre_llm_call: Directive<"modify", { readonly context: string }, Payload.LlmCallPayload>;
  pre_api_request: Observer<Payload.ApiRequestPayload>;
  post_api_request: Observer<Payload.ApiResponsePayload>;
  api_request_error: Observer<Payload.ApiErrorPayload>;
  transform_api_error_classification: Transform<Payload.ApiErrorClassification, Payload.ApiErrorPayload>;
  on_stream_delta: Observer<Payload.StreamDeltaPayload>;
  pre_tool_call: Directive<"block" | "ask_user" | "modify", { readonly args: JsonObject }, Payload.PreToolCallPayload>;
  post_tool_call: Observer<Payload.PostToolCallPayload>;
  transform_tool_result: Transform<string, Payload.ToolResultPayload>;
  pre_approval_request: Observer<Payload.ApprovalRequestPayload>;
  post_approval_response: Observer<Payload.ApprovalResponsePayload>;
  subagent_start: Observer<Payload.SubagentStartPayload>;
  subagent_stop: Observer<Payload.SubagentStopPayload>;
  transform_llm_output: Transform<string, Payload.LlmOutputPayload>;
  post_llm_call: Observer<Payload.PostLlmCallPayload>;
  post_compaction: Observer<Payload.CompactionPayload>;
  agent_loop_stopped: Observer<Payload.LoopStoppedPayload>;
  on_session_end: Observer<Payload.SessionEndPayload>;
  on_session_finalize: Observer<Payload.SessionFinalizePayload>;
}

export type HookPoint = keyof HookPoints;
export type PayloadOf<Point extends HookPoint> = HookPoints[Point]["payload"];

/** What the value of a Modify must look like at a point. */
export type ModifyShape =
  | { readonly form: "text"; readonly mayBeEmpty: boolean }
  | {
      readonly form: "fields";
      /** `merge`: objects are merged key by key. `join`: texts are joined by a blank line. `replace`: the later one wins. */
      readonly fields: { readonly [Field in string]: ModifyField };
    };

export interface ModifyField {
  readonly type: "string" | "boolean" | "number" | "object";
  readonly fold: "replace" | "join" | "merge";
}

export interface HookPointRow<Row extends HookPoints[HookPoint] = HookPoints[HookPoint]> {
  readonly kind: Row["kind"];
  readonly accepts: readonly Row["accepts"][];
  readonly failurePolicy: FailurePolicy;
  /** When it fires, as one phrase. */
  readonly fires: string;
  /** Whether its events carry `turn`: all but the two gateway points, which fire before a turn exists. */
  readonly hasTurn: Row["hasTurn"];
  /** Closes something: the signal of an interrupted turn does not reach its hooks, which run in their own bounded time. */
  readonly closes?: true;
  /** Absent where a modify is not accepted. */
  readonly modify?: ModifyShape;
  /** Each payload field and its type, the seed's fields first. */
  readonly payload: { readonly [Field in keyof Row["payload"]]-?: string };
}

const USAGE = "{ input_tokens, output_tokens, cache_read_tokens, cache_write_tokens, reasoning_tokens }";
const PURPOSE = "'turn' | 'compaction' | 'title' | 'description' | 'subagent'";
const RISK = "'low' | 'medium' | 'high' | 'unknown'";

const API_ERROR: HookPointRow<HookPoints["api_request_error"]>["payload"] = {
  model: "string",
  status_code: "number | null",
  retryable: "boolean",
  error: "string",
  provider: "string",
  error_type: "string",
  iteration: "number",
  attempt: "number",
  max_attempts: "number",
  duration_ms: "number",
  purpose: PURPOSE,
  usage: `${USAGE} | undefined`,
};

export const HOOK_POINTS: { readonly [Point in HookPoint]: HookPointRow<HookPoints[Point]> } = {
  pre_gateway_dispatch: {
    kind: "directive",
    accepts: ["block", "modify"],
    failurePolicy: "open",
    fires: "each inbound message, at ingress",
    hasTurn: false,
    modify: { form: "fields", fields: { text: { type: "string", fold: "replace" } } },
    payload: { profile: "string", source: "string", session_id: "string | null", text: "string" },
  },
  post_gateway_admission: {
    kind: "directive",
    accepts: ["block"],
    failurePolicy: "open",
    fires: "after the session of a message is resolved; a block means the hook handled it and no turn runs",
    hasTurn: false,
    payload: { session_id: "string", platform: "string", profile: "string", text: "string" },
  },
  on_session_start: {
    kind: "observer",
    accepts: [],
    failurePolicy: "open",
    fires: "first turn of a new session",
    hasTurn: true,
    payload: { model: "string", session_id: "string", platform: "string" },
  },
  pre_llm_call: {
    kind: "directive",
    accepts: ["modify"],
    failurePolicy: "open",
    fires: "once per turn, before the loop",
    hasTurn: true,
    modify: { form: "fields", fields: { context: { type: "string", fold: "join" } } },
    payload: { user_message: "string", is_first_turn: "boolean", model: "string" },
  },
  pre_api_request: {
    kind: "observer",
    accepts: [],
    failurePolicy: "open",
    fires: "each attempt of a model call, before it",
    hasTurn: true,
    payload: {
      provider: "string",
      model: "string",
      iteration: "number",
      message_count: "number",
      attempt: "number",
      tool_count: "number",
      purpose: PURPOSE,
    },
  },
  post_api_request: {
    kind: "observer",
    accepts: [],
    failurePolicy: "open",
    fires: "each successful model call",
    hasTurn: true,
    payload: {
      provider: "string",
      model: "string",
      usage: USAGE,
      stop: "string",
      iteration: "number",
      attempt: "number",
      response_model: "string",
      duration_ms: "number",
      purpose: PURPOSE,
    },
  },
  api_request_error: {
    kind: "observer",
    accepts: [],
    failurePolicy: "open",
    fires: "each failed attempt of a model call",
    hasTurn: true,
    payload: API_ERROR,
  },
  transform_api_error_classification: {
    kind: "transform",
    accepts: ["modify"],
    failurePolicy: "open",
    fires: "each failed attempt of a model call, after api_request_error",
    hasTurn: true,
    modify: {
      form: "fields",
      fields: {
        retryable: { type: "boolean", fold: "replace" },
        reason: { type: "string", fold: "replace" },
        retry_after_ms: { type: "number", fold: "replace" },
      },
    },
    payload: API_ERROR,
  },
  on_stream_delta: {
    kind: "observer",
    accepts: [],
    failurePolicy: "open",
    fires: "each streamed piece of text or thinking, off the token path",
    hasTurn: true,
    payload: { kind: "'text' | 'thinking'", delta: "string", iteration: "number" },
  },
  pre_tool_call: {
    kind: "directive",
    accepts: ["block", "ask_user", "modify"],
    failurePolicy: "closed",
    fires: "each tool call that would run, before it",
    hasTurn: true,
    modify: { form: "fields", fields: { args: { type: "object", fold: "merge" } } },
    payload: { tool_name: "string", args: "object", risk: RISK, call_id: "string" },
  },
  post_tool_call: {
    kind: "observer",
    accepts: [],
    failurePolicy: "open",
    fires: "each tool result, including blocked and failed calls",
    hasTurn: true,
    closes: true,
    payload: {
      tool_name: "string",
      args: "object",
      result: "string",
      is_error: "boolean",
      call_id: "string",
      status: "'ok' | 'error' | 'blocked' | 'denied' | 'cancelled'",
      cause: "'policy' | 'failure' | 'person' | 'permission' | 'mod' | 'interrupt' | undefined",
      hook: "string | undefined",
      duration_ms: "number",
      hook_wait_ms: "number | undefined",
      error_type: "string | undefined",
      error_message: "string | undefined",
    },
  },
  transform_tool_result: {
    kind: "transform",
    accepts: ["modify"],
    failurePolicy: "open",
    fires: "each tool result, after post_tool_call",
    hasTurn: true,
    modify: { form: "text", mayBeEmpty: true },
    payload: {
      tool_name: "string",
      result: "string",
      args: "object",
      is_error: "boolean",
      call_id: "string",
      duration_ms: "number",
    },
  },
  pre_approval_request: {
    kind: "observer",
    accepts: [],
    failurePolicy: "open",
    fires: "before a person is asked",
    hasTurn: true,
    payload: {
      approval_id: "string",
      tool_name: "string",
      args: "object",
      risk: RISK,
      question: "string",
      hook: "string",
      call_id: "string",
    },
  },
  post_approval_response: {
    kind: "observer",
    accepts: [],
    failurePolicy: "open",
    fires: "after the answer, or when none came",
    hasTurn: true,
    payload: {
      approval_id: "string",
      tool_name: "string",
      choice: "'once' | 'session' | 'always' | 'deny' | 'timeout' | 'cancelled' | 'unavailable'",
      wait_ms: "number",
    },
  },
  subagent_start: {
    kind: "observer",
    accepts: [],
    failurePolicy: "open",
    fires: "each child agent starts",
    hasTurn: true,
    payload: {
      child_role: "string",
      child_goal: "string",
      child_session_id: "string",
      child_turn_id: "string",
      parent_session_id: "string",
      parent_turn_id: "string",
      call_id: "string",
    },
  },
  subagent_stop: {
    kind: "observer",
    accepts: [],
    failurePolicy: "open",
    fires: "each child agent ends",
    hasTurn: true,
    payload: {
      child_status: "'completed' | 'failed' | 'interrupted'",
      child_summary: "string",
      child_role: "string",
      child_session_id: "string",
      child_turn_id: "string",
      parent_session_id: "string",
      parent_turn_id: "string",
      call_id: "string",
      duration_ms: "number",
      usage: USAGE,
      blocked_tool_calls: "number",
    },
  },
  transform_llm_output: {
    kind: "transform",
    accepts: ["modify"],
    failurePolicy: "open",
    fires: "before a non-empty reply is returned",
    hasTurn: true,
    modify: { form: "text", mayBeEmpty: false },
    payload: { response_text: "string", model: "string" },
  },
  post_llm_call: {
    kind: "observer",
    accepts: [],
    failurePolicy: "open",
    fires: "once per completed turn",
    hasTurn: true,
    payload: { assistant_response: "string", model: "string", usage: USAGE },
  },
  post_compaction: {
    kind: "observer",
    accepts: [],
    failurePolicy: "open",
    fires: "after the conversation was compacted",
    hasTurn: true,
    payload: {
      tokens_before: "number",
      tokens_after: "number",
      messages_before: "number",
      messages_after: "number",
      trigger: "string",
    },
  },
  agent_loop_stopped: {
    kind: "observer",
    accepts: [],
    failurePolicy: "open",
    fires: "after an interrupt",
    hasTurn: true,
    closes: true,
    payload: { reason: "string" },
  },
  on_session_end: {
    kind: "observer",
    accepts: [],
    failurePolicy: "open",
    fires: "end of every turn",
    hasTurn: true,
    closes: true,
    payload: {
      completed: "boolean",
      interrupted: "boolean",
      model: "string",
      failed: "boolean",
      stop_reason: "string",
      usage: USAGE,
    },
  },
  on_session_finalize: {
    kind: "observer",
    accepts: [],
    failurePolicy: "open",
    fires: "session teardown, once per open session that had a turn",
    hasTurn: true,
    closes: true,
    payload: { session_id: "string", reason: "string" },
  },
};

/** The names, in the order a turn meets them. */
export const HOOK_POINT_NAMES: readonly HookPoint[] = Object.keys(HOOK_POINTS) as HookPoint[];

export function isHookPoint(name: unknown): name is HookPoint {
  return typeof name === "string" && Object.hasOwn(HOOK_POINTS, name);
}
