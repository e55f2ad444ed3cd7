import { createTestTelemetry, reply, type TestTelemetry } from "@hookscope/testing";
import { afterEach, describe, expect, test } from "vitest";

import { createAgentState, textOf, userMessage, type AgentMod } from "../../src/index.ts";
import { createRig } from "../support/rig.ts";

let telemetry: TestTelemetry | undefined;

afterEach(() => telemetry?.dispose());

const upper: AgentMod = {
  id: "upper",
  transformInput: ({ text }) => ({ action: "transform", text: text.toUpperCase() }),
};
const exclaim: AgentMod = { id: "exclaim", transformInput: ({ text }) => ({ action: "transform", text: `${text}!` }) };

describe("transformInput", () => {
  test("chains: each mod sees what the one before made of the text, and the log gets the last one's", async () => {
    const rig = createRig({ watchMods: false, mods: [upper, exclaim], steps: [reply("hi")] });
    const { state } = await rig.run("hello");
    expect(rig.model.requests[0]?.messages).toEqual([userMessage("HELLO!")]);
    expect(state.messages[0]).toEqual(userMessage("HELLO!"));
  });

  test("continue and no answer leave the text as it is", async () => {
    const mods: AgentMod[] = [
      { id: "a", transformInput: () => ({ action: "continue" }) },
      { id: "b", transformInput: () => undefined },
    ];
    const rig = createRig({ watchMods: false, mods, steps: [reply("hi")] });
    await rig.run("hello");
    expect(rig.model.requests[0]?.messages).toEqual([userMessage("hello")]);
  });

  test("handled ends the turn without a round: no later mod, no model, nothing in the log, the message as reply", async () => {
    const help: AgentMod = {
      id: "help",
      transformInput: ({ text }) =>
        text === "/help" ? { action: "handled", message: "Ask me anything." } : { action: "continue" },
    };
    const rig = createRig({ watchMods: false, mods: [help, upper] });
    const result = await rig.run("/help");
    expect(result).toMatchObject({ finalText: "Ask me anything.", stopReason: "handled", turnCount: 0 });
    expect(result.state.messages).toEqual([]);
    expect(rig.model.requests).toEqual([]);
    expect(rig.log.entries).toEqual(["◆ transformInput help", "→ run_start", "● on_session_end", "→ run_end handled"]);
  });

  test("what a mod handled was no first turn: the next message starts the session", async () => {
    const help: AgentMod = {
      id: "help",
      transformInput: ({ text }) => (text === "/help" ? { action: "handled" } : undefined),
    };
    const rig = createRig({ watchMods: false, mods: [help], steps: [reply("hi")] });
    const { state } = await rig.run("/help");
    await rig.run("hello", { state });
    expect(rig.log.only("● on_session_start")).toEqual(["● on_session_start"]);
  });

  test("a mod that throws, or answers something else, leaves the text unchanged and is a mod_error", async () => {
    const mods: AgentMod[] = [
      {
        id: "broken",
        transformInput() {
          throw new Error("no");
        },
      },
      { id: "wrong", transformInput: () => ({ action: "transform" }) as never },
      exclaim,
    ];
    const rig = createRig({ watchMods: false, mods, steps: [reply("hi")] });
    await rig.run("hello");
    expect(rig.model.requests[0]?.messages).toEqual([userMessage("hello!")]);
    expect(
      rig.events.flatMap((event) => (event.type === "mod_error" ? [[event.modId, event.hook, event.error]] : [])),
    ).toEqual([
      ["broken", "transformInput", "no"],
      [
        "wrong",
        "transformInput",
        'it returned an object that is none of { action: "continue" }, { action: "transform", text } or { action: "handled", message? }',
      ],
    ]);
  });

  test("a message that a mod was still at when the turn was interrupted is in the log", async () => {
    const mods: AgentMod[] = [upper, { id: "slow", transformInput: () => new Promise(() => undefined) }];
    const rig = createRig({ watchMods: false, mods, interruptAt: "◆ transformInput slow" });
    const { stopReason, state } = await rig.run("hello");
    expect(stopReason).toBe("interrupted");
    expect(state.messages.map(({ content }) => textOf(content))).toEqual(["HELLO"]);
  });

  test("its invocation is a span of the turn, and a record with what it decided", async () => {
    telemetry = createTestTelemetry();
    const rig = createRig({ watchMods: false, mods: [upper], watch: ["api_request_error"], steps: [reply("hi")] });
    const records: unknown[] = [];
    rig.bus.subscribe(({ point, hook, kind, decision, applied, changedKeys }) =>
      records.push({ point, hook, kind, decision, applied, changedKeys }),
    );
    await rig.run("hello");
    expect(telemetry.tree()).toEqual(["invoke_agent agent", "  transformInput upper", "  chat scripted-model"]);
    expect(records).toEqual([
      { point: "transformInput", hook: "upper", kind: "mod", decision: "modify", applied: true, changedKeys: ["text"] },
    ]);
  });
});

describe("onSessionStart and onSessionEnd", () => {
  const watcher = (said: string[]): AgentMod => ({
    id: "sessions",
    onSessionStart: ({ source }) => void said.push(`start ${source}`),
    onSessionEnd: ({ reason }) => void said.push(`end ${reason}`),
  });

  test("start fires once per session, before its first message is taken; end where the harness is closed", async () => {
    const said: string[] = [];
    const rig = createRig({
      watchMods: false,
      mods: [watcher(said), upper],
      steps: [reply("one"), reply("two")],
    });
    const { state } = await rig.run("hello");
    await rig.run("again", { state });
    await rig.harness.close("shutdown");
    expect(said).toEqual(["start startup", "end shutdown"]);
    expect(rig.log.only("◆", "● on_session")).toEqual([
      "◆ onSessionStart sessions",
      "◆ transformInput upper",
      "● on_session_start",
      "● on_session_end",
      "◆ transformInput upper",
      "● on_session_end",
      "◆ onSessionEnd sessions",
      "● on_session_finalize",
    ]);
  });

  test("a session that had messages already is resumed", async () => {
    const said: string[] = [];
    const rig = createRig({ watchMods: false, mods: [watcher(said)], steps: [reply("one")] });
    await rig.run("again", { state: createAgentState({ messages: [userMessage("before")] }) });
    expect(said).toEqual(["start resume"]);
  });

  test("end is a span of the session's teardown", async () => {
    telemetry = createTestTelemetry();
    const rig = createRig({
      watchMods: false,
      watch: ["api_request_error"],
      mods: [{ id: "sessions", onSessionEnd: () => undefined }],
      steps: [reply("one")],
    });
    await rig.run();
    await rig.harness.close();
    expect(telemetry.tree()).toEqual([
      "invoke_agent agent",
      "  chat scripted-model",
      "session agent",
      "  onSessionEnd sessions",
    ]);
  });

  test("an end that never settles does not hold the teardown past its limit", async () => {
    const rig = createRig({
      watchMods: false,
      mods: [{ id: "slow", timeoutMs: 1_000, onSessionEnd: () => new Promise<void>(() => undefined) }],
      steps: [reply("one")],
    });
    await rig.run();
    const closed = rig.harness.close();
    await rig.clock.advance(1_000);
    await closed;
    expect(rig.events.at(-1)).toMatchObject({ type: "mod_error", modId: "slow", hook: "onSessionEnd" });
  });
});
