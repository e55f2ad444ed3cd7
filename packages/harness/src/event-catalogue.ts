import type { AgentEvents, AgentEventType } from "./events.ts";

export interface EventRow<Type extends AgentEventType> {
  /** When it fires, as one phrase. */
  readonly fires: string;
  /** Who causes it: the loop itself, a built-in or user mod, or a host through `ctx.emit`. */
  readonly by: "loop" | "mod" | "host";
  /** Its fields beside the stamp. */
  readonly payload: { readonly [Field in keyof Required<AgentEvents[Type]>]: string };
}

const TOOL = { toolCallId: "the call's id", toolName: "the tool" } as const;

/** Every event of the loop, described once: a field without its words does not compile, and the documentation is made from it. */
export const AGENT_EVENTS: { readonly [Type in AgentEventType]: EventRow<Type> } = {
  run_start: { fires: "where a turn begins", by: "loop", payload: { sessionId: "the session" } },
  run_end: {
    fires: "where a turn has ended, after onRunEnd",
    by: "loop",
    payload: { result: "finalText, stopReason, turnCount, usage, state, turnId, sessionId, traceId?, error?" },
  },
  turn_start: {
    fires: "where a round begins, after onTurnStart",
    by: "loop",
    payload: { turnNumber: "the round, from 1" },
  },
  turn_end: {
    fires: "where a round ends, after onTurnEnd and before the commit",
    by: "loop",
    payload: {
      turnNumber: "the round, from 1",
      hadToolCalls: "whether the model called tools",
      usage: "of this round's answer",
    },
  },
  message_start: { fires: "before each model call of a round", by: "loop", payload: {} },
  text_delta: { fires: "while the model writes", by: "loop", payload: { delta: "the text since the last" } },
  thinking_start: { fires: "where the model begins to think", by: "loop", payload: {} },
  thinking_delta: { fires: "while it thinks", by: "loop", payload: { delta: "the text since the last" } },
  thinking_end: { fires: "where it has thought", by: "loop", payload: { text: "the whole of it" } },
  message_update: {
    fires: "while the model writes, and empty where an attempt starts anew",
    by: "loop",
    payload: {
      content: "the whole partial message, partial tool JSON included",
      attempt: "the attempt that starts anew",
    },
  },
  message_end: { fires: "where the answer is complete", by: "loop", payload: { content: "the whole message" } },
  model_request_start: { fires: "before the model is asked", by: "loop", payload: { model: "the model asked for" } },
  model_request_end: {
    fires: "where it has answered",
    by: "loop",
    payload: { model: "the model asked for", usage: "of the answer", stopReason: "the provider's own word" },
  },
  tool_queued: {
    fires: "for each call, before its permission check",
    by: "loop",
    payload: { ...TOOL, input: "what the model asked for, whatever is made of it" },
  },
  tool_denied: {
    fires: "where a permission check denied a call",
    by: "loop",
    payload: { ...TOOL, reason: "what the model is told" },
  },
  tool_hook_blocked: {
    fires: "where a mod, a hook or a person stopped a call: terminal for it",
    by: "loop",
    payload: { ...TOOL, hookOutput: "what the model is told" },
  },
  tool_running: {
    fires: "where a tool begins, after beforeToolCall",
    by: "loop",
    payload: { ...TOOL, description: "a sentence for a person, or null" },
  },
  tool_update: { fires: "while it runs, as it says", by: "loop", payload: { ...TOOL, partial: "what it says" } },
  tool_completed: {
    fires: "where it succeeded, after afterToolCall",
    by: "loop",
    payload: { ...TOOL, result: "the content the model sees" },
  },
  tool_errored: {
    fires: "where it failed, or could not be called",
    by: "loop",
    payload: { ...TOOL, error: "the content the model sees" },
  },
  tool_hooks: {
    fires: "for each configured command around a call, before the phase's terminal event",
    by: "mod",
    payload: {
      ...TOOL,
      phase: "pre or post",
      lines: "what the command said",
      outcome: "passed, context, changed, blocked, stopped or failed",
    },
  },
  subagent_start: {
    fires: "where a subagent begins",
    by: "loop",
    payload: { toolCallId: "the call of the agent tool", subagentType: "its kind" },
  },
  subagent_stop: {
    fires: "where it has ended",
    by: "loop",
    payload: {
      toolCallId: "the call of the agent tool",
      subagentType: "its kind",
      tokensUsed: "input and output tokens of all its model calls",
    },
  },
  subagent_progress: {
    fires: "for each tool call of a running subagent",
    by: "loop",
    payload: {
      toolCallId: "the call of the agent tool",
      subagentType: "its kind",
      toolName: "the tool it calls",
      toolInput: "with what",
      tokensUsed: "so far",
    },
  },
  api_retry: {
    fires:
      "before a model call is tried again: from the fourth failure on, before a wait longer than `retry.maxDelayMs`, and from the first failure on by `retry.silentFirst: false`",
    by: "loop",
    payload: { attempt: "the attempt that failed", error: "why", delayMs: "how long the loop waits" },
  },
  compaction_start: { fires: "before a summary is written", by: "mod", payload: {} },
  compaction_done: {
    fires: "once it is, or could not be",
    by: "mod",
    payload: { tokensSaved: "about how many; only where some were" },
  },
  notice: {
    fires: "where a person should know something",
    by: "loop",
    payload: { level: "info or warning", message: "what" },
  },
  skill_loaded: { fires: "where a person activated a skill by its name", by: "host", payload: { name: "the skill" } },
  session_titled: { fires: "where a session got its title", by: "mod", payload: { title: "the title" } },
  permission_mode_changed: {
    fires: "where the permission mode changed; it holds from the next round",
    by: "loop",
    payload: { mode: "default, accept-edits, plan, yolo or dont-ask" },
  },
  config_setting_changed: {
    fires: "where a setting changed",
    by: "host",
    payload: { setting: "its name", value: "what it is now", previousValue: "what it was" },
  },
  continuation_recovery: {
    fires: "where an answer that was no end is followed up",
    by: "loop",
    payload: {
      kind: "pause, empty, length or intent",
      attempt: "in a row, from 1",
      maxAttempts: "how many there may be",
    },
  },
  tool_input_coerced: {
    fires: "where a tool's input was JSON and no object",
    by: "loop",
    payload: { ...TOOL, rawType: "what it was", recovered: "whether an object was in it" },
  },
  tool_input_repaired: {
    fires: "where rules applied to an input that did not fit its schema, whether or not the call then runs",
    by: "loop",
    payload: {
      ...TOOL,
      rulesFired: "names of the rules",
      hintCount: "what is still wrong",
      receivedKeys: "the keys the model sent",
      repaired: "whether it fits now; else it stays as it was",
    },
  },
  mod_error: {
    fires: "where a mod's hook or listener failed, or its tool collided",
    by: "loop",
    payload: {
      modId: "the mod",
      hook: "the hook, `on:<event>`, `tools` or `session`",
      error: "what went wrong, redacted",
      toolCallId: "the call it was about",
    },
  },
  interrupted: { fires: "where an interrupt was seen, before the turn closes", by: "loop", payload: {} },
  run_error: { fires: "where a turn failed for good", by: "loop", payload: { error: "the raw Error" } },
};

export const AGENT_EVENT_TYPES: readonly AgentEventType[] = Object.keys(AGENT_EVENTS) as AgentEventType[];
