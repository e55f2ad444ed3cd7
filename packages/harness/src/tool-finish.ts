import type { PostToolCallPayload, SpanAttributes } from "@hookscope/hooks";

import { valueForSpan } from "./content.ts";
import { text, type ToolResultBlock } from "./messages.ts";
import { invokeMod } from "./mod-runner.ts";
import { shortReason } from "./short-reason.ts";
import type { AgentState } from "./state.ts";
import type { Executed, Refusal, Stop, ToolCall } from "./tool-call.ts";

/** A call that is over, and what it leaves to the round. */
export interface FinishedCall {
  readonly result: ToolResultBlock;
  readonly terminate: boolean;
  readonly modStates: readonly {
    readonly modId: string;
    readonly toolCallId: string;
    /** The call's. */
    readonly spanId: string | undefined;
    readonly value: Record<string, unknown>;
  }[];
}

/** A call that did not run: its hooks, its event, its span. The closing hooks run whatever happened. */
export async function finishStopped(call: ToolCall, stop: Stop | Refusal, terminate = false): Promise<FinishedCall> {
  const cause = stop.status === "error" ? undefined : stop.cause;
  await reportResult(call, {
    result: stop.content,
    is_error: true,
    status: stop.status,
    duration_ms: call.executionMs,
    ...(cause === undefined ? {} : { cause }),
    ...(stop.status === "error" || stop.by === undefined ? {} : { hook: stop.by }),
    ...(stop.status === "error" ? { error_type: stop.errorType, error_message: stop.content } : {}),
  });
  emitStopped(call, stop);
  countStopped(call, stop);
  endSpan(call, stop.status === "error" ? refusalAttributes() : stopAttributes(call, stop), refusalError(stop));
  return { result: resultBlock(call, [stop.content], true), terminate, modStates: [] };
}

/**
 * A call that ran: `afterToolCall` of each mod, then the bus, then the contexts are appended. The terminal event carries
 * what the model sees of the content. An interrupt does not cut this short: what ran is reported as what it did.
 */
export async function finishExecuted(
  call: ToolCall,
  executed: Executed,
  state: AgentState,
  before: { readonly additionalContext: readonly string[]; readonly terminate: boolean },
): Promise<FinishedCall> {
  const after = await runAfterToolCall(call, executed, state);
  const isError = after.isError ?? executed.status === "error";
  await reportResult(call, {
    result: after.content,
    is_error: isError,
    status: isError ? "error" : "ok",
    duration_ms: call.executionMs,
    ...(isError ? { error_type: executed.errorType ?? "tool_error", error_message: after.content } : {}),
  });
  const content = await transformResult(call, after.content, isError);
  const { scope, identity } = call;
  if (isError) scope.emit({ type: "tool_errored", ...identity, error: content }, call.span.spanId);
  else scope.emit({ type: "tool_completed", ...identity, result: content }, call.span.spanId);
  scope.totals.add("agent_turn.tool_calls", 1);
  const attributes: SpanAttributes = {
    "agent_tool.outcome": isError ? "failed" : "completed",
    ...(scope.setup.recordContent ? { "gen_ai.tool.call.result": valueForSpan(scope, content) } : {}),
  };
  const error = isError
    ? { type: executed.errorType ?? "tool_error", message: shortReason(scope, after.content) }
    : undefined;
  endSpan(call, attributes, error);
  return {
    result: resultBlock(call, [content, ...before.additionalContext, ...after.additionalContext], isError),
    terminate: before.terminate || after.terminate,
    modStates: after.modStates,
  };
}

interface AfterToolCalls {
  readonly content: string;
  readonly isError: boolean | undefined;
  readonly additionalContext: readonly string[];
  readonly terminate: boolean;
  readonly modStates: FinishedCall["modStates"];
}

