import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import type { SpanDimension } from "../src/series.ts";

/** Complete by the compiler's word. */
const DIMENSIONS: { readonly [Name in SpanDimension]: true } = {
  "gen_ai.tool.name": true,
  "agent_tool.outcome": true,
  "agent_tool.cause": true,
  "agent_tool.blocked_by": true,
  "agent_hook.point": true,
  "agent_hook.name": true,
  "agent_hook.execution": true,
  "agent_hook.decision": true,
};

interface CollectorConfig {
  readonly connectors: {
    readonly span_metrics: { readonly namespace: string; readonly dimensions: readonly { readonly name: string }[] };
  };
}

test("the Collector makes labels of those attributes that the queries use, under the name they use", () => {
  const file = readFileSync(join(import.meta.dirname, "../../collector/collector.yaml"), "utf8");
  const { namespace, dimensions } = (parse(file) as CollectorConfig).connectors.span_metrics;
  expect(namespace).toBe("hookscope_span");
  expect(dimensions.map(({ name }) => name)).toEqual(Object.keys(DIMENSIONS));
});
