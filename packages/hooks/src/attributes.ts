/*
 * Every span Hookscope makes and every attribute it sets, described once: documentation, the redactor's exemptions and
 * the end-to-end checks are derived from it. `gen_ai.*` names follow the GenAI semantic conventions (status Development);
 * hooks have no convention yet, so theirs are `agent_hook.*`, and no `gen_ai.*` name is minted here.
 */

export type SpanType =
  | "message"
  | "turn"
  | "hook"
  | "model_call"
  | "tool_call"
  | "approval"
  | "compaction"
  | "session_end";

export interface SpanRow {
  /** The span's name; `{…}` stands for a low-cardinality value. */
  readonly name: string;
  readonly kind: "INTERNAL" | "CLIENT" | "CONSUMER";
  readonly description: string;
}

export const SPANS: { readonly [Type in SpanType]: SpanRow } = {
  message: {
    name: "message {platform}",
    kind: "CONSUMER",
    description: "An inbound message, from ingress to the end of its turn.",
  },
  turn: {
    name: "invoke_agent {agent}",
    kind: "INTERNAL",
    description: "One turn: a user message worked to completion.",
  },
  hook: { name: "{point} {hook}", kind: "INTERNAL", description: "One invocation of one hook." },
  model_call: { name: "chat {model}", kind: "CLIENT", description: "One attempt of one model call." },
  tool_call: {
    name: "execute_tool {tool}",
    kind: "INTERNAL",
    description: "One tool call, from its permission check on.",
  },
  approval: { name: "approval {tool}", kind: "INTERNAL", description: "The time spent waiting for a person's answer." },
  compaction: { name: "compact_context", kind: "INTERNAL", description: "The conversation made shorter." },
  session_end: {
    name: "session {agent}",
    kind: "INTERNAL",
    description: "A session's teardown; linked to its last turn.",
  },
};

type AttributeType = "string" | "number" | "boolean" | "string[]";

export interface AttributeRow<Type extends AttributeType = AttributeType> {
  readonly type: Type;
  /** Where it is set; `all` is every span of ours. */
  readonly on: readonly (SpanType | "all")[];
  readonly description: string;
  /** UCUM: `s`, `ms`, `{token}`, … */
  readonly unit?: string;
  /** Set only when recording of content was asked for. */
  readonly content?: true;
}

