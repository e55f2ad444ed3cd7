import {
  createMemorySessionStore,
  setModState,
  textOf,
  userMessage,
  type AgentMod,
  type HarnessOptions,
  type Session,
  type SessionStore,
  type Tool,
} from "@hookscope/harness";
import { createHookBus, defineHook, modify } from "@hookscope/hooks";
import { callTools, failWith, hang, reply, type Script } from "@hookscope/testing";
import { beforeEach, describe, expect, test } from "vitest";

import { buildHarness, ECHO, type HarnessRig } from "./harness-rig.ts";

let store: SessionStore;
let session: Session;
beforeEach(async () => {
  store = createMemorySessionStore();
  session = await store.create({ id: "s" });
});

describe("a harness with a session", () => {
  test("commits each round, and resumes from it where no state is given", async () => {
    const commits: number[] = [];
    const steps = [callTools([{ name: "echo", input: { text: "x" } }]), reply("first"), reply("second")];
    const { harness, requests } = build(steps, { onCommit: () => void commits.push(session.entries().length) });
    const first = await harness.run({ userInput: "one" });
    expect(commits).toEqual([3, 4]);
    expect(session.state().messages).toEqual(first.state.messages);
    const second = await harness.run({ userInput: "two" });
    expect(second.sessionId).toBe("s");
    expect(requests.at(-1)?.messages.length).toBe(5);
    expect(session.entries().map(({ type }) => type)).toEqual(Array.from({ length: 6 }, () => "message"));
    expect(session.state()).toEqual(second.state);
  });

  test("a further harness goes on with the session as if it were the first", async () => {
    await build([reply("first")]).harness.run({ userInput: "one" });
    await session.close();
    session = await store.open("s");
    const { harness, requests } = build([reply("second")]);
    const result = await harness.run({ userInput: "two" });
    expect(requests[0]?.messages.map(({ content }) => textOf(content))).toEqual(["one", "first", "two"]);
    expect(session.state()).toEqual(result.state);
  });

  test("on_session_start fires for the first turn of a new session, not for a resumed one or one that begins a branch", async () => {
    const started: string[] = [];
    const firsts: boolean[] = [];
    const hook = defineHook({
      name: "watch",
      on: {
        on_session_start: ({ payload }) => void started.push(payload.session_id),
        pre_llm_call: ({ payload }) => void firsts.push(payload.is_first_turn),
      },
    });
    const bus = createHookBus({ hooks: [hook] });
    await build([reply("a")], { bus }).harness.run({ userInput: "one" });
    await session.close();
    session = await store.open("s");
    await build([reply("b")], { bus }).harness.run({ userInput: "two" });
    await session.branch(null);
    await build([reply("c")], { bus }).harness.run({ userInput: "three" });
    expect(started).toEqual(["s"]);
    expect(firsts).toEqual([true, false, false]);
  });

  test("mods are given the session: what they append is in the commit of its round, and read back on resume", async () => {
    const counts: number[] = [];
    const counter: AgentMod = {
      id: "turn-counter",
      onTurnStart({ state }, ctx) {
        const prior = ctx?.session?.getCustomEntries({ customType: "count" }).length ?? -1;
        ctx?.session?.appendCustomEntry({ customType: "count", data: { count: prior + 1 } });
        counts.push(prior);
        return setModState({ state, modId: "turn-counter", value: { rounds: prior + 1 } });
      },
    };
    await build([callTools([{ name: "echo", input: { text: "x" } }]), reply("a")], { mods: [counter] }).harness.run({
      userInput: "one",
    });
    await session.close();
    session = await store.open("s");
    await build([reply("b")], { mods: [counter] }).harness.run({ userInput: "two" });
    expect(counts).toEqual([0, 1, 2]);
    expect(session.state().modState).toEqual({ "turn-counter": { rounds: 3 } });
    expect(session.entries().map(({ type }) => type)).toEqual([
      "message",
      "custom",
      "message",
      "message",
      "mod_state",
      "custom",
      "message",
      "mod_state",
      "message",
      "custom",
      "message",
      "mod_state",
    ]);
  });

  test("a custom message reaches the model in its turn where the mod folds it, and in every later one", async () => {
    const mod: AgentMod = {
      id: "reminder",
      onTurnStart({ state }, ctx) {
        if (state.messages.length > 1) return state;
        const entry = ctx?.session?.appendCustomMessageEntry({ customType: "r", content: "mind", display: true });
        return entry === undefined ? state : { ...state, messages: [...state.messages, entry.message] };
      },
    };
    const { harness, requests } = build([reply("a"), reply("b")], { mods: [mod] });
    await harness.run({ userInput: "one" });
    await harness.run({ userInput: "two" });
    expect(requests.map(({ messages }) => messages.map(({ content }) => textOf(content)))).toEqual([
      ["onemind"],
      ["onemind", "a", "two"],
    ]);
    expect(session.entries().map(({ type }) => type)).toEqual([
      "message",
      "custom_message",
      "message",
      "message",
      "message",
    ]);
  });

  test("parallel calls write modState in call order", async () => {
    const order: string[] = [];
    const gates = new Map(["a", "b"].map((name) => [name, Promise.withResolvers<void>()]));
    const tool: Tool = {
      ...ECHO,
      async execute({ input }) {
        const name = String(input["text"]);
        if (name === "a") await gates.get("b")?.promise;
        order.push(name);
        gates.get(name)?.resolve();
        return { content: name };
      },
    };
    const mod: AgentMod = { id: "last", afterToolCall: ({ result }) => ({ modState: { result } }) };
    const calls = ["a", "b"].map((text) => ({ name: "echo", input: { text } }));
    await build([callTools(calls), reply("done")], {
      mods: [mod],
      tools: [tool],
      toolExecution: "parallel",
    }).harness.run({
      userInput: "go",
    });
    expect(order).toEqual(["b", "a"]);
    expect(session.state().modState).toEqual({ last: { result: "b" } });
  });

  test("an interrupted turn leaves its messages in the session", async () => {
    const controller = new AbortController();
    const { harness } = build([hang()]);
    harness.events.on("model_request_start", () => controller.abort());
    const result = await harness.run({ userInput: "one", signal: controller.signal });
    expect(result.stopReason).toBe("interrupted");
    expect(session.state()).toEqual(result.state);
    expect(session.state().messages).toEqual([userMessage("one")]);
  });

  test("so does one whose model call failed", async () => {
    const failure = failWith({ statusCode: 400, retryable: false, type: "invalid_request" });
    const result = await build([failure]).harness.run({ userInput: "one" });
    expect(result.stopReason).toBe("error");
    expect(session.state()).toEqual(result.state);
  });

  test("the transcript keeps the model's words beside what was sent", async () => {
    const hook = defineHook({ name: "censor", on: { transform_llm_output: () => modify("[gone]") } });
    const result = await build([reply("secret")], { bus: createHookBus({ hooks: [hook] }) }).harness.run({
      userInput: "one",
    });
    expect(result.finalText).toBe("[gone]");
    expect(session.entries().map((entry) => (entry.type === "reply" ? entry.text : entry.type))).toEqual([
      "message",
      "message",
      "[gone]",
    ]);
    expect(session.state().messages.map(({ content }) => textOf(content))).toEqual(["one", "secret"]);
  });

  test("what a mod appends as the turn ends is committed with it", async () => {
    const mod: AgentMod = {
      id: "late",
      onRunEnd: (_, ctx) => void ctx?.session?.appendCustomEntry({ customType: "end" }),
    };
    await build([reply("a")], { mods: [mod] }).harness.run({ userInput: "one" });
    expect(session.entries().map(({ type }) => type)).toEqual(["message", "message", "custom"]);
  });

  test("a subagent's session is its own, and its mods have one too", async () => {
    const sessions: boolean[] = [];
    const mod: AgentMod = {
      id: "m",
      onTurnStart({ state }, ctx) {
        sessions.push(ctx?.session !== undefined);
        ctx?.session?.appendCustomEntry({ customType: state.sessionId === "s" ? "own" : "child" });
        return state;
      },
    };
    const steps = [
      callTools([{ name: "agent", input: { subagent_type: "explorer", prompt: "look" } }]),
      reply("found"),
      reply("done"),
    ];
    const options = { mods: [mod], subagents: { explorer: { description: "looks" } } };
    const result = await build(steps, options).harness.run({ userInput: "go" });
    expect(result.finalText).toBe("done");
    expect(sessions).toEqual([true, true, true]);
    expect(session.entries().flatMap((entry) => (entry.type === "custom" ? [entry.customType] : []))).toEqual([
      "own",
      "own",
    ]);
  });
});

function build(steps: Script, options: Partial<HarnessOptions> = {}): HarnessRig {
  return buildHarness(steps, { session, ...options });
}
