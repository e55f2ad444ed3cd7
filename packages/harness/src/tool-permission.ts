import { describeThrown } from "./describe-thrown.ts";
import { untilAborted } from "./interruption.ts";
import type { PermissionAnswer, PermissionMode } from "./permissions.ts";
import type { Refusal, Stop, ToolCall } from "./tool-call.ts";

const DESCRIPTION_LIMIT_MS = 5_000;

/** What makes a call impossible before anybody needs to judge it: no such tool, or an input that does not fit. */
export function findRefusal(call: ToolCall): Refusal | undefined {
  const { tools } = call.scope.setup;
  if (call.tool === undefined) {
    const content = `There is no tool named "${call.shownName}". The tools are: ${tools.names().join(", ")}.`;
    return { status: "error", errorType: "unknown_tool", content };
  }
  const problem = call.block.problem ?? tools.problemWith(call.block.name, call.input);
  return problem === undefined ? undefined : { status: "error", errorType: "invalid_input", content: problem };
}

/** A sentence for a person, or null where none is made in time. @throws Interruption */
export async function describeCall(call: ToolCall): Promise<string | null> {
  const { permissions, clock } = call.scope.setup;
  if (permissions.generateDescription === undefined) return null;
  const controller = new AbortController();
  const { promise: late, resolve } = Promise.withResolvers<null>();
  const timer = clock.setTimer(() => resolve(null), DESCRIPTION_LIMIT_MS);
  try {
    const generate = permissions.generateDescription.bind(permissions);
    return await untilAborted(
      () => Promise.race([describeSafely(generate, call, controller.signal), late]),
      call.scope.signal,
    );
  } finally {
    timer.cancel();
    controller.abort();
  }
}

async function describeSafely(
  generate: (request: { toolName: string; input: ToolCall["input"]; signal: AbortSignal }) => Promise<string | null>,
  call: ToolCall,
  signal: AbortSignal,
): Promise<string | null> {
  try {
    const description = await generate({ toolName: call.block.name, input: call.input, signal });
    return typeof description === "string" ? description : null;
  } catch {
    return null;
  }
}

/** A check that throws, or answers nonsense, denies. @throws Interruption */
export async function checkPermission(call: ToolCall, permissionMode: PermissionMode): Promise<Stop | undefined> {
  const answer = await untilAborted(() => ask(call, permissionMode), call.scope.signal);
  call.permissionQuestion = answer?.decision === "ask" ? (answer.question ?? defaultQuestion(call)) : undefined;
  if (answer?.decision === "allow" || answer?.decision === "ask") return undefined;
  const reason = typeof answer?.reason === "string" && answer.reason !== "" ? answer.reason : "permission denied";
  return { status: "denied", cause: "permission", content: reason, by: "permissions", reason };
}

function defaultQuestion({ block, description }: ToolCall): string {
  return description ?? `Run ${block.name}?`;
}

async function ask(call: ToolCall, permissionMode: PermissionMode): Promise<PermissionAnswer> {
  const request = { toolName: call.block.name, input: call.input, description: call.description, permissionMode };
  try {
    return await call.scope.setup.permissions.check(request);
  } catch (error) {
    return { decision: "deny", reason: `permission denied: the check failed: ${describeThrown(error)}` };
  }
}
