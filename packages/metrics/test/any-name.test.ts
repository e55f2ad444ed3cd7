import fc from "fast-check";
import { expect, test } from "vitest";

import { expose, OPEN_METRICS, PLAIN_TEXT } from "../src/exposition.ts";
import { rig } from "./support.ts";

const LINE = /^agent_tool_calls_total\{tool="((?:[^"\\\n]|\\["\\n])*)",agent="a",outcome="completed"\} (\d+)$/;
const name = fc.oneof(
  fc.string({ unit: "binary", maxLength: 200 }),
  fc.string({ unit: fc.constantFrom('"', "\\", "\n", "\r", "{", "}", "x", "\ud800", "😀", " ", "#") }),
);

test("whatever tools are called, each line is well formed, each series is there once, and no call is lost", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(name, { maxLength: 30 }), async (tools) => {
      const { metrics } = rig({ maxSeries: 1_000 });
      for (const tool of tools) metrics.families.agent_tool_calls_total.add({ tool, agent: "a", outcome: "completed" });
      for (const format of [OPEN_METRICS, PLAIN_TEXT] as const) {
        const text = Buffer.from(await expose(metrics.registry, format), "utf8").toString("utf8");
        const lines = text.split("\n").filter((line) => line.startsWith("agent_tool_calls_total{"));
        const matches = lines.map((line) => LINE.exec(line));
        expect(matches.every((match) => match !== null)).toBe(true);
        expect(new Set(matches.map((match) => match?.[1])).size).toBe(lines.length);
        expect(matches.reduce((sum, match) => sum + Number(match?.[2]), 0)).toBe(tools.length);
      }
    }),
  );
});

test("whatever usage is reported, no counter ever falls or stops being a number", async () => {
  const count = fc.oneof(fc.double(), fc.integer(), fc.constant(Number.NaN), fc.constant(undefined as never));
  const usage = fc.record({
    input_tokens: count,
    output_tokens: count,
    cache_read_tokens: count,
    cache_write_tokens: count,
    reasoning_tokens: count,
  });
  const prices = { m: { input_mtok: 1, output_mtok: 2, cache_read_mtok: 3, cache_write_mtok: 4, reasoning_mtok: 5 } };
  await fc.assert(
    fc.asyncProperty(fc.array(usage, { minLength: 1, maxLength: 5 }), async (usages) => {
      const { fire, metrics } = rig({ prices });
      const before = new Map<object, number>();
      for (const used of usages) {
        const common = {
          provider: "p",
          model: "m",
          iteration: 1,
          attempt: 1,
          duration_ms: 1,
          purpose: "turn",
        } as const;
        await fire("post_api_request", { ...common, usage: used, stop: "end_turn", response_model: "m" });
        const { agent_tokens_total: tokens, agent_cost_usd_total: cost } = metrics.families;
        for (const cell of [...tokens.series, ...cost.series]) {
          expect(cell.value).toBeGreaterThanOrEqual(before.get(cell) ?? 0);
          before.set(cell, cell.value);
        }
      }
    }),
  );
});
