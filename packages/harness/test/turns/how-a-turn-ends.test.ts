import { defineHook, type HookPoint, type SessionEndPayload } from "@hookscope/hooks";
import { callTools, failWith, reply } from "@hookscope/testing";
import { describe, expect, test } from "vitest";

import type { StopReason } from "../../src/index.ts";
import { createRig, tool, type RigOptions } from "../support/rig.ts";
import { recordSpans, spanNamed } from "../support/telemetry.ts";

const CALL = callTools([{ name: "shell", input: {} }], { text: "let me see" });
const CLOSING: readonly HookPoint[] = ["post_llm_call", "agent_loop_stopped", "on_session_end"];

interface Row {
  readonly given: RigOptions;
  readonly points: readonly string[];
  readonly events: readonly string[];
  readonly ended: Partial<SessionEndPayload>;
  readonly status: "UNSET" | "ERROR";
}

const COMPLETED = { completed: true, interrupted: false, failed: false };
const NEITHER = { completed: false, interrupted: false, failed: false };

const ROWS: { readonly [Reason in StopReason]: Row } = {
  end_turn: {
    given: { steps: [reply("hi")] },
    points: ["● post_llm_call", "● on_session_end"],
    events: ["→ run_start", "→ run_end end_turn"],
    ended: COMPLETED,
    status: "UNSET",
  },
  stop_hook: {
    given: { steps: [CALL], mods: [{ id: "budget", shouldStopAfterTurn: () => true }] },
    points: ["● post_llm_call", "● on_session_end"],
    events: ["→ run_start", "→ run_end stop_hook"],
    ended: COMPLETED,
    status: "UNSET",
  },
  terminate: {
    given: { steps: [CALL], mods: [{ id: "ender", afterToolCall: () => ({ terminate: true }) }] },
    points: ["● post_llm_call", "● on_session_end"],
    events: ["→ run_start", "→ run_end terminate"],
    ended: COMPLETED,
    status: "UNSET",
  },
  max_turns: {
    given: { steps: [CALL], maxTurns: 1 },
    points: ["● on_session_end"],
    events: ["→ run_start", "→ run_end max_turns"],
    ended: NEITHER,
    status: "UNSET",
  },
  permission_denied: {
    given: { steps: [CALL], permissions: { check: () => ({ decision: "deny" }) } },
    points: ["● on_session_end"],
    events: ["→ run_start", "→ run_end permission_denied"],
    ended: NEITHER,
    status: "UNSET",
  },
  handled: {
    given: { mods: [{ id: "clerk", transformInput: () => ({ action: "handled", message: "done" }) }] },
    points: ["● on_session_end"],
    events: ["→ run_start", "→ run_end handled"],
    ended: COMPLETED,
    status: "UNSET",
  },
  error: {
    given: { steps: [failWith({ statusCode: 400, retryable: false, type: "bad_request" })] },
    points: ["● on_session_end"],
    events: ["→ run_start", "→ run_error", "→ run_end error"],
    ended: { completed: false, interrupted: false, failed: true },
    status: "ERROR",
  },
  interrupted: {
    given: { steps: [CALL], interruptAt: "▶ shell" },
    points: ["● agent_loop_stopped", "● on_session_end"],
    events: ["→ run_start", "→ interrupted", "→ run_end interrupted"],
    ended: { completed: false, interrupted: true, failed: false },
    status: "UNSET",
  },
};

describe("how a turn ends", () => {
  test.for(Object.entries(ROWS))("%s", async ([reason, row]) => {
    const telemetry = recordSpans();
    let ended: SessionEndPayload | undefined;
    const rig = createRig({
      tools: [tool("shell")],
      watchMods: false,
      watch: CLOSING,
      hooks: [defineHook({ name: "audit", on: { on_session_end: ({ payload }) => void (ended = payload) } })],
      ...row.given,
    });
    const result = await rig.run();
    expect(result.stopReason).toBe(reason);
    expect(rig.log.entries.filter((entry) => CLOSING.some((point) => entry === `● ${point}`))).toEqual(row.points);
    expect(rig.log.only("→ run_", "→ interrupted")).toEqual(row.events);
    expect(ended).toEqual({
      ...row.ended,
      model: "scripted-model",
      stop_reason: reason,
      usage: result.usage,
    });
    const root = spanNamed(telemetry, "invoke_agent agent");
    expect([root.attributes["agent_turn.outcome"], root.status.code]).toEqual([reason, row.status]);
    expect(telemetry.unended()).toEqual([]);
  });
});

test("a run resolves for whatever happens inside it, with the error that ended it", async () => {
  const rig = createRig({
    steps: [failWith({ statusCode: 400, retryable: false, type: "bad_request", message: "no" })],
  });
  const result = await rig.run();
  expect(result.error?.message).toBe("MODEL_CALL_FAILED: the call of model scripted-model failed: no");
});

test("an error carries the client's own as its cause, and run_error the raw Error", async () => {
  const thrown = new TypeError("broken");
  const rig = createRig({
    model: {
      provider: "odd",
      model: "odd",
      stream: () => {
        throw thrown;
      },
    },
  });
  const { error } = await rig.run();
  const event = rig.events.find(({ type }) => type === "run_error");
  expect(error?.cause).toBe(thrown);
  expect(event?.type === "run_error" && event.error).toBe(error);
});

test("a commit that fails ends the turn as failed: what is not durable is not done", async () => {
  const rig = createRig({ steps: [reply("hi")], onCommit: () => Promise.reject(new Error("disk full")) });
  const { stopReason, error } = await rig.run();
  expect([stopReason, error?.message]).toEqual(["error", "disk full"]);
});

test("an interrupt says why it came: the signal's reason, or that it was interrupted", async () => {
  for (const [given, told] of [
    [new Error("SIGINT"), "SIGINT"],
    ["the person left", "the person left"],
    [undefined, "interrupted"],
    [5, "interrupted"],
  ]) {
    const reasons: string[] = [];
    const rig = createRig({
      hooks: [
        defineHook({ name: "audit", on: { agent_loop_stopped: ({ payload }) => void reasons.push(payload.reason) } }),
      ],
    });
    await rig.harness.run({ userInput: "hello", signal: AbortSignal.abort(given) });
    expect(reasons).toEqual([told]);
  }
});
