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
    const output = readOutput(await (tool.endsOnInterrupt === true ? begin() : untilAborted(begin, scope.signal)));
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

/** A tool that gives back neither a text nor an output has a fault, which the model is told. */
function readOutput(output: string | ToolOutput): ToolOutput {
  if (typeof output === "string") return { content: output };
  if (typeof output?.content === "string") return output;
  return { content: "the tool gave back nothing that can be read", isError: true };
}
