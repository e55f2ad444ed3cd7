import { snapshot, type ApprovalChoice, type ApprovalRequestPayload } from "@hookscope/hooks";
import { sameJson } from "@hookscope/hooks/internal";
import { SpanKind } from "@opentelemetry/api";

import { announce, Interruption } from "./interruption.ts";
import type { PermissionMode } from "./permissions.ts";
import { shortReason } from "./short-reason.ts";
import { OpenSpan } from "./spans.ts";
import { CANCELLED, type Refusal, type Stop, type ToolCall } from "./tool-call.ts";
import { checkPermission, findRefusal } from "./tool-permission.ts";

/**
 * The bus's say on a call, after the mods': block, change, ask. Whatever rewrote the input, it is validated and permitted
 * again before a person is asked, so that what they approve is what runs.
 *
 * @throws Interruption
 */
export async function passGate(call: ToolCall, permissionMode: PermissionMode): Promise<Stop | Refusal | undefined> {
  const verdict = await call.waitForHooks(() =>
    call.scope.dispatch(
      "pre_tool_call",
      () => ({ tool_name: call.block.name, args: call.input, risk: call.risk, call_id: call.block.id }),
      call.context,
    ),
  );
  if (verdict.decision === "block") {
    const { reason, hook, cause } = verdict;
    return { status: "blocked", cause, content: `Blocked: ${reason}`, by: hook, reason };
  }
  if ((verdict.decision === "modify" || verdict.decision === "ask_user") && verdict.value !== undefined) {
    call.input = verdict.value.args;
  }
  if (!sameJson(call.input, call.judgedInput)) {
    const stop = findRefusal(call) ?? (await checkPermission(call, permissionMode));
    if (stop !== undefined) return stop;
  }
  if (verdict.decision === "ask_user") {
    const stop = await askPerson(call, verdict.question, verdict.hook);
    if (stop !== undefined) return stop;
  }
  // Who has just approved this very call need not be asked again; an answer to a hook's question from before is none to this.
  const { permissionQuestion, approvedByPerson } = call;
  return permissionQuestion === undefined || approvedByPerson
    ? undefined
    : askPerson(call, permissionQuestion, "permissions");
}

/** One question at a time: a call that waits for other questions waits for the person. */
async function askPerson(call: ToolCall, question: string, hook: string): Promise<Stop | undefined> {
  const { scope } = call;
  const queuedAt = scope.now();
  return scope.setup.approvals.oneAtATime(scope.approvalLane, async () => {
    call.approvalWaitMs += scope.now() - queuedAt;
    if (scope.signal.aborted) throw new Interruption();
    return putQuestion(call, question, hook);
  });
}

async function putQuestion(call: ToolCall, question: string, hook: string): Promise<Stop | undefined> {
  const { scope } = call;
  const { approvals, approver } = scope.setup;
  const request: ApprovalRequestPayload = snapshot({
    approval_id: crypto.randomUUID(),
    tool_name: call.block.name,
    args: call.input,
    risk: call.risk,
    question,
    hook,
    call_id: call.block.id,
  });
  if (approvals.isRemembered(scope.approvalLane, request)) return undefined;
  await call.waitForHooks(() =>
    announce(() => scope.dispatch("pre_approval_request", () => request, call.context), scope.signal),
  );
  const span = startSpan(call, request);
  const { choice, waitMs } = await approvals.ask(scope.approvalLane, request, approver, scope.signal);
  call.approvalWaitMs += waitMs;
  span.end(scope.now(), { "agent_approval.choice": choice });
  await call.waitForHooks(() =>
    scope.dispatchClosing(
      "post_approval_response",
      () => ({ approval_id: request.approval_id, tool_name: request.tool_name, choice, wait_ms: waitMs }),
      call.context,
    ),
  );
  if (choice === "cancelled") throw new Interruption();
  const refused = REFUSALS[choice];
  call.approvedByPerson = refused === undefined;
  if (refused === undefined) return undefined;
  return { status: "denied", cause: "person", content: `Blocked: ${refused}`, by: hook, reason: refused };
}

/** What the model is told for each answer that does not let the call run. */
const REFUSALS: { readonly [Choice in ApprovalChoice]: string | undefined } = {
  once: undefined,
  session: undefined,
  always: undefined,
  deny: "a person denied it",
  timeout: "nobody answered in time",
  unavailable: "nobody is there to ask",
  cancelled: CANCELLED.content,
};

function startSpan(call: ToolCall, request: ApprovalRequestPayload): OpenSpan {
  const { scope } = call;
  return new OpenSpan({
    core: scope.setup.core,
    name: `approval ${request.tool_name}`,
    kind: SpanKind.INTERNAL,
    parent: call.context,
    startTime: scope.now(),
    turn: scope.turn,
    attributes: {
      "agent_approval.id": request.approval_id,
      "agent_approval.hook": request.hook,
      "agent_approval.question": shortReason(scope, request.question),
    },
  });
}