interface AttributeTypes {
  "session.id": "string";
  "gen_ai.conversation.id": "string";
  "hookscope.ended_by": "string";
  "agent_hook.point": "string";
  "agent_hook.name": "string";
  "agent_hook.kind": "string";
  "agent_hook.index": "number";
  "agent_hook.pass": "number";
  "agent_hook.execution": "string";
  "agent_hook.decision": "string";
  "agent_hook.applied": "boolean";
  "agent_hook.not_applied_reason": "string";
  "agent_hook.changed_keys": "string[]";
  "agent_hook.failure_policy": "string";
  "agent_hook.reason": "string";
  "agent_hook.source": "string";
  "agent_hook.timeout": "number";
  "agent_hook.stream.count": "number";
  "agent_hook.stream.total_time": "number";
  "agent_hook.stream.longest": "number";
  "agent_hook.stream.failures": "number";
  "agent_hook.stream.dropped": "number";
  "agent_turn.id": "string";
  "agent_turn.hook_time": "number";
  "agent_turn.hook_wall_time": "number";
  "agent_turn.hook_invocations": "number";
  "agent_turn.hook_failures": "number";
  "agent_turn.blocked_tool_calls": "number";
  "agent_turn.tool_calls": "number";
  "agent_turn.rounds": "number";
  "agent_turn.outcome": "string";
  "agent_turn.cost_usd": "number";
  "agent_turn.has_block": "boolean";
  "agent_turn.has_failure": "boolean";
  "agent_turn.has_timeout": "boolean";
  "agent_turn.spans_suppressed": "number";
  "agent_turn.profile": "string";
  "agent_turn.platform": "string";
  "agent_turn.tags": "string[]";
  "agent_turn.parent_id": "string";
  "agent_turn.kept_because": "string";
  "agent_turn.spans_lost": "number";
  "agent_tool.outcome": "string";
  "agent_tool.cause": "string";
  "agent_tool.blocked_by": "string";
  "agent_tool.block_reason": "string";
  "agent_tool.hook_wait": "number";
  "agent_tool.approval_wait": "number";
  "agent_tool.execution_time": "number";
  "agent_tool.risk": "string";
  "agent_approval.id": "string";
  "agent_approval.choice": "string";
  "agent_approval.hook": "string";
  "agent_approval.question": "string";
  "agent_model.attempt": "number";
  "agent_model.iteration": "number";
  "agent_model.purpose": "string";
  "agent_compaction.tokens_before": "number";
  "agent_compaction.tokens_after": "number";
  "agent_compaction.trigger": "string";
  "agent_message.outcome": "string";
  "gen_ai.operation.name": "string";
  "gen_ai.provider.name": "string";
  "gen_ai.agent.name": "string";
  "gen_ai.request.model": "string";
  "gen_ai.response.model": "string";
  "gen_ai.response.id": "string";
  "gen_ai.response.finish_reasons": "string[]";
  "gen_ai.response.time_to_first_chunk": "number";
  "gen_ai.request.stream": "boolean";
  "gen_ai.usage.input_tokens": "number";
  "gen_ai.usage.output_tokens": "number";
  "gen_ai.usage.cache_read.input_tokens": "number";
  "gen_ai.usage.cache_creation.input_tokens": "number";
  "gen_ai.usage.reasoning.output_tokens": "number";
  "gen_ai.tool.name": "string";
  "gen_ai.tool.call.id": "string";
  "gen_ai.tool.type": "string";
  "gen_ai.tool.description": "string";
  "gen_ai.tool.call.arguments": "string";
  "gen_ai.tool.call.result": "string";
  "gen_ai.input.messages": "string";
  "gen_ai.output.messages": "string";
  "gen_ai.system_instructions": "string";
  "error.type": "string";
  "openinference.span.kind": "string";
  "langfuse.observation.type": "string";
}

export type AttributeKey = keyof AttributeTypes;

/** The keys whose values are of one type. */
export type AttributeKeyOf<Type extends AttributeType> = {
  [Key in AttributeKey]: AttributeTypes[Key] extends Type ? Key : never;
}[AttributeKey];

interface AttributeValues {
  string: string;
  number: number;
  boolean: boolean;
  "string[]": string[];
}

/** Attributes for a span of ours: a key that is not in the table, or a value of the wrong type, does not compile. */
export type SpanAttributes = { [Key in AttributeKey]?: AttributeValues[AttributeTypes[Key]] };

const text = (on: AttributeRow["on"], description: string): AttributeRow<"string"> => ({
  type: "string",
  on,
  description,
});
const texts = (on: AttributeRow["on"], description: string): AttributeRow<"string[]"> => ({
  type: "string[]",
  on,
  description,
});
const flag = (on: AttributeRow["on"], description: string): AttributeRow<"boolean"> => ({
  type: "boolean",
  on,
  description,
});
const number = (on: AttributeRow["on"], unit: string, description: string): AttributeRow<"number"> => ({
  type: "number",
  on,
  unit,
  description,
});
const content = (on: AttributeRow["on"], description: string): AttributeRow<"string"> => ({
  type: "string",
  on,
  description,
  content: true,
});

