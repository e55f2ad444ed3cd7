import type { Timer } from "@hookscope/hooks";
import { mutableCopy } from "@hookscope/hooks/internal";
import { context as contextApi } from "@opentelemetry/api";

import { describeThrown, typeOfThrown } from "./describe-thrown.ts";
import { Interruption, untilAborted } from "./interruption.ts";
import type { Executed, ToolCall } from "./tool-call.ts";
import type { Tool, ToolExecution, ToolOutput } from "./tool.ts";

const calls = new WeakMap<ToolExecution, ToolCall>();

/** The call a tool was given: for the `agent` tool, which starts a turn of its own within it. */
export function callOf(execution: ToolExecution): ToolCall | undefined {
  return calls.get(execution);
}

/** The loop's own tools that need no limit to end on an interrupt: each of their steps has one. */
const selfBounded = new WeakSet<Tool>();

export function endsByItself(tool: Tool): Tool {
  selfBounded.add(tool);
  return tool;
}

/** How long a tool that promised to end on an interrupt is waited for, in milliseconds. */
const GRACE_MS = 60_000;

/** Runs the tool, once. What it throws becomes its result. @throws Interruption */
export async function executeTool(call: ToolCall): Promise<Executed> {
  const { scope } = call;
  const tool = call.tool as Tool;
  let over = false;
  const execution: ToolExecution = {
    ...call.identity,
    input: mutableCopy(call.input) as Record<string, unknown>,
    signal: scope.signal,
    cwd: scope.setup.cwd,
    turn: scope.turn,
    parent: call.context,
    onUpdate(partial) {
      if (!over) scope.emit({ type: "tool_update", ...call.identity, partial }, call.span.spanId);
    },
  };
  calls.set(execution, call);
  const start = scope.now();
  const begin = (): Promise<string | ToolOutput> => contextApi.with(call.context, async () => tool.execute(execution));
  try {
    const output = readOutput(
      await (tool.endsOnInterrupt === true ? untilEnded(call, begin) : untilAborted(begin, scope.signal)),
    );
    if (scope.signal.aborted) throw new Interruption();
    return output.isError === true
      ? { status: "error", content: output.content, errorType: "tool_error" }
      : { status: "ok", content: output.content };
  } catch (thrown) {
    if (scope.signal.aborted) throw new Interruption();
    return { status: "error", content: describeThrown(thrown), errorType: typeOfThrown(thrown) };
  } finally {
    over = true;
    call.executionMs = scope.now() - start;
  }
}

/** Past an interrupt, but not for ever: a promise may be broken. @throws Interruption */
async function untilEnded<Value>({ scope, tool }: ToolCall, begin: () => Promise<Value>): Promise<Value> {
  const { signal, setup } = scope;
  if (signal.aborted) throw new Interruption();
  if (selfBounded.has(tool as Tool)) return begin();
  const grace = new AbortController();
  let timer: Timer | undefined;
  const startGrace = (): void => {
    timer = setup.clock.setTimer(() => grace.abort(), GRACE_MS);
  };
  signal.addEventListener("abort", startGrace, { once: true });
  try {
    return await untilAborted(begin, grace.signal);
  } finally {
    timer?.cancel();
    signal.removeEventListener("abort", startGrace);
  }
}

/** A tool that gives back neither a text nor an output has a fault, which the model is told. */
function readOutput(output: string | ToolOutput): ToolOutput {
  if (typeof output === "string") return { content: output };
  if (typeof output?.content === "string") return output;
  return { content: "the tool gave back nothing that can be read", isError: true };
}
