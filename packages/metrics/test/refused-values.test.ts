import { expect, test } from "vitest";

import { modelCall, rig, toolCall, usage } from "./support.ts";

test("a token count that is negative, NaN or no number is refused and counted; the other ones stand", async () => {
  const { fire, lines, warnings } = rig();
  await fire("post_api_request", modelCall({ usage: usage({ input_tokens: 10, output_tokens: 5 }) }));
  await fire("post_api_request", modelCall({ usage: usage({ input_tokens: -5, output_tokens: 1 }) }));
  await fire("post_api_request", modelCall({ usage: usage({ input_tokens: Number.NaN, output_tokens: 1 }) }));
  await fire("post_api_request", modelCall({ usage: usage({ input_tokens: "7" as never, output_tokens: 1 }) }));
  const counted = (await lines("agent_tokens_total")).filter((line) => !line.endsWith(" 0"));
  expect(counted.map((line) => line.replace(/.*type="(\w+)".*\} /, "$1 "))).toEqual(["input 10", "output 8"]);
  expect(await lines("hookscope_values_refused_total")).toEqual([
    'hookscope_values_refused_total{metric="agent_tokens_total"} 3',
  ]);
  expect(warnings).toEqual(["agent_tokens_total was given -5, which is refused; further ones are only counted."]);
});

test("more cached tokens than input tokens never lower the input", async () => {
  const { fire, lines } = rig();
  await fire("post_api_request", modelCall({ usage: usage({ input_tokens: 10, cache_read_tokens: 30 }) }));
  const counted = (await lines("agent_tokens_total")).filter((line) => /"(input|cache_read)"/.test(line));
  expect(counted.map((line) => line.replace(/.*type="(\w+)".*\} /, "$1 "))).toEqual(["cache_read 30"]);
});

test("a time that is no time is refused by its histogram, whose count and sum stay", async () => {
  const { fire, lines } = rig();
  await fire("post_tool_call", toolCall({ duration_ms: Number.POSITIVE_INFINITY }));
  await fire("post_tool_call", toolCall({ duration_ms: -1 }));
  await fire("post_tool_call", toolCall({ duration_ms: 1_000 }));
  expect((await lines("agent_tool_duration_seconds")).filter((line) => /_sum|_count/.test(line))).toEqual([
    'agent_tool_duration_seconds_sum{tool="shell"} 1',
    'agent_tool_duration_seconds_count{tool="shell"} 1',
  ]);
  expect(await lines("hookscope_values_refused_total")).toEqual([
    'hookscope_values_refused_total{metric="agent_tool_duration_seconds"} 2',
  ]);
});
