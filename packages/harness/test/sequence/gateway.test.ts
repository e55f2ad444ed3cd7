import { block, defineHook, modify } from "@hookscope/hooks";
import { reply } from "@hookscope/testing";
import { expect, test } from "vitest";

import { createRig, type Rig } from "../support/rig.ts";
import { createAgentState, createMemorySessionStore, textOf } from "../../src/index.ts";

const MESSAGE = { text: "hello", source: "someone", platform: "telegram" };

function rigWith(on: Parameters<typeof defineHook>[0]["on"]): Rig {
  return createRig({
    steps: [reply("hi", { chunks: 1 })],
    hooks: [defineHook({ name: "gate", on })],
    watchMods: false,
    watch: ["pre_gateway_dispatch", "post_gateway_admission", "on_session_start", "on_session_end"],
  });
}

test("an inbound message: ingress, its session, admission, then its turn", async () => {
  const rig = rigWith({ pre_gateway_dispatch: () => undefined, post_gateway_admission: () => undefined });
  const resolve = (): ReturnType<typeof createAgentState> => {
    void rig.log.write("▶ resolve");
    return createAgentState({ sessionId: "s1" });
  };
  const received = await rig.harness.receive({ ...MESSAGE, resolve });
  expect(rig.log.only("●", "▶")).toEqual([
    "● pre_gateway_dispatch",
    "● pre_gateway_dispatch gate",
    "▶ resolve",
    "● post_gateway_admission",
    "● post_gateway_admission gate",
    "● on_session_start",
    "▶ model",
    "● on_session_end",
  ]);
  expect(received).toMatchObject({ outcome: "turn", result: { finalText: "hi", sessionId: "s1" } });
});

test("pre_gateway_dispatch: a block skips the message", async () => {
  const rig = rigWith({ pre_gateway_dispatch: () => block("spam") });
  expect(await rig.harness.receive(MESSAGE)).toEqual({ outcome: "blocked", reason: "spam", hook: "gate" });
  expect(rig.log.entries).toEqual(["● pre_gateway_dispatch", "● pre_gateway_dispatch gate"]);
});

test("post_gateway_admission: a block means the hook handled the message; no turn runs", async () => {
  const rig = rigWith({ post_gateway_admission: () => block("answered") });
  expect(await rig.harness.receive(MESSAGE)).toEqual({ outcome: "handled", reason: "answered", hook: "gate" });
  expect(rig.log.entries).toEqual([
    "● pre_gateway_dispatch",
    "● post_gateway_admission",
    "● post_gateway_admission gate",
  ]);
});

test("pre_gateway_dispatch: a rewritten text is what admission and the model are given", async () => {
  let admitted = "";
  const rig = rigWith({
    pre_gateway_dispatch: () => modify({ text: "rewritten" }),
    post_gateway_admission: ({ payload }) => {
      admitted = payload.text;
    },
  });
  await rig.harness.receive(MESSAGE);
  expect([admitted, ...(rig.model.requests[0]?.messages ?? []).map(({ content }) => textOf(content))]).toEqual([
    "rewritten",
    "rewritten",
  ]);
});

test("the gateway points carry no turn; the session is null until it is known", async () => {
  const seen: unknown[] = [];
  const rig = rigWith({
    pre_gateway_dispatch: ({ payload, turn }) => void seen.push(payload, turn),
    post_gateway_admission: ({ payload, turn }) => void seen.push(payload, turn),
  });
  await rig.harness.receive({ ...MESSAGE, profile: "support", resolve: () => createAgentState({ sessionId: "s1" }) });
  expect(seen).toEqual([
    { profile: "support", source: "someone", session_id: null, text: "hello" },
    undefined,
    { session_id: "s1", platform: "telegram", profile: "support", text: "hello" },
    undefined,
  ]);
});

test.for(["● pre_gateway_dispatch gate", "● post_gateway_admission gate"])(
  "a message interrupted at %s has no turn: the hook did not get to say",
  async (at) => {
    const session = await createMemorySessionStore().create();
    const rig = createRig({
      session,
      hooks: [
        defineHook({
          name: "gate",
          on: { pre_gateway_dispatch: () => undefined, post_gateway_admission: () => undefined },
        }),
      ],
      watch: [],
      watchMods: false,
      interruptAt: at,
      hangAt: at,
    });
    const received = await rig.harness.receive({ ...MESSAGE, signal: rig.log.interruption.signal });
    expect(received).toEqual({ outcome: "interrupted" });
    expect([rig.log.entries.at(-1), session.entries()]).toEqual([at, []]);
  },
);

test("a message whose session cannot be resolved rejects with what the resolver threw", async () => {
  const rig = rigWith({ pre_gateway_dispatch: () => undefined });
  const resolve = (): never => {
    throw new Error("no such session");
  };
  await expect(rig.harness.receive({ ...MESSAGE, resolve })).rejects.toThrow("no such session");
  expect(rig.log.entries).toEqual(["● pre_gateway_dispatch", "● pre_gateway_dispatch gate"]);
});

test("an interrupt does not wait for a resolver, nor does the harness that closes", async () => {
  for (const end of ["interrupt", "close"] as const) {
    const rig = rigWith({ pre_gateway_dispatch: () => undefined });
    const asked = Promise.withResolvers<void>();
    const resolve = (): Promise<never> => {
      asked.resolve();
      return new Promise(() => undefined);
    };
    const receiving = rig.harness.receive({ ...MESSAGE, resolve, signal: rig.log.interruption.signal });
    await asked.promise;
    if (end === "interrupt") rig.log.interruption.abort();
    else await rig.harness.close();
    expect(await receiving).toEqual({ outcome: "interrupted" });
    expect(rig.log.entries).toEqual(["● pre_gateway_dispatch", "● pre_gateway_dispatch gate"]);
  }
});
