import type { SubagentStartPayload, SubagentStopPayload } from "@hookscope/hooks";

import type { AgentEvent } from "./events.ts";
import { announce } from "./interruption.ts";
import type { ModelClient } from "./model.ts";
import type { RunResult } from "./run-result.ts";
import type { TurnScope } from "./scope.ts";
import { withChildSession } from "./session/child-session.ts";
import type { Session } from "./session/session.ts";
import type { HarnessSetup } from "./setup.ts";
import { createAgentState, type AgentState } from "./state.ts";
import type { ToolCall } from "./tool-call.ts";
import { callOf, endsByItself } from "./tool-execute.ts";
import { ToolTable } from "./tool-table.ts";
import type { Tool, ToolExecution, ToolOutput } from "./tool.ts";
import { runTurn } from "./turn.ts";

/** A kind of subagent. What is left out is the parent's. */
export interface SubagentDefinition {
  readonly description: string;
  readonly systemPrompt?: string;
  /** Names of the parent's tools; all of them when absent. */
  readonly tools?: readonly string[];
  readonly model?: ModelClient;
  readonly maxTurns?: number;
}

export const AGENT_TOOL_NAME = "agent";

/** The tool by which the model starts a subagent: a turn of its own, with a session of its own, in the same trace. */
export function createAgentTool(subagents: { readonly [type: string]: SubagentDefinition }): Tool {
  const types = Object.keys(subagents);
  const list = types.map((type) => `${type}: ${subagents[type]?.description ?? ""}`).join("\n");
  return endsByItself({
    name: AGENT_TOOL_NAME,
    description: `Starts a subagent that works on a task by itself and reports back.\n${list}`,
    inputSchema: {
      type: "object",
      properties: {
        subagent_type: { type: "string", enum: types },
        prompt: { type: "string", minLength: 1, description: "The whole task: the subagent sees nothing else." },
      },
      required: ["subagent_type", "prompt"],
      additionalProperties: false,
    },
    risk: "low",
    endsOnInterrupt: true,
    execute: (execution) => runSubagent(execution, subagents),
  });
}

/** Its session is there before anybody is told of it: where that cannot be made, there is no subagent. */
function runSubagent(
  execution: ToolExecution,
  subagents: { readonly [type: string]: SubagentDefinition },
): Promise<ToolOutput> {
  const call = callOf(execution) as ToolCall;
  const type = execution.input["subagent_type"] as string;
  const prompt = execution.input["prompt"] as string;
  const definition = subagents[type] as SubagentDefinition;
  const state = createAgentState();
  const origin = { turnId: call.scope.turn.turn_id, toolCallId: call.block.id, type };
  return withChildSession(call.scope, { id: state.sessionId, ...origin }, (session) =>
    runInSession(call, { type, prompt, definition, state, session }),
  );
}

interface Delegation {
  readonly type: string;
  readonly prompt: string;
  readonly definition: SubagentDefinition;
  readonly state: AgentState;
  readonly session: Session | undefined;
}

async function runInSession(
  call: ToolCall,
  { type, prompt, definition, state, session }: Delegation,
): Promise<ToolOutput> {
  const { scope } = call;
  const turnId = crypto.randomUUID();
  const identity: Omit<SubagentStartPayload, "child_goal"> = {
    child_role: type,
    child_session_id: state.sessionId,
    child_turn_id: turnId,
    parent_session_id: scope.turn.session_id,
    parent_turn_id: scope.turn.turn_id,
    call_id: call.block.id,
  };
  await announce(
    () => scope.dispatch("subagent_start", () => ({ ...identity, child_goal: prompt }), call.context),
    scope.signal,
  );
  scope.emit({ type: "subagent_start", toolCallId: call.block.id, subagentType: type }, call.span.spanId);
  const start = scope.now();
  let child: TurnScope | undefined;
  const result = await runTurn(childSetup(scope.setup, scope.depth, type, definition), {
    state,
    userInput: prompt,
    signal: scope.signal,
    parent: call.context,
    turnId,
    parentTurn: scope.turn,
    depth: scope.depth + 1,
    approvalLane: scope.approvalLane,
    session,
    onEvent: (event) => reportProgress(call, type, event, () => tokens(child)),
    onOpen: (opened) => {
      child = opened;
    },
  });
  await scope.dispatchClosing(
    "subagent_stop",
    () => ({
      ...identity,
      child_status: statusOf(result),
      child_summary: result.finalText,
      duration_ms: scope.now() - start,
      usage: result.usage,
      blocked_tool_calls: child?.totals.get("agent_turn.blocked_tool_calls") ?? 0,
    }),
    call.context,
  );
  scope.emit(
    { type: "subagent_stop", toolCallId: call.block.id, subagentType: type, tokensUsed: tokens(child) },
    call.span.spanId,
  );
  return outputOf(result);
}

/** What whoever watches the parent is told of a child as it is: what went wrong in it, and what it waits for. */
const TOLD_ABOVE: ReadonlySet<AgentEvent["type"]> = new Set(["mod_error", "notice", "api_retry"] as const);

/** A child's other events are its own, but for what it does next. */
function reportProgress(call: ToolCall, subagentType: string, event: AgentEvent, tokensUsed: () => number): void {
  if (TOLD_ABOVE.has(event.type)) return call.scope.emit(event, event.spanId);
  if (event.type !== "tool_queued") return;
  const { toolName, input: toolInput } = event;
  call.scope.emit(
    {
      type: "subagent_progress",
      toolCallId: call.block.id,
      subagentType,
      toolName,
      toolInput,
      tokensUsed: tokensUsed(),
    },
    call.span.spanId,
  );
}

function tokens(child: TurnScope | undefined): number {
  return child === undefined ? 0 : child.usage.input_tokens + child.usage.output_tokens;
}

function statusOf({ stopReason }: RunResult): SubagentStopPayload["child_status"] {
  if (stopReason === "interrupted") return "interrupted";
  return stopReason === "end_turn" || stopReason === "stop_hook" || stopReason === "terminate" ? "completed" : "failed";
}

function outputOf(result: RunResult): ToolOutput {
  if (statusOf(result) === "completed") return { content: result.finalText };
  const why = result.error === undefined ? result.stopReason : `${result.stopReason}: ${result.error.message}`;
  return { content: `The subagent did not finish (${why}). ${result.finalText}`.trim(), isError: true };
}

/** The parent's own setup with the definition's differences. Input typed while it runs is for the parent. */
function childSetup(setup: HarnessSetup, depth: number, type: string, definition: SubagentDefinition): HarnessSetup {
  const { getSteeringMessages: _, getFollowUpMessages: __, onCommit: ___, session: ____, ...options } = setup.options;
  const tools = new ToolTable();
  const deepest = depth + 1 >= (setup.options.maxSubagentDepth ?? DEFAULT_MAX_DEPTH);
  for (const tool of setup.tools.all()) {
    if (definition.tools !== undefined && !definition.tools.includes(tool.name)) continue;
    if (deepest && tool.name === AGENT_TOOL_NAME) continue;
    tools.add(tool);
  }
  return {
    ...setup,
    tools,
    agent: type,
    model: definition.model ?? setup.model,
    maxTurns: definition.maxTurns ?? setup.maxTurns,
    options: {
      ...options,
      ...(definition.systemPrompt === undefined ? {} : { systemPrompt: definition.systemPrompt }),
    },
  };
}

const DEFAULT_MAX_DEPTH = 2;
