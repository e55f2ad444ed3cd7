import { expectTypeOf, test } from "vitest";

import { createMetrics, type Families, type TokenType, type TypeOfMetric } from "../src/index.ts";

const { families } = createMetrics();

test("a wrong label, a missing one and a wrong value do not compile", () => {
  families.agent_tool_calls_total.add({ tool: "shell", agent: "a", outcome: "completed" });
  expectTypeOf<Parameters<Families["agent_tool_calls_total"]["add"]>[0]>().toHaveProperty("outcome");
  // @ts-expect-error a label that the metric has not
  families.agent_tool_calls_total.add({ tool: "shell", agent: "a", outcome: "completed", session: "s" });
  // @ts-expect-error a label is missing
  families.agent_tool_calls_total.add({ tool: "shell", outcome: "completed" });
  // @ts-expect-error a value that the label cannot have
  families.agent_tool_calls_total.add({ tool: "shell", agent: "a", outcome: "ok" });
  // @ts-expect-error an interrupt is no cause of a block
  families.agent_tool_calls_blocked_total.add({ tool: "shell", hook: "h", cause: "interrupt", agent: "a" });
  // @ts-expect-error a metric without labels
  families.agent_approval_wait_seconds.observe({ tool: "shell" }, 1);
});

test("what a metric can be told follows from its name", () => {
  // @ts-expect-error a counter only goes up
  families.agent_tool_calls_total.set({ tool: "shell", agent: "a", outcome: "completed" }, 1);
  // @ts-expect-error a gauge does not observe
  families.agent_turns_in_flight.observe({}, 1);
  expectTypeOf<TypeOfMetric<"agent_cost_usd_total">>().toEqualTypeOf<"counter">();
  expectTypeOf<TypeOfMetric<"agent_turns_in_flight">>().toEqualTypeOf<"gauge">();
  expectTypeOf<keyof Families>().toExtend<string>();
});

test("token types follow from what usage has", () => {
  expectTypeOf<TokenType>().toEqualTypeOf<"input" | "output" | "cache_read" | "cache_write" | "reasoning">();
});
