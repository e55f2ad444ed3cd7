import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";

import { linesOf, rig } from "./support.ts";

const NAMES = [
  "agent_tool_calls_blocked_total",
  "agent_cost_usd_total",
  "agent_budget_spent_ratio",
  "agent_model_request_duration_seconds",
];

test("the primary process of a cluster serves the sum of its workers, and of a budget's share the highest", async () => {
  const fixture = join(import.meta.dirname, "fixtures/cluster.ts");
  const { stdout } = await promisify(execFile)(process.execPath, ["--conditions=@hookscope/source", fixture]);
  expect(linesOf(stdout, NAMES).filter((line) => !line.includes("_bucket"))).toEqual([
    'agent_tool_calls_blocked_total{tool="shell",hook="policy",cause="policy",agent="reviewer"} 2',
    'agent_cost_usd_total{provider="p",model="m1",agent="reviewer",profile="default"} 2',
    'agent_budget_spent_ratio{budget="day"} 0.25',
    'agent_model_request_duration_seconds_sum{provider="p",model="m1",outcome="ok"} 1.4',
    'agent_model_request_duration_seconds_count{provider="p",model="m1",outcome="ok"} 2',
  ]);
  expect(stdout).toMatch(/^# TYPE agent_tool_calls_blocked_total counter$/m);
  // Workers begin anew without the counting doing so.
  expect(linesOf(stdout, ["hookscope_start_timestamp_seconds"])).toEqual([]);
  expect(linesOf(stdout, ["agent_model_request_duration_seconds"]).filter((line) => /le="(0.5|1)"/.test(line))).toEqual(
    [
      'agent_model_request_duration_seconds_bucket{provider="p",model="m1",outcome="ok",le="0.5"} 0',
      'agent_model_request_duration_seconds_bucket{provider="p",model="m1",outcome="ok",le="1"} 2',
    ],
  );
});

test("what a worker had counted stays when it is gone, what it held does not, and the next one adds to it", async () => {
  const fixture = join(import.meta.dirname, "fixtures/cluster-exit.ts");
  const { stdout } = await promisify(execFile)(process.execPath, ["--conditions=@hookscope/source", fixture]);
  const names = ["agent_tool_calls_total", "agent_tool_duration_seconds", "agent_approvals_waiting"];
  const scrapes = stdout.split("next scrape\n").map((text) =>
    linesOf(text, names)
      .filter((line) => !line.includes("_bucket") && !line.endsWith(" 0"))
      .map((line) => line.replace(/\{.*\}/, "")),
  );
  const sums = (workers: number, living: number): readonly string[] => [
    `agent_tool_calls_total ${workers}`,
    `agent_tool_duration_seconds_sum ${workers}`,
    `agent_tool_duration_seconds_count ${workers}`,
    `agent_approvals_waiting ${living}`,
  ];
  expect(scrapes).toEqual([sums(2, 2), sums(2, 1), sums(3, 2), sums(3, 1)]);
});

test("a process that is no worker cannot join a cluster", () => {
  expect(() => rig().metrics.joinCluster()).toThrow(expect.objectContaining({ code: "METRICS_NOT_IN_CLUSTER" }));
});