export const ATTRIBUTES: { readonly [Key in AttributeKey]: AttributeRow<AttributeTypes[Key]> } = {
  "session.id": text(["all"], "The session."),
  "gen_ai.conversation.id": text(["all"], "The session again, under the name the GenAI convention gives it."),
  "hookscope.ended_by": text(
    ["all"],
    "What ended it from outside, where it could not end by itself: signal, uncaught or exit.",
  ),

  "agent_hook.point": text(["hook"], "Hook point, or mod hook."),
  "agent_hook.name": text(["hook"], "The hook's name."),
  "agent_hook.kind": text(["hook"], "directive, transform, observer or mod."),
  "agent_hook.index": number(["hook"], "1", "Place in the order of the point's hooks, from 0."),
  "agent_hook.pass": number(["hook"], "1", "2 where a hook ran again on changed arguments, else 1."),
  "agent_hook.execution": text(
    ["hook"],
    "How the call went: ok, error, timeout, aborted, suspended or invalid_result.",
  ),
  "agent_hook.decision": text(
    ["hook"],
    "What it asked for: continue, modify, block or ask_user; none where it did not get to say.",
  ),
  "agent_hook.applied": flag(
    ["hook"],
    "Whether the decision, or the failure of a hook that fails closed, shaped the outcome.",
  ),
  "agent_hook.not_applied_reason": text(["hook"], "superseded, not_accepted or failed_open."),
  "agent_hook.changed_keys": texts(["hook"], "The argument or payload keys a modify asked to change."),
  "agent_hook.failure_policy": text(["hook"], "open or closed."),
  "agent_hook.reason": text(["hook"], "Why it blocked, asked or failed; redacted, cut at 256 characters."),
  "agent_hook.source": text(["hook"], "The plugin or mod that registered it."),
  "agent_hook.timeout": number(["hook"], "s", "Its time limit."),
  "agent_hook.stream.count": number(["hook"], "1", "Deltas the hook was given."),
  "agent_hook.stream.total_time": number(["hook"], "s", "Time spent in all of them."),
  "agent_hook.stream.longest": number(["hook"], "s", "The longest one."),
  "agent_hook.stream.failures": number(["hook"], "1", "Calls that failed."),
  "agent_hook.stream.dropped": number(["hook"], "1", "Deltas dropped because the hook was too slow."),

  "agent_turn.id": text(["all"], "The turn."),
  "agent_turn.hook_time": number(["turn"], "s", "Time in hooks, summed; subagents included."),
  "agent_turn.hook_wall_time": number(["turn"], "s", "Time in which at least one hook ran; subagents included."),
  "agent_turn.hook_invocations": number(["turn"], "1", "Invocations; subagents included."),
  "agent_turn.hook_failures": number(["turn"], "1", "Invocations that failed or timed out; subagents included."),
  "agent_turn.blocked_tool_calls": number(
    ["turn"],
    "1",
    "Tool calls stopped by a hook, a mod or a person; subagents included.",
  ),
  "agent_turn.tool_calls": number(["turn"], "1", "Tool calls; subagents included."),
  "agent_turn.rounds": number(["turn"], "1", "Rounds; subagents included."),
  "agent_turn.outcome": text(["turn"], "The stop reason."),
  "agent_turn.cost_usd": number(["turn"], "USD", "Cost, where a hook adds it; subagents included."),
  "agent_turn.has_block": flag(["turn"], "A tool call was blocked."),
  "agent_turn.has_failure": flag(["turn"], "A hook failed."),
  "agent_turn.has_timeout": flag(["turn"], "A hook timed out."),
  "agent_turn.spans_suppressed": number(["turn"], "1", "Plain observer invocations without a span of their own."),
  "agent_turn.profile": text(["turn"], "The profile."),
  "agent_turn.platform": text(["turn"], "Where the message came from."),
  "agent_turn.tags": texts(["turn"], "The turn's tags, each as key=value."),
  "agent_turn.parent_id": text(["turn"], "The turn that started this subagent's."),
  "agent_turn.kept_because": text(
    ["turn"],
    "Where turns are sampled: block, timeout, failure, slow, cost, share or unfinished.",
  ),
  "agent_turn.spans_lost": number(["turn"], "1", "Spans missing in it because the turn sampler's buffer was full."),

  "agent_tool.outcome": text(["tool_call"], "completed, failed, blocked, denied or cancelled."),
  "agent_tool.cause": text(["tool_call"], "Why it did not run: policy, failure, person, permission, mod or interrupt."),
  "agent_tool.blocked_by": text(["tool_call"], "The hook or mod that stopped it."),
  "agent_tool.block_reason": text(["tool_call"], "The reason given; redacted, cut at 256 characters."),
  "agent_tool.hook_wait": number(["tool_call"], "s", "Time the call waited for hooks."),
  "agent_tool.approval_wait": number(["tool_call"], "s", "Time the call waited for a person."),
  "agent_tool.execution_time": number(["tool_call"], "s", "Time the tool itself took."),
  "agent_tool.risk": text(["tool_call"], "low, medium, high or unknown."),

  "agent_approval.id": text(["approval"], "The question."),
  "agent_approval.choice": text(["approval"], "once, session, always, deny, timeout, cancelled or unavailable."),
  "agent_approval.hook": text(["approval"], "The hook that asked."),
  "agent_approval.question": text(["approval"], "What was asked; redacted, cut at 256 characters."),

  "agent_model.attempt": number(["model_call"], "1", "The try of the round's model call, from 1."),
  "agent_model.iteration": number(["model_call"], "1", "The round, from 1."),
  "agent_model.purpose": text(["model_call"], "turn, compaction, title, description or subagent."),

  "agent_compaction.tokens_before": number(["compaction"], "{token}", "Estimated tokens before."),
  "agent_compaction.tokens_after": number(["compaction"], "{token}", "Estimated tokens after."),
  "agent_compaction.trigger": text(["compaction"], "What started it."),

  "agent_message.outcome": text(["message"], "turn, blocked, handled, interrupted or failed."),

  "gen_ai.operation.name": text(["turn", "model_call", "tool_call"], "invoke_agent, chat or execute_tool."),
  "gen_ai.provider.name": text(["turn", "model_call"], "The model's provider."),
  "gen_ai.agent.name": text(["turn"], "The agent."),
  "gen_ai.request.model": text(["turn", "model_call"], "The model asked for."),
  "gen_ai.response.model": text(["model_call"], "The model that answered."),
  "gen_ai.response.id": text(["model_call"], "The answer's identifier."),
  "gen_ai.response.finish_reasons": texts(["turn", "model_call"], "Why the model stopped."),
  "gen_ai.response.time_to_first_chunk": number(["model_call"], "s", "Time to the first streamed piece."),
  "gen_ai.request.stream": flag(["model_call"], "Whether the answer was streamed."),
  "gen_ai.usage.input_tokens": number(["turn", "model_call"], "{token}", "All input tokens, cached ones included."),
  "gen_ai.usage.output_tokens": number(["turn", "model_call"], "{token}", "Output tokens."),
  "gen_ai.usage.cache_read.input_tokens": number(["turn", "model_call"], "{token}", "Input tokens read from a cache."),
  "gen_ai.usage.cache_creation.input_tokens": number(
    ["turn", "model_call"],
    "{token}",
    "Input tokens written to a cache.",
  ),
  "gen_ai.usage.reasoning.output_tokens": number(["model_call"], "{token}", "Output tokens spent on reasoning."),
  "gen_ai.tool.name": text(["tool_call"], "The tool."),
  "gen_ai.tool.call.id": text(["tool_call"], "The call."),
  "gen_ai.tool.type": text(["tool_call"], "function or extension."),
  "gen_ai.tool.description": text(["tool_call"], "What the tool does."),
  "gen_ai.tool.call.arguments": content(["tool_call"], "The arguments it ran with, as JSON; redacted."),
  "gen_ai.tool.call.result": content(["tool_call"], "What it gave back; redacted."),
  "gen_ai.input.messages": content(["turn", "model_call"], "What the model was sent, as JSON; redacted."),
  "gen_ai.output.messages": content(["turn", "model_call"], "What the model answered, as JSON; redacted."),
  "gen_ai.system_instructions": content(["model_call"], "The system prompt; redacted."),
  "error.type": text(["turn", "hook", "model_call", "tool_call"], "Type of the error."),

  "openinference.span.kind": text(
    ["all"],
    "What it is to Phoenix and Arize, by option: AGENT, LLM, TOOL, GUARDRAIL or CHAIN.",
  ),
  "langfuse.observation.type": text(
    ["all"],
    "What it is to Langfuse, by option: agent, generation, tool, guardrail, chain or span.",
  ),
};
