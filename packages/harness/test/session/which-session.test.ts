import { renameSync } from "node:fs";
import { join } from "node:path";

import {
  createJsonLinesSessionStore,
  createMemorySessionStore,
  textOf,
  type AgentEvent,
  type AgentMod,
  type HarnessOptions,
  type Session,
  type SessionStore,
} from "@hookscope/harness";
import { block, createHookBus, defineHook } from "@hookscope/hooks";
import { callTools, hang, reply, type Script } from "@hookscope/testing";
import { afterEach, beforeEach, describe, expect, test } from "vitest";

import { buildHarness, type HarnessRig } from "./harness-rig.ts";
import { makeDirectory, removeDirectory } from "./places.ts";

let store: SessionStore;
let session: Session;
beforeEach(async () => {
  store = createMemorySessionStore();
  session = await store.create({ id: "s" });
});

describe("a session that can take no turn", () => {
  test("refuses a second turn while one is under way", async () => {
    const controller = new AbortController();
    const { harness } = build([hang()]);
    const running = harness.run({ userInput: "one", signal: controller.signal });
    await expect(harness.run({ userInput: "two" })).rejects.toMatchObject({ code: "SESSION_BUSY" });
    controller.abort();
    expect((await running).stopReason).toBe("interrupted");
  });

  test("refuses a turn once it is closed", async () => {
    await session.close();
    await expect(build([]).harness.run({ userInput: "one" })).rejects.toMatchObject({ code: "SESSION_CLOSED" });
  });

  test("refuses a state of another session", async () => {
    const state = { ...session.state(), sessionId: "other" };
    await expect(build([]).harness.run({ state, userInput: "one" })).rejects.toMatchObject({
      code: "SESSION_MISMATCH",
    });
  });
});

describe("a turn", () => {
  test("is recorded in the session it is given, rather than in the harness's", async () => {
    const own = await store.create({ id: "own" });
    const { harness } = build([reply("a"), reply("b")]);
    await harness.run({ session: own, userInput: "one" });
    const result = await harness.run({ session: own, userInput: "two" });
    expect(own.state()).toEqual(result.state);
    expect(own.entries().length).toBe(4);
    expect(session.entries()).toEqual([]);
  });
});

describe("an inbound message", () => {
  test("goes to the session that is resolved for it", async () => {
    const own = await store.create({ id: "chat-7" });
    const { harness } = build([reply("a"), reply("b")]);
    const received = await harness.receive({ text: "hello", source: "someone", resolve: () => own });
    expect(received).toMatchObject({ outcome: "turn", result: { sessionId: "chat-7" } });
    expect(own.entries().length).toBe(2);
    expect(session.entries()).toEqual([]);
  });

  test("goes to the harness's session where nothing else is said", async () => {
    await build([reply("a")]).harness.receive({ text: "hello", source: "someone" });
    expect(session.entries().length).toBe(2);
  });

  test("of another session by its id is not recorded in the harness's", async () => {
    await build([reply("a")]).harness.receive({ text: "hello", source: "someone", sessionId: "else" });
    expect(session.entries()).toEqual([]);
  });
});

describe("a commit that cannot be made", () => {
  let directory: string;
  beforeEach(async () => {
    directory = makeDirectory();
    session = await createJsonLinesSessionStore({ directory, sync: "never" }).create({ id: "s" });
  });
  afterEach(async () => {
    await session.close();
    removeDirectory(directory);
  });

  test("ends the turn as an error, coded, before another round", async () => {
    const events: AgentEvent["type"][] = [];
    const { harness, requests } = build([callTools([{ name: "echo", input: { text: "x" } }]), reply("never")]);
    harness.events.subscribe(({ type }) => void events.push(type));
    const giveBack = takeLock();
    const result = await harness.run({ userInput: "one" });
    giveBack();
    expect(result).toMatchObject({ stopReason: "error", error: { code: "SESSION_LOCKED" } });
    expect(requests.length).toBe(1);
    expect(session.entries()).toEqual([]);
    expect(events.filter((type) => type === "run_error" || type === "run_end")).toEqual(["run_error", "run_end"]);
  });

  test("leaves no compaction of its messages to a later turn", async () => {
    let isBroken = true;
    const mod: AgentMod = {
      id: "bad",
      onTurnStart({ state }) {
        if (isBroken) session.recordCompaction({ summary: "never", firstKept: state.messages.length });
        return state;
      },
    };
    const { harness } = build([reply("a"), reply("b")], { mods: [mod] });
    const giveBack = takeLock();
    await harness.run({ userInput: "one" });
    giveBack();
    isBroken = false;
    await harness.run({ userInput: "two" });
    expect(session.state().messages.map(({ content }) => textOf(content))).toEqual(["two", "b"]);
  });

  test("leaves what was blocked blocked, and the harness usable", async () => {
    const bus = createHookBus({ hooks: [defineHook({ name: "no", on: { pre_tool_call: () => block("no") } })] });
    const steps = [callTools([{ name: "echo", input: { text: "x" } }]), reply("second")];
    const { harness } = build(steps, { bus });
    const giveBack = takeLock();
    const first = await harness.run({ userInput: "one" });
    giveBack();
    expect(first.stopReason).toBe("error");
    const second = await harness.run({ userInput: "two" });
    expect(second.stopReason).toBe("end_turn");
    expect(session.state().messages.map(({ content }) => textOf(content))).toEqual(["two", "second"]);
  });

  /** As somebody who removes the lock's file by hand would. */
  function takeLock(): () => void {
    const lock = join(directory, "s.jsonl.lock");
    renameSync(lock, `${lock}.aside`);
    return () => renameSync(`${lock}.aside`, lock);
  }
});

function build(steps: Script, options: Partial<HarnessOptions> = {}): HarnessRig {
  return buildHarness(steps, { session, ...options });
}
