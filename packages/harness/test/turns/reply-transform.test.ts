import { block, defineHook, modify } from "@hookscope/hooks";
import { callTools, failWith, reply } from "@hookscope/testing";
import { expect, test } from "vitest";

import { textOf, type AgentEvent } from "../../src/index.ts";
import { createRig, tool, type Rig, type RigOptions } from "../support/rig.ts";

const CENSOR = defineHook({
  name: "censor",
  on: { transform_llm_output: ({ payload }) => modify(payload.response_text.replaceAll("secret", "…")) },
});

function censored(options: RigOptions): Rig {
  return createRig({ tools: [tool("shell")], watchMods: false, hooks: [CENSOR], ...options });
}

/** Where a text of the model's could be read outside. */
function shown(events: readonly AgentEvent[]): readonly string[] {
  return events
    .map((event) => {
      if (event.type === "run_end") return { type: event.type, text: event.result.finalText };
      return { type: event.type, text: JSON.stringify(event) };
    })
    .filter(({ text }) => text.includes("secret"))
    .map(({ type }) => type);
}

test("what transform_llm_output gives is what is returned and what post_llm_call is told", async () => {
  const told: string[] = [];
  const audit = defineHook({
    name: "audit",
    on: { post_llm_call: ({ payload }) => void told.push(payload.assistant_response) },
  });
  const rig = censored({ steps: [reply("a secret")], hooks: [CENSOR, audit] });
  const { finalText } = await rig.run();
  expect([finalText, ...told]).toEqual(["a …", "a …"]);
});

test("the transcript keeps the model's own words", async () => {
  const { state } = await censored({ steps: [reply("a secret")] }).run();
  expect(state.messages.map(({ content }) => textOf(content))).toEqual(["hello", "a secret"]);
});

test("with a hook there, no event shows the text before it ran", async () => {
  const call = callTools([{ name: "shell", input: { what: "it" } }], { text: "the secret first" });
  const rig = censored({ steps: [call, reply("a secret")] });
  await rig.run();
  expect(shown(rig.events)).toEqual([]);
});

test("without a hook there, the text is shown as it comes", async () => {
  const rig = createRig({ steps: [reply("a secret", { chunks: 1 })] });
  await rig.run();
  expect(shown(rig.events)).toEqual(["text_delta", "message_update", "message_end", "run_end"]);
});

test("it runs after the last round and before post_llm_call", async () => {
  const rig = censored({ steps: [reply("a secret")] });
  await rig.run();
  expect(rig.log.from("■ commit")).toEqual([
    "■ commit",
    "● transform_llm_output censor",
    "● post_llm_call",
    "● on_session_end",
    "→ run_end end_turn",
  ]);
});

test("it runs for any reply that is returned, whatever the stop reason", async () => {
  const call = callTools([{ name: "shell", input: {} }], { text: "the secret so far" });
  const failed = failWith({ statusCode: 400, retryable: false, type: "bad_request" });
  for (const [given, reason] of [
    [{ steps: [call], maxTurns: 1 }, "max_turns"],
    [{ steps: [call, failed] }, "error"],
    [{ steps: [call], interruptAt: "▶ shell" }, "interrupted"],
    [{ steps: [call], permissions: { check: () => ({ decision: "deny" }) } }, "permission_denied"],
  ] satisfies [RigOptions, string][]) {
    const { stopReason, finalText } = await censored(given).run();
    expect([stopReason, finalText]).toEqual([reason, "the … so far"]);
  }
});

test("an empty reply is not transformed", async () => {
  const rig = censored({ steps: [reply("")], continuation: false });
  await rig.run();
  expect(rig.log.only("● transform_llm_output")).toEqual([]);
});

const USELESS: readonly (readonly [string, () => never])[] = [
  ["an empty text", () => modify("") as never],
  ["a block", () => block("no") as never],
  [
    "a failure",
    () => {
      throw new Error("broken");
    },
  ],
];

test.for(USELESS)("%s leaves the reply as it was", async ([, handler]) => {
  const hook = defineHook({ name: "odd", on: { transform_llm_output: handler } });
  const { finalText } = await censored({ steps: [reply("a secret")], hooks: [hook] }).run();
  expect(finalText).toBe("a secret");
});
