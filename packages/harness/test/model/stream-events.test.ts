import { defineHook, type StreamDeltaPayload } from "@hookscope/hooks";
import { callTools, reply } from "@hookscope/testing";
import { expect, test } from "vitest";

import type { AgentEvent } from "../../src/index.ts";
import { withoutStamp } from "../support/events.ts";
import { createRig, tool } from "../support/rig.ts";

/** Events of the stream without their stamps. */
function plain(events: readonly AgentEvent[]): readonly object[] {
  const streamed = new Set(["text_delta", "message_update", "thinking_start", "thinking_delta", "thinking_end"]);
  return events.filter(({ type }) => streamed.has(type)).map(withoutStamp);
}

test("text: each piece is a text_delta, then the whole partial message", async () => {
  const rig = createRig({ steps: [reply("hello", { chunks: 2 })] });
  await rig.run();
  expect(plain(rig.events)).toEqual([
    { type: "text_delta", delta: "hel" },
    { type: "message_update", content: [{ type: "text", text: "hel" }] },
    { type: "text_delta", delta: "lo" },
    { type: "message_update", content: [{ type: "text", text: "hello" }] },
  ]);
});

test("thinking: its end carries the full text", async () => {
  const rig = createRig({ steps: [reply("", { thinking: "hmm", chunks: 3 })] });
  await rig.run();
  expect(plain(rig.events)).toEqual([
    { type: "thinking_start" },
    { type: "thinking_delta", delta: "h" },
    { type: "thinking_delta", delta: "m" },
    { type: "thinking_delta", delta: "m" },
    { type: "thinking_end", text: "hmm" },
  ]);
});

test("a tool call: the partial message carries the partial JSON of its input", async () => {
  const rig = createRig({
    steps: [callTools([{ name: "shell", input: { a: 1 }, id: "c1" }], { chunks: 2 }), reply("")],
    tools: [tool("shell")],
  });
  await rig.run();
  const open = { type: "partial_tool_use", id: "c1", name: "shell" };
  expect(plain(rig.events)).toEqual([
    { type: "message_update", content: [{ ...open, inputText: "" }] },
    { type: "message_update", content: [{ ...open, inputText: '{"a"' }] },
    { type: "message_update", content: [{ ...open, inputText: '{"a":1}' }] },
  ]);
});

test("on_stream_delta: text and thinking, with the round, off the token path", async () => {
  const deltas: StreamDeltaPayload[] = [];
  const rig = createRig({
    steps: [
      callTools([{ name: "shell", input: {} }], { text: "so", chunks: 1 }),
      reply("hi", { thinking: "hm", chunks: 1 }),
    ],
    tools: [tool("shell")],
    hooks: [defineHook({ name: "feed", on: { on_stream_delta: ({ payload }) => void deltas.push(payload) } })],
  });
  await rig.run();
  expect(deltas).toEqual([
    { kind: "text", delta: "so", iteration: 1 },
    { kind: "thinking", delta: "hm", iteration: 2 },
    { kind: "text", delta: "hi", iteration: 2 },
  ]);
});

test("a hook of on_stream_delta that hangs holds neither the stream nor the next round, only the turn's end", async () => {
  const rig = createRig({
    steps: [callTools([{ name: "shell", input: {} }], { text: "so", chunks: 1 }), reply("hi", { chunks: 1 })],
    tools: [tool("shell")],
    watchMods: false,
    watch: ["post_llm_call"],
    hooks: [
      defineHook({ name: "feed", timeoutMs: 10, on: { on_stream_delta: () => new Promise<never>(() => undefined) } }),
    ],
  });
  const running = rig.run();
  await rig.clock.advance(0);
  expect(rig.log.from("→ turn_end 2")).toEqual(["→ turn_end 2", "■ commit", "● post_llm_call"]);
  await rig.clock.advance(10);
  await running;
  expect(rig.log.from("● post_llm_call")).toEqual(["● post_llm_call", "→ run_end end_turn"]);
});
