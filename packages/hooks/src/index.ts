export {
  ATTRIBUTES,
  SPANS,
  type AttributeKey,
  type AttributeKeyOf,
  type AttributeRow,
  type SpanAttributes,
  type SpanRow,
  type SpanType,
} from "./attributes.ts";
export { createHookBus } from "./bus.ts";
export { createSystemClock, type Clock, type Timer } from "./clock.ts";
export type { InvocationListener } from "./core.ts";
export { HOOK_ERRORS, HookError, type HookErrorCode } from "./errors.ts";
export {
  defineHook,
  type HandlerAt,
  type Hook,
  type HookContext,
  type HookDefinition,
  type HookEvent,
  type HookEventAt,
  type Reinvoke,
  type ResultAt,
} from "./hook.ts";
export type { DeltaStream, DispatchOptions, HookBus, HookBusOptions, HookListing, StreamOptions } from "./hook-bus.ts";
export {
  DECISIONS,
  EXECUTIONS,
  type Decision,
  type Execution,
  type HookInvocation,
  type NotAppliedReason,
  type StreamSummary,
} from "./invocation.ts";
export type { JsonObject, JsonPrimitive, JsonValue } from "./json.ts";
export type { Logger } from "./logger.ts";
export type {
  ApiErrorClassification,
  ApiErrorPayload,
  ApiRequestPayload,
  ApiResponsePayload,
  ApprovalChoice,
  ApprovalRequestPayload,
  ApprovalResponsePayload,
  CompactionPayload,
  GatewayAdmissionPayload,
  GatewayDispatchPayload,
  LlmCallPayload,
  LlmOutputPayload,
  LoopStoppedPayload,
  ModelCallPurpose,
  PostLlmCallPayload,
  PostToolCallPayload,
  PreToolCallPayload,
  Risk,
  SessionEndPayload,
  SessionFinalizePayload,
  SessionStartPayload,
  StreamDeltaPayload,
  SubagentStartPayload,
  SubagentStopPayload,
  ToolCallCause,
  ToolCallStatus,
  ToolResultPayload,
  TurnInfo,
  TurnTag,
  Usage,
} from "./payloads.ts";
export {
  HOOK_POINT_NAMES,
  HOOK_POINTS,
  isHookPoint,
  type AcceptedResult,
  type FailurePolicy,
  type HookKind,
  type HookPoint,
  type HookPointRow,
  type HookPoints,
  type ModifyField,
  type ModifyShape,
  type PayloadOf,
} from "./points.ts";
export { createRedactor, redactSafely, type Redactor, type RedactorOptions } from "./redact/index.ts";
export {
  askUser,
  block,
  modify,
  proceed,
  type AskUserResult,
  type BlockResult,
  type ContinueResult,
  type HookResult,
  type ModifyResult,
} from "./results.ts";
export { snapshot } from "./snapshot.ts";
export { turnInfo } from "./turn-info.ts";
export { TurnTotals, turnTotalsOf, withTurnTotals, type TurnFlagKey, type TurnTotalKey } from "./turn-totals.ts";
export type { Verdict } from "./verdict.ts";
