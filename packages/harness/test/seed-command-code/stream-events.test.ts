import { callTools, reply } from "@hookscope/testing";
import { expect, test } from "vitest";

import { NO_USAGE, text } from "../../src/index.ts";
import { payloads } from "../support/events.ts";
import { createRig, tool, type Rig, type RigOptions } from "../support/rig.ts";

const USAGE = { ...NO_USAGE, input_tokens: 3, output_tokens: 2 };

function rigWith(options: RigOptions): Rig {
  return createRig({ tools: [tool("shell")], watchMods: false, watch: [], ...options });
}

test("`message_start` | before each model call", async () => {
  const rig = rigWith({ steps: [callTools([{ name: "shell", input: {} }]), reply("done", { chunks: 1 })] });
  await rig.run();
  expect(rig.log.only("→ message_start", "▶ model")).toEqual([
    "→ message_start",
    "▶ model",
    "→ message_start",
    "▶ model",
  ]);
});

test("`text_delta`, `thinking_start/delta/end` | streaming | `thinking_end` carries full text", async () => {
  const rig = rigWith({ steps: [reply("hello", { thinking: "hmm", chunks: 2 })] });
  await rig.run();
  expect([
    payloads(rig.events, "text_delta"),
    payloads(rig.events, "thinking_start"),
    payloads(rig.events, "thinking_delta"),
    payloads(rig.events, "thinking_end"),
  ]).toEqual([[{ delta: "hel" }, { delta: "lo" }], [{}], [{ delta: "hm" }, { delta: "m" }], [{ text: "hmm" }]]);
});

test("`message_update` | whole partial assistant message incl. partial tool JSON", async () => {
  const call = { name: "shell", input: { a: 1 }, id: "c1" };
  const rig = rigWith({ steps: [callTools([call], { text: "so", chunks: 1 }), reply("done")], maxTurns: 1 });
  await rig.run();
  const open = { type: "partial_tool_use", id: "c1", name: "shell" };
  expect(payloads(rig.events, "message_update")).toEqual([
    { content: [text("so")] },
    { content: [text("so"), { ...open, inputText: "" }] },
    { content: [text("so"), { ...open, inputText: '{"a":1}' }] },
  ]);
});

test("`message_end` carries the full assistant content", async () => {
  const call = { name: "shell", input: { a: 1 }, id: "c1" };
  const rig = rigWith({ steps: [callTools([call], { text: "so", thinking: "hm" })], maxTurns: 1 });
  await rig.run();
  expect(payloads(rig.events, "message_end")).toEqual([
    { content: [{ type: "thinking", text: "hm" }, text("so"), { type: "tool_use", ...call }] },
  ]);
});

test("`model_request_start/end` bracket the inference call: `model`; end adds `usage`, raw-preferred `stopReason`", async () => {
  const rig = rigWith({
    model: {
      provider: "odd",
      model: "odd-1",
      async *stream() {
        void rig.log.write("▶ model");
        yield { type: "text_delta", text: "hi" };
        yield { type: "finish", reason: "end_turn", stop: "stop_sequence", usage: USAGE };
      },
    },
  });
  await rig.run();
  expect(rig.log.only("→ model_request", "▶ model")).toEqual([
    "→ model_request_start",
    "▶ model",
    "→ model_request_end",
  ]);
  expect(payloads(rig.events, "model_request_end")).toEqual([
    { model: "odd-1", usage: USAGE, stopReason: "stop_sequence" },
  ]);
});
