import { snapshot } from "@hookscope/hooks";

import { Interruption } from "./interruption.ts";
import type { ToolResultBlock, ToolUseBlock } from "./messages.ts";
import type { PermissionMode } from "./permissions.ts";
import type { TurnScope } from "./scope.ts";
import type { AgentState } from "./state.ts";
import { repairInput } from "./repair/repair-input.ts";
import { runBeforeToolCall } from "./tool-before.ts";
import { CANCELLED, ToolCall, type Refusal, type Stop } from "./tool-call.ts";
import { executeTool } from "./tool-execute.ts";
import { finishExecuted, finishStopped, type FinishedCall } from "./tool-finish.ts";
import { passGate } from "./tool-gate.ts";
import { checkPermission, describeCall, findRefusal } from "./tool-permission.ts";

/** What a batch leaves to its round, all of it in the order of the calls. */
export interface FinishedBatch {
  readonly results: readonly ToolResultBlock[];
  readonly modStates: FinishedCall["modStates"];
  readonly terminate: boolean;
  /** A call was denied in phase 1: the run stops after the commit. */
  readonly denied: boolean;
}

const SIBLING_DENIED: Stop = {
  status: "cancelled",
  cause: "permission",
  content: "Cancelled: another call of this batch was denied.",
};

/** The one path a tool call takes, whatever the tool. Never throws for what happens to a call, an interrupt included. */
export async function runToolBatch(
  scope: TurnScope,
  blocks: readonly ToolUseBlock[],
  state: AgentState,
  permissionMode: PermissionMode,
): Promise<FinishedBatch> {
  const calls = blocks.map((block) => new ToolCall(scope, block));
  for (const call of calls) {
    scope.emit({ type: "tool_queued", ...call.identity, input: snapshot(call.block.input) }, call.span.spanId);
  }
  const permitted = await checkBatch(calls, permissionMode);
  const finished = permitted.denied
    ? await inOrder(calls, (call) => finishStopped(call, permitted.stops.get(call) ?? SIBLING_DENIED))
    : await runCalls(calls, permitted.stops, state, permissionMode);
  return {
    results: finished.map(({ result }) => result),
    modStates: finished.flatMap(({ modStates }) => modStates),
    terminate: finished.some(({ terminate }) => terminate),
    denied: permitted.denied,
  };
}

interface CheckedBatch {
  readonly denied: boolean;
  readonly stops: ReadonlyMap<ToolCall, Stop | Refusal>;
}

/** Phase 1: one call after another, up to the first denial. */
async function checkBatch(calls: readonly ToolCall[], permissionMode: PermissionMode): Promise<CheckedBatch> {
  const stops = new Map<ToolCall, Stop | Refusal>();
  for (const call of calls) {
    try {
      repairInput(call);
      const refusal = findRefusal(call);
      if (refusal !== undefined) {
        stops.set(call, refusal);
        continue;
      }
      call.description = await describeCall(call);
      const stop = await checkPermission(call, permissionMode);
      if (stop === undefined) continue;
      stops.set(call, stop);
      return { denied: true, stops };
    } catch (thrown) {
      if (!(thrown instanceof Interruption)) throw thrown;
      stops.set(call, CANCELLED);
    }
  }
  return { denied: false, stops };
}

/** Phase 2. */
async function runCalls(
  calls: readonly ToolCall[],
  stops: CheckedBatch["stops"],
  state: AgentState,
  permissionMode: PermissionMode,
): Promise<readonly FinishedCall[]> {
  const run = (call: ToolCall): Promise<FinishedCall> => {
    const stop = stops.get(call);
    return stop === undefined ? runCall(call, state, permissionMode) : finishStopped(call, stop);
  };
  return calls[0]?.scope.setup.options.toolExecution === "parallel" ? atOnce(calls, run) : inOrder(calls, run);
}

/** A model may ask for any number of calls; processes and open files are not to be had in any number. */
const MOST_AT_ONCE = 16;

async function atOnce(
  calls: readonly ToolCall[],
  run: (call: ToolCall) => Promise<FinishedCall>,
): Promise<readonly FinishedCall[]> {
  const finished: FinishedCall[] = [];
  const waiting = calls.entries();
  const takeNext = async (): Promise<void> => {
    for (const [index, call] of waiting) finished[index] = await run(call);
  };
  await Promise.all(Array.from({ length: Math.min(MOST_AT_ONCE, calls.length) }, takeNext));
  return finished;
}

async function inOrder(
  calls: readonly ToolCall[],
  finish: (call: ToolCall) => Promise<FinishedCall>,
): Promise<readonly FinishedCall[]> {
  const finished: FinishedCall[] = [];
  for (const call of calls) finished.push(await finish(call));
  return finished;
}

async function runCall(call: ToolCall, state: AgentState, permissionMode: PermissionMode): Promise<FinishedCall> {
  const { scope, identity } = call;
  try {
    if (scope.signal.aborted) throw new Interruption();
    const before = await runBeforeToolCall(call, state);
    const stop = before.stop ?? (await passGate(call, permissionMode));
    if (stop !== undefined) return await finishStopped(call, stop, before.terminate);
    scope.emit({ type: "tool_running", ...identity, description: call.description }, call.span.spanId);
    const executed = await executeTool(call);
    return await finishExecuted(call, executed, state, before);
  } catch (thrown) {
    if (!(thrown instanceof Interruption)) throw thrown;
    return finishStopped(call, CANCELLED);
  }
}
