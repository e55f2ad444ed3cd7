import {
  createTestTelemetry,
  failWith,
  hang,
  reply,
  callTools,
  type Script,
  type TestTelemetry,
} from "@hookscope/testing";
import { afterEach, describe, expect, test } from "vitest";

import {
  createAgentState,
  createCompactionMod,
  HarnessError,
  text,
  textOf,
  userMessage,
  type AgentState,
  type Message,
} from "../../src/index.ts";
import { createRig, tool, type Rig, type RigOptions } from "../support/rig.ts";

const NOTES = "Notes on the conversation so far, of which only the end follows:\n\n";

/** A question of about 100 tokens, and an answer of as many. */
function exchange(number: number): readonly Message[] {
  const filler = "x".repeat(382);
  return [userMessage(`q${number}${filler}`), { role: "assistant", content: [text(`a${number}${filler}`)] }];
}

const longState = (): AgentState =>
  createAgentState({ sessionId: "s", messages: [...exchange(1), ...exchange(2), ...exchange(3)] });

function rigWith(summaries: Script, options: RigOptions = {}): Rig {
  return createRig({
    watchMods: false,
    watch: ["post_compaction"],
    compaction: { thresholdTokens: 500, keepTokens: 150 },
    scripts: [{ when: ({ system }) => system?.startsWith("You write the notes") === true, steps: summaries }],
    ...options,
  });
}

/** The first two characters of each text: which message it was. */
function seen(rig: Rig, index: number): readonly string[] {
  const request = rig.model.requests.filter(({ tools }) => tools.length > 0)[index];
  return (request?.messages ?? []).map(({ content }) => textOf(content).slice(0, 2));
}

const idle = [tool("look")];
let telemetry: TestTelemetry | undefined;
afterEach(() => telemetry?.dispose());

