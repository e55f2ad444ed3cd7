import { describe, expect, test } from "vitest";

import { findTail } from "../../src/compaction/boundary.ts";
import { estimateTokens } from "../../src/compaction/estimate.ts";
import { text, userMessage, type Message } from "../../src/index.ts";

/** About 100 tokens. */
const said = (source: "user" | "steering" = "user"): Message => userMessage("x".repeat(384), source);
const calls: Message = {
  role: "assistant",
  content: [{ type: "tool_use", id: "1", name: "look", input: { at: "x".repeat(370) } }],
};
const results: Message = {
  role: "user",
  source: "tool_results",
  content: [
    { type: "tool_result", toolCallId: "1", toolName: "look", content: [text("x".repeat(384))], isError: false },
  ],
};
const answer: Message = { role: "assistant", content: [text("x".repeat(384))] };

describe("where the kept tail begins", () => {
  test("each message counts its content in fours of characters, and four tokens for itself", () => {
    expect(estimateTokens([said()])).toBe(100);
    expect(estimateTokens([calls, results, answer])).toBe(300);
    expect(estimateTokens([])).toBe(0);
  });

  const messages = [said(), answer, said(), calls, results, answer];

  test.for([
    { keep: 1_000, tail: 1, why: "the first message never is in it, or nothing would be saved" },
    { keep: 400, tail: 2, why: "as early as fits" },
    { keep: 399, tail: 3, why: "with the call" },
    { keep: 299, tail: 5, why: "a result without its call cannot begin it" },
    { keep: 1, tail: 5, why: "the last message that can begin it is kept whatever its size" },
  ])("$keep tokens: from message $tail on ($why)", ({ keep, tail }) => {
    expect(findTail(messages, keep)).toBe(tail);
  });

  test("a call that has just been answered is kept with its answer, whatever their size", () => {
    expect(findTail([said(), calls, results], 1)).toBe(1);
  });

  test("a single message has no tail", () => {
    expect(findTail([said()], 1)).toBeUndefined();
    expect(findTail([], 1)).toBeUndefined();
  });
});
