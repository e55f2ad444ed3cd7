import { HOOK_POINT_NAMES } from "@hookscope/hooks";
import { suggest } from "@hookscope/hooks/internal";
import { expect, test } from "vitest";

test.for([
  ["preToolCall", "pre_tool_call"],
  ["PreToolCall", "pre_tool_call"],
  ["pre-tool-call", "pre_tool_call"],
  ["pre_tool_cal", "pre_tool_call"],
  ["post_llm_cal", "post_llm_call"],
  ["session_start", "on_session_start"],
  ["onStreamDelta", "on_stream_delta"],
  ["", undefined],
  ["x", undefined],
  ["nothing like it", undefined],
  ["x".repeat(1_000_000), undefined],
] as const)("%s is meant as %s", ([name, meant]) => {
  expect(suggest(name, HOOK_POINT_NAMES)).toBe(meant);
});

test("every point is meant by its own name", () => {
  expect(HOOK_POINT_NAMES.map((point) => suggest(point, HOOK_POINT_NAMES))).toEqual(HOOK_POINT_NAMES);
});
