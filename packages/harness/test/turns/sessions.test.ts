import { defineHook } from "@hookscope/hooks";
import { callTools, hang, reply } from "@hookscope/testing";
import { expect, test } from "vitest";

import { createAgentState, HarnessError } from "../../src/index.ts";
import { createRig, tool } from "../support/rig.ts";
import { recordSpans } from "../support/telemetry.ts";

test("on_session_start fires only on the first turn of a session", async () => {
  const rig = createRig({ steps: [reply("hi"), reply("again"), reply("other")], watch: ["on_session_start"] });
  const { state } = await rig.run();
  await rig.run("more", { state });
  await rig.run("another session");
  expect(rig.log.only("●")).toEqual(["● on_session_start", "● on_session_start"]);
});

test("on_session_start is told the model, the session and the platform", async () => {
  const seen: unknown[] = [];
  const rig = createRig({
    steps: [reply("hi")],
    platform: "cli",
    hooks: [defineHook({ name: "audit", on: { on_session_start: ({ payload }) => void seen.push(payload) } })],
  });
  await rig.run("hello", { state: createAgentState({ sessionId: "s1" }) });
  expect(seen).toEqual([{ model: "scripted-model", session_id: "s1", platform: "cli" }]);
});

test("a resumed session keeps its id and its messages", async () => {
  const rig = createRig({ steps: [reply("hi"), reply("again")] });
  const first = await rig.run("hello", { state: createAgentState({ sessionId: "s1" }) });
  const second = await rig.run("more", { state: first.state });
  expect(second.sessionId).toBe("s1");
  expect(second.state.messages.map(({ role }) => role)).toEqual(["user", "assistant", "user", "assistant"]);
});

test("closing: on_session_finalize once for each session that had a turn, with the last turn", async () => {
  const finalized: unknown[] = [];
  const rig = createRig({
    steps: [reply("1"), reply("2"), reply("3")],
    hooks: [
      defineHook({
        name: "audit",
        on: { on_session_finalize: ({ payload, turn }) => void finalized.push({ ...payload, turn: turn.turn_id }) },
      }),
    ],
  });
  const one = await rig.run("hello", { state: createAgentState({ sessionId: "s1" }) });
  const two = await rig.run("hello", { state: createAgentState({ sessionId: "s2" }) });
  const again = await rig.run("more", { state: one.state });
  await Promise.all([rig.harness.close("shutdown"), rig.harness.close("twice")]);
  await rig.harness.close();
  expect(finalized).toEqual([
    { session_id: "s1", reason: "shutdown", turn: again.turnId },
    { session_id: "s2", reason: "shutdown", turn: two.turnId },
  ]);
});

test("closing a harness that had no turn finalizes nothing", async () => {
  const rig = createRig();
  await rig.harness.close();
  expect(rig.log.entries).toEqual([]);
});

test("closing while a turn runs interrupts it, waits for its end, then finalizes its session", async () => {
  const rig = createRig({ steps: [hang({ afterText: "h", chunks: 1 })], watchMods: false });
  const shown = rig.log.until("→ text_delta h");
  const running = rig.run();
  await shown;
  await rig.harness.close();
  expect(rig.log.from("→ text_delta h")).toEqual([
    "→ text_delta h",
    "→ interrupted",
    "● agent_loop_stopped",
    "● on_session_end",
    "→ run_end interrupted",
    "● on_session_finalize",
  ]);
  expect((await running).stopReason).toBe("interrupted");
});

test("a closed harness takes no further turn and no further message", async () => {
  const rig = createRig();
  await rig.harness.close();
  for (const attempt of [rig.run(), rig.harness.receive({ text: "hello", source: "someone" })]) {
    const error: unknown = await attempt.catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(HarnessError);
    expect((error as HarnessError).code).toBe("HARNESS_CLOSED");
  }
});

test("teardown is a trace of its own, linked to the session's last turn", async () => {
  const telemetry = recordSpans();
  const rig = createRig({ steps: [reply("hi")], watch: ["on_session_finalize"], watchMods: false, agent: "reviewer" });
  await rig.run();
  await rig.harness.close();
  const spans = telemetry.spans();
  const turn = spans.find(({ name }) => name === "invoke_agent reviewer");
  const end = spans.find(({ name }) => name === "session reviewer");
  expect(telemetry.tree()).toEqual([
    "invoke_agent reviewer",
    "  chat scripted-model",
    "session reviewer",
    "  on_session_finalize watch",
  ]);
  expect(end?.links).toEqual([{ traceId: turn?.traceId, spanId: turn?.spanId }]);
  expect(end?.parentSpanId).toBe(undefined);
});

test("a subagent's session is over with its turn: closing finalizes the person's session alone", async () => {
  const rig = createRig({
    steps: [callTools([{ name: "agent", input: { subagent_type: "helper", prompt: "help" } }]), reply("done")],
    scripts: [{ when: ({ system }) => system === "help", steps: [reply("helped")] }],
    tools: [tool("shell")],
    subagents: { helper: { description: "helps", systemPrompt: "help" } },
    watch: ["on_session_start", "on_session_finalize"],
    watchMods: false,
  });
  await rig.run();
  await rig.harness.close();
  expect(rig.log.only("●")).toEqual(["● on_session_start", "● on_session_start", "● on_session_finalize"]);
});