async function runAfterToolCall(call: ToolCall, executed: Executed, state: AgentState): Promise<AfterToolCalls> {
  let content = executed.content;
  let isError: boolean | undefined;
  let terminate = false;
  const additionalContext: string[] = [];
  const modStates: FinishedCall["modStates"][number][] = [];
  for (const site of call.scope.setup.mods.with("afterToolCall")) {
    const ownIsError = isError ?? executed.status === "error";
    const params = { ...call.identity, input: call.input, result: content, isError: ownIsError, state };
    const answer = await call.waitForHooks(() =>
      invokeMod(call.scope, site, {
        hook: "afterToolCall",
        params,
        parent: call.context,
        toolCallId: call.block.id,
        closing: true,
      }),
    );
    if (answer.failed || answer.value === undefined || answer.value === null) continue;
    const result = answer.value;
    content = result.content ?? content;
    isError = result.isError ?? isError;
    terminate ||= result.terminate === true;
    if (result.additionalContext !== undefined) additionalContext.push(result.additionalContext);
    if (result.modState !== undefined) {
      const { spanId } = call.span;
      modStates.push({ modId: site.mod.id, toolCallId: call.block.id, spanId, value: result.modState });
    }
  }
  return { content, isError, additionalContext, terminate, modStates };
}

type Report = Omit<PostToolCallPayload, "tool_name" | "args" | "call_id">;

async function reportResult(call: ToolCall, report: Report): Promise<void> {
  await call.waitForHooks(() =>
    call.scope.dispatchClosing(
      "post_tool_call",
      () => ({
        tool_name: call.block.name,
        args: call.input,
        call_id: call.block.id,
        ...report,
        hook_wait_ms: call.hookWaitMs,
      }),
      call.context,
    ),
  );
}

async function transformResult(call: ToolCall, result: string, isError: boolean): Promise<string> {
  const verdict = await call.waitForHooks(() =>
    call.scope.dispatchClosing(
      "transform_tool_result",
      () => ({
        tool_name: call.block.name,
        result,
        args: call.input,
        is_error: isError,
        call_id: call.block.id,
        duration_ms: call.executionMs,
      }),
      call.context,
    ),
  );
  return verdict.decision === "modify" ? verdict.value : result;
}

function emitStopped(call: ToolCall, stop: Stop | Refusal): void {
  const { scope, identity, span } = call;
  if (stop.status === "error")
    return scope.emit({ type: "tool_errored", ...identity, error: stop.content }, span.spanId);
  if (stop.status === "cancelled") return;
  if (stop.cause === "permission")
    return scope.emit({ type: "tool_denied", ...identity, reason: stop.content }, span.spanId);
  scope.emit({ type: "tool_hook_blocked", ...identity, hookOutput: stop.content }, span.spanId);
}

function countStopped(call: ToolCall, stop: Stop | Refusal): void {
  const { totals } = call.scope;
  totals.add("agent_turn.tool_calls", 1);
  if (stop.status !== "blocked" && stop.status !== "denied") return;
  totals.add("agent_turn.blocked_tool_calls", 1);
  totals.flag("agent_turn.has_block");
}

function refusalAttributes(): SpanAttributes {
  return { "agent_tool.outcome": "failed" };
}

function stopAttributes(call: ToolCall, stop: Stop): SpanAttributes {
  return {
    "agent_tool.outcome": stop.status,
    "agent_tool.cause": stop.cause,
    ...(stop.by === undefined ? {} : { "agent_tool.blocked_by": stop.by }),
    ...(stop.reason === undefined ? {} : { "agent_tool.block_reason": shortReason(call.scope, stop.reason) }),
  };
}

function refusalError(stop: Stop | Refusal): { readonly type: string; readonly message: string } | undefined {
  return stop.status === "error" ? { type: stop.errorType, message: stop.errorType } : undefined;
}

function endSpan(
  call: ToolCall,
  attributes: SpanAttributes,
  error?: { readonly type: string; readonly message: string },
): void {
  const all: SpanAttributes = {
    ...attributes,
    ...call.argumentsForSpan(),
    "agent_tool.risk": call.risk,
    "agent_tool.hook_wait": call.hookWaitMs / 1000,
    "agent_tool.approval_wait": call.approvalWaitMs / 1000,
    "agent_tool.execution_time": call.executionMs / 1000,
  };
  call.span.end(call.scope.now(), all, error);
}

function resultBlock(call: ToolCall, contents: readonly string[], isError: boolean): ToolResultBlock {
  return {
    type: "tool_result",
    toolCallId: call.block.id,
    toolName: call.block.name,
    content: contents.map(text),
    isError,
  };
}
