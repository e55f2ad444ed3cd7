import { askUser, block, defineHook, modify, type PostToolCallPayload } from "@hookscope/hooks";
import { callTools, reply } from "@hookscope/testing";
import { describe, expect, test } from "vitest";

import { createRig, policy, tool, type RigOptions } from "../support/rig.ts";
import { recordSpans, spanNamed } from "../support/telemetry.ts";

/** What a person would see of a call that did not run. */
interface Seen {
  readonly result: string;
  readonly events: readonly string[];
  readonly report: Partial<PostToolCallPayload>;
  readonly span: object;
  readonly stopReason: string;
  readonly blocked: unknown;
}

async function runCall(options: RigOptions): Promise<Seen> {
  const telemetry = recordSpans();
  let report: PostToolCallPayload | undefined;
  const audit = defineHook({ name: "audit", on: { post_tool_call: ({ payload }) => void (report = payload) } });
  const rig = createRig({
    steps: [callTools([{ name: "shell", input: { command: "ls" } }]), reply("done")],
    tools: [tool("shell", "ran", { risk: "high" })],
    watchMods: false,
    ...options,
    hooks: [...(options.hooks ?? []), audit],
  });
  const { stopReason, state } = await rig.run();
  const block = state.messages[2]?.content[0];
  const { status, cause, hook, is_error, error_type } = report as PostToolCallPayload;
  const turn = spanNamed(telemetry, "invoke_agent agent");
  const call = spanNamed(telemetry, "execute_tool shell");
  const waits = ["agent_tool.hook_wait", "agent_tool.approval_wait", "agent_tool.execution_time"];
  const attributes = Object.entries(call.attributes).filter(
    ([key]) => key.startsWith("agent_tool.") && !waits.includes(key),
  );
  return {
    result: block?.type === "tool_result" ? block.content.map(({ text }) => text).join("|") : "",
    events: rig.log.only("→ tool_", "→ interrupted", "→ run_error"),
    report: { status, is_error, ...(cause && { cause }), ...(hook && { hook }), ...(error_type && { error_type }) },
    span: { ...Object.fromEntries(attributes), status: call.status.code },
    stopReason,
    blocked: turn.attributes["agent_turn.blocked_tool_calls"],
  };
}

const DENY = { check: () => ({ decision: "deny", reason: "not here" }) as const };