describe("compaction", () => {
  test("a conversation below the threshold is left as it is", async () => {
    const rig = rigWith([], { tools: idle, steps: [reply("fine")] });
    const records: unknown[] = [];
    rig.bus.subscribe(({ point, hook, decision }) => records.push([point, hook, decision]));
    await rig.run("hi", { state: createAgentState({ messages: exchange(1) }) });
    expect(seen(rig, 0)).toEqual(["q1", "a1", "hi"]);
    expect(records).toEqual([
      ["transformContext", "compaction", "continue"],
      ["onTurnEnd", "compaction", "continue"],
    ]);
  });

  test("past it the model sees notes and the end, and the log stays complete", async () => {
    const rig = rigWith([reply("They talked.")], { tools: idle, steps: [reply("fine")] });
    const result = await rig.run("hi", { state: longState() });
    const request = rig.model.requests[1];
    expect(request?.messages.map(({ role, content }) => [role, textOf(content).slice(0, 90)])).toEqual([
      ["user", `${NOTES}They talked.`],
      ["assistant", `a3${"x".repeat(88)}`],
      ["user", "hi"],
    ]);
    expect(result.state.messages.map(({ content }) => textOf(content).slice(0, 2))).toEqual([
      "q1",
      "a1",
      "q2",
      "a2",
      "q3",
      "a3",
      "hi",
      "fi",
    ]);
  });

  test("its events, its bus point and its place before the model's request, in order", async () => {
    const rig = rigWith([reply("They talked.")], { tools: idle, steps: [reply("fine")] });
    const payloads: unknown[] = [];
    rig.bus.register({
      name: "payloads",
      points: ["post_compaction"],
      call: ({ payload }) => void payloads.push(payload),
    });
    await rig.run("hi", { state: longState() });
    expect(rig.log.between("→ turn_start 1", "→ message_start")).toEqual([
      "→ turn_start 1",
      "→ compaction_start",
      "▶ model",
      "● post_compaction",
      "→ compaction_done",
      "→ message_start",
    ]);
    expect(rig.events.filter(({ type }) => type === "compaction_done")).toMatchObject([{ tokensSaved: 476 }]);
    expect(payloads).toEqual([
      { tokens_before: 605, tokens_after: 129, messages_before: 7, messages_after: 3, trigger: "threshold" },
    ]);
  });

  test("the summary is asked for with its own purpose, under its span, and counts in the turn's usage", async () => {
    telemetry = createTestTelemetry();
    const usage = { input_tokens: 600, output_tokens: 20 };
    const rig = rigWith([reply("They talked.", { usage })], {
      tools: idle,
      steps: [reply("fine", { usage: { input_tokens: 10, output_tokens: 2 } })],
    });
    const { usage: total } = await rig.run("hi", { state: longState() });
    expect(telemetry.tree()).toEqual([
      "invoke_agent agent",
      "  transformContext compaction",
      "    compact_context",
      "      chat scripted-model",
      "      post_compaction watch",
      "  chat scripted-model",
      "  onTurnEnd compaction",
    ]);
    const spans = telemetry.spans();
    expect(
      spans.filter(({ name }) => name.startsWith("chat")).map(({ attributes }) => attributes["agent_model.purpose"]),
    ).toEqual(["compaction", "turn"]);
    expect(spans.find(({ name }) => name === "compact_context")?.attributes).toMatchObject({
      "agent_compaction.tokens_before": 605,
      "agent_compaction.tokens_after": 129,
      "agent_compaction.trigger": "threshold",
      "session.id": "s",
    });
    expect(total).toMatchObject({ input_tokens: 610, output_tokens: 22 });
  });

  test("later rounds, and a turn resumed from the state in another process, see the same notes without a new summary", async () => {
    const first = rigWith([reply("They talked.")], {
      tools: idle,
      steps: [callTools([{ name: "look", input: {} }]), reply("fine")],
    });
    const { state } = await first.run("hi", { state: longState() });
    expect(seen(first, 1)).toEqual(["No", "a3", "hi", "", ""]);
    const second = rigWith([], { tools: idle, steps: [reply("good")] });
    await second.run("on", { state: JSON.parse(JSON.stringify(state)) as AgentState });
    expect(seen(second, 0)).toEqual(["No", "a3", "hi", "", "", "fi", "on"]);
  });

  test("a conversation that grows past it again has the notes summed up with what came since", async () => {
    const rig = rigWith([reply("First notes."), reply("Second notes.")], {
      tools: idle,
      steps: [reply("fine"), reply("good")],
    });
    const { state } = await rig.run("hi", { state: longState() });
    const grown = { ...state, messages: [...state.messages, ...exchange(4), ...exchange(5)] };
    await rig.run("on", { state: grown });
    const asked = textOf(rig.model.requests[2]?.messages[0]?.content ?? []);
    expect([...asked.matchAll(/\[(?:user|assistant)\] (..)/gu)].map(([, start]) => start)).toEqual([
      "No",
      "a3",
      "hi",
      "fi",
      "q4",
      "a4",
      "q5",
    ]);
    expect(seen(rig, 1)).toEqual(["No", "a5", "on"]);
    expect(textOf(rig.model.requests[3]?.messages[0]?.content ?? [])).toBe(`${NOTES}Second notes.`);
  });

  test("without a summary the messages stay as they were, the failure is told, and this turn does not try again", async () => {
    telemetry = createTestTelemetry();
    const refused = failWith({ statusCode: 400, retryable: false, type: "invalid_request", message: "too long" });
    const rig = rigWith([refused], { tools: idle, steps: [callTools([{ name: "look", input: {} }]), reply("fine")] });
    const result = await rig.run("hi", { state: longState() });
    expect(result.stopReason).toBe("end_turn");
    expect(seen(rig, 0)).toEqual(["q1", "a1", "q2", "a2", "q3", "a3", "hi"]);
    expect(rig.log.only("→ compaction", "→ mod_error")).toEqual([
      "→ compaction_start",
      "→ compaction_done",
      expect.stringContaining("→ mod_error"),
    ]);
    expect(rig.events.filter(({ type }) => type === "compaction_done")).not.toHaveProperty([0, "tokensSaved"]);
    expect(telemetry.spans().find(({ name }) => name === "compact_context")?.status).toEqual({
      code: "ERROR",
      message: "MODEL_CALL_FAILED: the call of model scripted-model failed: too long",
    });
    expect(result.state.modState).toEqual({});
  });

  test("a failure later keeps the notes that there are", async () => {
    const refused = failWith({ statusCode: 400, retryable: false, type: "invalid_request", message: "no" });
    const rig = rigWith([reply("First notes."), refused], { tools: idle, steps: [reply("fine"), reply("good")] });
    const { state } = await rig.run("hi", { state: longState() });
    await rig.run("on", { state: { ...state, messages: [...state.messages, ...exchange(4), ...exchange(5)] } });
    expect(seen(rig, 1)).toEqual(["No", "a3", "hi", "fi", "q4", "a4", "q5", "a5", "on"]);
    expect(rig.events.filter(({ type }) => type === "mod_error")).toMatchObject([
      { modId: "compaction", hook: "transformContext" },
    ]);
  });

  test("a summary that saves nothing is not taken", async () => {
    const rig = rigWith([reply("y".repeat(4_000))], { tools: idle, steps: [reply("fine")] });
    await rig.run("hi", { state: longState() });
    expect(seen(rig, 0)).toEqual(["q1", "a1", "q2", "a2", "q3", "a3", "hi"]);
    expect(rig.events.filter(({ type }) => type === "mod_error")).toMatchObject([
      { error: "the summary saves nothing: about 605 tokens before, 1126 after" },
    ]);
  });

  test("the notes of another branch are not shown", async () => {
    const first = rigWith([reply("They talked.")], { tools: idle, steps: [reply("fine")] });
    const { state } = await first.run("hi", { state: longState() });
    const branched = { ...state, messages: [...exchange(1), ...exchange(6)] };
    const second = rigWith([], { tools: idle, steps: [reply("good")] });
    await second.run("on", { state: branched });
    expect(seen(second, 0)).toEqual(["q1", "a1", "q6", "a6", "on"]);
  });

  test("an interrupt while the summary is written interrupts the turn, and leaves no open span", async () => {
    telemetry = createTestTelemetry();
    const rig = rigWith([hang()], { tools: idle, interruptAt: "▶ model" });
    const { stopReason, state } = await rig.run("hi", { state: longState() });
    expect(stopReason).toBe("interrupted");
    expect(state.modState).toEqual({});
    expect(telemetry.unended()).toEqual([]);
  });

  test.for([
    [{ thresholdTokens: 0 }, "`compaction.thresholdTokens` is 0; it must be a number above 0."],
    [{ keepTokens: Number.NaN }, "`compaction.keepTokens` is NaN; it must be a number above 0."],
    [
      { thresholdTokens: 100, keepTokens: 100 },
      "`compaction.keepTokens` is 100, which is not below `thresholdTokens`, 100: nothing would be saved.",
    ],
  ] as const)("options that cannot be used are refused: %j", ([options, message]) => {
    expect(() => createCompactionMod(options)).toThrow(new HarnessError("HARNESS_OPTION_INVALID", message));
  });
});
