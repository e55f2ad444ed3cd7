import { snapshot } from "@hookscope/hooks";

import { invokeMod } from "./mod-runner.ts";
import type { AgentState } from "./state.ts";
import type { Stop, ToolCall } from "./tool-call.ts";

export interface BeforeToolCalls {
  readonly stop: Stop | undefined;
  /** Appended to the result after the tool ran. */
  readonly additionalContext: readonly string[];
  readonly terminate: boolean;
}

/**
 * `beforeToolCall` of each mod, in order. An input chains: the next mod, and the tool, see the last one's. After a block
 * the later mods are not asked.
 *
 * @throws Interruption
 */
export async function runBeforeToolCall(call: ToolCall, state: AgentState): Promise<BeforeToolCalls> {
  const additionalContext: string[] = [];
  let terminate = false;
  for (const site of call.scope.setup.mods.with("beforeToolCall")) {
    const params = { ...call.identity, input: call.input, state };
    const answer = await call.waitForHooks(() =>
      invokeMod(call.scope, site, { hook: "beforeToolCall", params, parent: call.context, toolCallId: call.block.id }),
    );
    if (answer.failed || answer.value === undefined || answer.value === null) continue;
    const result = answer.value;
    terminate ||= result.terminate === true;
    if (result.block === true) {
      const content = result.additionalContext ?? "Blocked by a pre-tool hook.";
      const stop: Stop = { status: "blocked", cause: "mod", content, by: site.mod.id, reason: content };
      return { stop, additionalContext: [], terminate };
    }
    if (result.additionalContext !== undefined) additionalContext.push(result.additionalContext);
    if (result.input !== undefined) call.input = snapshot(result.input);
  }
  return { stop: undefined, additionalContext, terminate };
}
