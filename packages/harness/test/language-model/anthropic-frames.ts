import type { ModelStreamPart } from "../../src/model.ts";
import { anthropicEvent } from "./wire-server.ts";

export const START: string = anthropicEvent({
  type: "message_start",
  message: {
    id: "msg_1",
    type: "message",
    role: "assistant",
    model: "claude-test-1",
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: { input_tokens: 10, cache_read_input_tokens: 3, cache_creation_input_tokens: 2, output_tokens: 1 },
  },
});
export const RESPONSE: ModelStreamPart = { type: "response", id: "msg_1", model: "claude-test-1" };

export function block(
  index: number,
  start: Record<string, unknown>,
  ...deltas: readonly Record<string, unknown>[]
): string[] {
  return [
    anthropicEvent({ type: "content_block_start", index, content_block: start }),
    ...deltas.map((delta) => anthropicEvent({ type: "content_block_delta", index, delta })),
    anthropicEvent({ type: "content_block_stop", index }),
  ];
}

export function stop(reason: string): string[] {
  return [
    anthropicEvent({
      type: "message_delta",
      delta: { stop_reason: reason, stop_sequence: null },
      usage: { output_tokens: 7 },
    }),
    anthropicEvent({ type: "message_stop" }),
  ];
}

export function finish(reason: "end_turn" | "tool_use"): ModelStreamPart {
  const usage = {
    input_tokens: 15,
    output_tokens: 7,
    cache_read_tokens: 3,
    cache_write_tokens: 2,
    reasoning_tokens: 0,
  };
  return { type: "finish", reason, stop: reason, usage };
}

export const HALF_A_TEXT: readonly string[] = [
  START,
  anthropicEvent({ type: "content_block_start", index: 0, content_block: { type: "text", text: "" } }),
  anthropicEvent({ type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "Hel" } }),
];
