import { createTestTelemetry, failWith, hang, reply, type Script, type TestTelemetry } from "@hookscope/testing";
import { afterEach, describe, expect, test } from "vitest";

import { titleOf, type RunResult } from "../../src/index.ts";
import { createRig, tool, type Rig, type RigOptions } from "../support/rig.ts";

function rigWith(titles: Script, options: RigOptions = {}): Rig {
  return createRig({
    watchMods: false,
    watch: ["api_request_error"],
    titling: {},
    scripts: [{ when: ({ system }) => system?.startsWith("You name conversations") === true, steps: titles }],
    steps: [reply("fine"), reply("good")],
    ...options,
  });
}

const titled = (rig: Rig): readonly string[] =>
  rig.events.flatMap((event) => (event.type === "session_titled" ? [event.title] : []));

let telemetry: TestTelemetry | undefined;
afterEach(() => telemetry?.dispose());

describe("titling", () => {
  test("a session gets a title in its first round, once; it is committed with the round", async () => {
    const committed: (string | undefined)[] = [];
    const rig = rigWith([reply("Fixing the build")], { onCommit: (state) => void committed.push(titleOf(state)) });
    const { state } = await rig.run("the build is broken");
    await rig.run("thanks", { state });
    expect(titled(rig)).toEqual(["Fixing the build"]);
    expect(committed).toEqual(["Fixing the build", "Fixing the build"]);
    expect(rig.log.between("→ message_end", "■ commit").slice(0, 4)).toEqual([
      "→ message_end",
      "→ session_titled",
      "→ turn_end 1",
      "■ commit",
    ]);
  });

  test("the call is one of the turn's, with its own purpose, beside the first round's", async () => {
    telemetry = createTestTelemetry();
    const rig = rigWith([reply("Title", { usage: { input_tokens: 5, output_tokens: 1 } })], {
      steps: [reply("fine", { usage: { input_tokens: 7, output_tokens: 2 } })],
    });
    const { usage } = await rig.run("hello");
    const calls = telemetry.spans().filter(({ name }) => name.startsWith("chat"));
    expect(calls.map(({ attributes }) => String(attributes["agent_model.purpose"])).toSorted()).toEqual([
      "title",
      "turn",
    ]);
    expect(usage).toMatchObject({ input_tokens: 12, output_tokens: 3 });
  });

  test.for([
    ['"Fixing the build."\n', "Fixing the build"],
    ["\n\n# **Fixing the build**\nand more", "Fixing the build"],
    ["x".repeat(100), `${"x".repeat(79)}…`],
  ] as const)("%j becomes %j", async ([answer, title]) => {
    const rig = rigWith([reply(answer)]);
    await rig.run();
    expect(titled(rig)).toEqual([title]);
  });

  test("a failure is a mod_error and nothing else; the next turn tries again", async () => {
    const refused = failWith({ statusCode: 400, retryable: false, type: "invalid_request", message: "no" });
    const rig = rigWith([refused, reply("Title")]);
    const first: RunResult = await rig.run();
    expect(first.stopReason).toBe("end_turn");
    expect(rig.events.filter(({ type }) => type === "mod_error")).toMatchObject([
      { modId: "titling", hook: "onTurnEnd", error: expect.stringContaining("MODEL_CALL_FAILED") as string },
    ]);
    await rig.run("again", { state: first.state });
    expect(titled(rig)).toEqual(["Title"]);
  });

  test("an answer without a title is a failure too", async () => {
    const rig = rigWith([reply('""')]);
    await rig.run();
    expect(titled(rig)).toEqual([]);
    expect(rig.events.filter(({ type }) => type === "mod_error")).toMatchObject([{ error: "the model gave no title" }]);
  });

  test("an interrupt ends the call with the turn", async () => {
    telemetry = createTestTelemetry();
    const rig = rigWith([hang()], {
      tools: [tool("look")],
      steps: [hang()],
      interruptAt: "→ model_request_start",
    });
    const { stopReason } = await rig.run();
    expect(stopReason).toBe("interrupted");
    expect(telemetry.unended()).toEqual([]);
  });

  test("a title that does not come in time holds the round no longer than its limit", async () => {
    telemetry = createTestTelemetry();
    const rig = rigWith([hang()], { titling: { timeoutMs: 500 } });
    const running = rig.run("hello");
    await rig.clock.advance(500);
    const { stopReason } = await running;
    expect(stopReason).toBe("end_turn");
    expect(rig.events.filter(({ type }) => type === "mod_error")).toMatchObject([
      { error: expect.stringContaining("the model did not answer within 500 ms") as string },
    ]);
    expect(telemetry.unended()).toEqual([]);
  });
});
