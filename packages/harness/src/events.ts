import type { JsonObject, Usage } from "@hookscope/hooks";

import type { AssistantContent } from "./messages.ts";
import type { PermissionMode } from "./permissions.ts";
import type { RunResult } from "./run-result.ts";

/*
 * The event catalogue. The names `turn_start` and `turn_end`, and the field `turnNumber`, are kept from the seed, which
 * calls a round a turn: here a turn is one user message worked to completion, and a round is one model call with its
 * tool calls. Events of a round carry `round` as well.
 */

/** What joins an event with log lines and spans. */
export interface EventStamp {
  /** Milliseconds since the epoch: when it happened. */
  readonly timestamp: number;
  readonly runId: string;
  readonly round?: number;
  readonly spanId?: string;
}

interface ToolEvent {
  readonly toolCallId: string;
  readonly toolName: string;
}

/** By event: what it carries beside the stamp. Payloads are snapshots, never live references. */
export interface AgentEvents {
  run_start: { readonly sessionId: string };
  run_end: { readonly result: RunResult };
  turn_start: { readonly turnNumber: number };
  turn_end: { readonly turnNumber: number; readonly hadToolCalls: boolean; readonly usage: Usage };
  message_start: object;
  text_delta: { readonly delta: string };
  thinking_start: object;
  thinking_delta: { readonly delta: string };
  thinking_end: { readonly text: string };
  /** The whole partial message, partial tool JSON included. Empty, with `attempt`, when an attempt starts anew. */
  message_update: { readonly content: readonly PartialContent[]; readonly attempt?: number };
  message_end: { readonly content: readonly AssistantContent[] };
  model_request_start: { readonly model: string };
  model_request_end: { readonly model: string; readonly usage: Usage; readonly stopReason: string };
  /** `input` is always what the model asked for, whatever a hook makes of it. */
  tool_queued: ToolEvent & { readonly input: JsonObject };
  tool_denied: ToolEvent & { readonly reason: string };
  /** A mod, a bus hook or a person stopped the call. Terminal for it. */
  tool_hook_blocked: ToolEvent & { readonly hookOutput: string };
  tool_running: ToolEvent & { readonly description: string | null };
  tool_update: ToolEvent & { readonly partial: string };
  tool_completed: ToolEvent & { readonly result: string };
  tool_errored: ToolEvent & { readonly error: string };
  tool_hooks: ToolEvent & {
    readonly phase: "pre" | "post";
    readonly lines: readonly string[];
    readonly outcome: string;
  };
  subagent_start: { readonly toolCallId: string; readonly subagentType: string };
  subagent_stop: { readonly toolCallId: string; readonly subagentType: string; readonly tokensUsed: number };
  subagent_progress: {
    readonly toolCallId: string;
    readonly subagentType: string;
    readonly toolName: string;
    readonly toolInput: JsonObject;
    readonly tokensUsed: number;
  };
  api_retry: { readonly attempt: number; readonly error: string; readonly delayMs: number };
  compaction_start: object;
  compaction_done: { readonly tokensSaved?: number };
  notice: { readonly level: "info" | "warning"; readonly message: string };
  skill_loaded: { readonly name: string };
  session_titled: { readonly title: string };
  permission_mode_changed: { readonly mode: PermissionMode };
  config_setting_changed: { readonly setting: string; readonly value: unknown; readonly previousValue?: unknown };
  continuation_recovery: {
    readonly kind: "pause" | "empty" | "length" | "intent";
    readonly attempt: number;
    readonly maxAttempts: number;
  };
  tool_input_coerced: ToolEvent & { readonly rawType: string; readonly recovered: boolean };
  tool_input_repaired: ToolEvent & {
    readonly rulesFired: readonly string[];
    readonly hintCount: number;
    readonly receivedKeys: readonly string[];
    readonly repaired: boolean;
  };
  mod_error: { readonly modId: string; readonly hook: string; readonly error: string; readonly toolCallId?: string };
  interrupted: object;
  run_error: { readonly error: Error };
}

/** A piece of a message that is still being written; a tool call's input is the text so far. */
export type PartialContent =
  | AssistantContent
  | { readonly type: "partial_tool_use"; readonly id: string; readonly name: string; readonly inputText: string };

export type AgentEventType = keyof AgentEvents;
export type AgentEventOf<Type extends AgentEventType> = { readonly type: Type } & AgentEvents[Type] & EventStamp;
export type AgentEvent = { [Type in AgentEventType]: AgentEventOf<Type> }[AgentEventType];

/** An event before the loop stamps it; `runId` and `timestamp` are the loop's to give. */
export type UnstampedEvent = { [Type in AgentEventType]: { readonly type: Type } & AgentEvents[Type] }[AgentEventType];
