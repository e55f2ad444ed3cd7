import { snapshot } from "@hookscope/hooks";

import type { ToolCall } from "../tool-call.ts";
import { REPAIR_RULES } from "./rules.ts";
import { InputSchema } from "./schema.ts";

/**
 * Mends the input of a call that does not fit its tool's schema, before anybody judges it: permissions, mods and hooks see
 * the mended one. An input that fits is never touched, and one that does not fit after all rules stays as it was, so that
 * the model is told what is wrong with its own words.
 */
export function repairInput(call: ToolCall): void {
  const { scope, tool, block } = call;
  if (tool === undefined || block.problem !== undefined) return;
  const { tools } = scope.setup;
  if (tools.problemsWith(tool.name, call.input).length === 0) return;
  const schema = new InputSchema(tool.inputSchema);
  const rulesFired: string[] = [];
  let input = call.input;
  for (const [name, rule] of Object.entries(REPAIR_RULES)) {
    const changed = rule(input, schema);
    if (changed !== input) rulesFired.push(name);
    input = changed;
  }
  if (rulesFired.length === 0) return;
  const hintCount = tools.problemsWith(tool.name, input).length;
  const repaired = hintCount === 0;
  const receivedKeys = Object.keys(call.input);
  if (repaired) call.acceptInput(snapshot(input));
  scope.emit(
    { type: "tool_input_repaired", ...call.identity, rulesFired, hintCount, receivedKeys, repaired },
    call.span.spanId,
  );
}