const ROWS: { readonly [what: string]: { readonly given: RigOptions; readonly seen: Seen } } = {
  "permission denied in phase 1": {
    given: { permissions: DENY },
    seen: {
      result: "not here",
      events: ["→ tool_queued shell", "→ tool_denied shell"],
      report: { status: "denied", is_error: true, cause: "permission", hook: "permissions" },
      span: {
        "agent_tool.outcome": "denied",
        "agent_tool.cause": "permission",
        "agent_tool.blocked_by": "permissions",
        "agent_tool.block_reason": "not here",
        "agent_tool.risk": "high",
        status: "UNSET",
      },
      stopReason: "permission_denied",
      blocked: 1,
    },
  },
  "mod block, with its additionalContext": {
    given: { mods: [{ id: "guard", beforeToolCall: () => ({ block: true, additionalContext: "not that" }) }] },
    seen: {
      result: "not that",
      events: ["→ tool_queued shell", "→ tool_hook_blocked shell"],
      report: { status: "blocked", is_error: true, cause: "mod", hook: "guard" },
      span: {
        "agent_tool.outcome": "blocked",
        "agent_tool.cause": "mod",
        "agent_tool.blocked_by": "guard",
        "agent_tool.block_reason": "not that",
        "agent_tool.risk": "high",
        status: "UNSET",
      },
      stopReason: "end_turn",
      blocked: 1,
    },
  },
  "mod block, without a word": {
    given: { mods: [{ id: "guard", beforeToolCall: () => ({ block: true }) }] },
    seen: {
      result: "Blocked by a pre-tool hook.",
      events: ["→ tool_queued shell", "→ tool_hook_blocked shell"],
      report: { status: "blocked", is_error: true, cause: "mod", hook: "guard" },
      span: {
        "agent_tool.outcome": "blocked",
        "agent_tool.cause": "mod",
        "agent_tool.blocked_by": "guard",
        "agent_tool.block_reason": "Blocked by a pre-tool hook.",
        "agent_tool.risk": "high",
        status: "UNSET",
      },
      stopReason: "end_turn",
      blocked: 1,
    },
  },
  "bus block": {
    given: { hooks: [policy(() => block("client agents work alone"))] },
    seen: {
      result: "Blocked: client agents work alone",
      events: ["→ tool_queued shell", "→ tool_hook_blocked shell"],
      report: { status: "blocked", is_error: true, cause: "policy", hook: "policy" },
      span: {
        "agent_tool.outcome": "blocked",
        "agent_tool.cause": "policy",
        "agent_tool.blocked_by": "policy",
        "agent_tool.block_reason": "client agents work alone",
        "agent_tool.risk": "high",
        status: "UNSET",
      },
      stopReason: "end_turn",
      blocked: 1,
    },
  },
  "bus hook failed closed": {
    given: {
      hooks: [
        policy(() => {
          throw new TypeError("no rules loaded");
        }),
      ],
    },
    seen: {
      result: 'Blocked: hook "policy" failed: TypeError: no rules loaded',
      events: ["→ tool_queued shell", "→ tool_hook_blocked shell"],
      report: { status: "blocked", is_error: true, cause: "failure", hook: "policy" },
      span: {
        "agent_tool.outcome": "blocked",
        "agent_tool.cause": "failure",
        "agent_tool.blocked_by": "policy",
        "agent_tool.block_reason": 'hook "policy" failed: TypeError: no rules loaded',
        "agent_tool.risk": "high",
        status: "UNSET",
      },
      stopReason: "end_turn",
      blocked: 1,
    },
  },
  "person denied": {
    given: { hooks: [policy(() => askUser("Run it?"))], approver: { ask: async () => "deny" } },
    seen: {
      result: "Blocked: a person denied it",
      events: ["→ tool_queued shell", "→ tool_hook_blocked shell"],
      report: { status: "denied", is_error: true, cause: "person", hook: "policy" },
      span: {
        "agent_tool.outcome": "denied",
        "agent_tool.cause": "person",
        "agent_tool.blocked_by": "policy",
        "agent_tool.block_reason": "a person denied it",
        "agent_tool.risk": "high",
        status: "UNSET",
      },
      stopReason: "end_turn",
      blocked: 1,
    },
  },
  "nobody there to ask": {
    given: { hooks: [policy(() => askUser("Run it?"))] },
    seen: {
      result: "Blocked: nobody is there to ask",
      events: ["→ tool_queued shell", "→ tool_hook_blocked shell"],
      report: { status: "denied", is_error: true, cause: "person", hook: "policy" },
      span: {
        "agent_tool.outcome": "denied",
        "agent_tool.cause": "person",
        "agent_tool.blocked_by": "policy",
        "agent_tool.block_reason": "nobody is there to ask",
        "agent_tool.risk": "high",
        status: "UNSET",
      },
      stopReason: "end_turn",
      blocked: 1,
    },
  },
  "refused after a rewrite": {
    given: {
      hooks: [policy(() => modify({ args: { command: "rm" } }))],
      permissions: {
        check: ({ input }) => (input["command"] === "rm" ? { decision: "deny" } : { decision: "allow" }),
      },
    },
    seen: {
      result: "permission denied",
      events: ["→ tool_queued shell", "→ tool_denied shell"],
      report: { status: "denied", is_error: true, cause: "permission", hook: "permissions" },
      span: {
        "agent_tool.outcome": "denied",
        "agent_tool.cause": "permission",
        "agent_tool.blocked_by": "permissions",
        "agent_tool.block_reason": "permission denied",
        "agent_tool.risk": "high",
        status: "UNSET",
      },
      stopReason: "end_turn",
      blocked: 1,
    },
  },
  interrupted: {
    given: { interruptAt: "▶ shell", hangAt: "▶ shell" },
    seen: {
      result: "Cancelled",
      events: ["→ tool_queued shell", "→ tool_running shell", "→ interrupted"],
      report: { status: "cancelled", is_error: true, cause: "interrupt" },
      span: {
        "agent_tool.outcome": "cancelled",
        "agent_tool.cause": "interrupt",
        "agent_tool.risk": "high",
        status: "UNSET",
      },
      stopReason: "interrupted",
      blocked: 0,
    },
  },
};

describe("what happens to a tool call that does not run", () => {
  test.for(Object.entries(ROWS))("%s", async ([, { given, seen }]) => {
    expect(await runCall(given)).toEqual(seen);
  });
});
