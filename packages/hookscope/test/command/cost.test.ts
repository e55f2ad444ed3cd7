import { mkdir } from "node:fs/promises";
import { join } from "node:path";

import { createLedger, type ReportRow } from "@hookscope/metrics";
import { expect, test } from "vitest";

import { readSince } from "../../src/commands/cost.ts";
import { inWorkspace, PRICES } from "../fixtures/workspace.ts";

test("what run spends is in the ledger, by model, profile and session", async () => {
  await inWorkspace(async ({ run, write, hookscope }) => {
    await write({ "my.toml": PRICES });
    await run("--config", "my.toml", "--session", "s-1", "--profile", "nightly");
    await run("--config", "my.toml", "--session", "s-2");
    const rows = async (...args: readonly string[]): Promise<unknown> => {
      const { output } = await hookscope(["cost", "--json", ...args]);
      return (JSON.parse(output) as readonly ReportRow[]).map(({ key, calls, turns, cost_usd }) => ({
        key,
        calls,
        turns,
        cost_usd: Number(cost_usd.toFixed(6)),
      }));
    };
    // 12 tokens in and 5 out, at 1,000 and 2,000 dollars a million.
    const one = { calls: 1, turns: 1, cost_usd: 0.022 };
    const both = { calls: 2, turns: 2, cost_usd: 0.044 };
    expect(await rows()).toEqual([{ key: "small", ...both }]);
    expect(await rows("--by", "profile")).toEqual([
      { key: "default", ...one },
      { key: "nightly", ...one },
    ]);
    expect(await rows("--by", "session")).toEqual([
      { key: "s-1", ...one },
      { key: "s-2", ...one },
    ]);
    expect(await rows("--since", "1d")).toEqual([{ key: "small", ...both }]);
    expect(await rows("--since", "2999-01-01")).toEqual([]);
  });
});

test("the report by day has each UTC day in its order, from --since on", async () => {
  await inWorkspace(async ({ home, hookscope }) => {
    await mkdir(join(home, "state"));
    const ledger = createLedger({ path: join(home, "state", "ledger.db") });
    for (const [turn, time] of ["2026-11-29T12:00Z", "2026-11-30T23:59Z", "2026-12-01T00:00Z"].entries())
      ledger.record({ ...ENTRY, turn: `t-${turn}`, time: Date.parse(time), cost: 1 });
    ledger.close();
    const days = async (...args: readonly string[]): Promise<readonly string[]> => {
      const { output } = await hookscope(["cost", "--json", "--by", "day", ...args]);
      return (JSON.parse(output) as readonly ReportRow[]).map(({ key }) => key);
    };
    expect(await days()).toEqual(["2026-11-29", "2026-11-30", "2026-12-01"]);
    expect(await days("--since", "2026-11-30")).toEqual(["2026-11-30", "2026-12-01"]);
  });
});

const ENTRY = {
  session: "s-1",
  rootSession: "s-1",
  profile: "default",
  agent: "hookscope",
  provider: "local",
  model: "small",
  tokens: { input: 12, output: 5, cache_read: 0, cache_write: 0, reasoning: 0 },
};

test("cost as text has a total, and says what has no price", async () => {
  await inWorkspace(async ({ run, write, hookscope }) => {
    await write({ "my.toml": PRICES });
    await run("--config", "my.toml", "--session", "s-1");
    await run("--session", "s-2");
    expect((await hookscope(["cost", "--by", "session"])).output.split("\n")).toEqual([
      "session      turns      calls     tokens       cost",
      "s-1              1          1         17    $0.0220",
      "s-2              1          1         17      $0.00",
      "total                                       $0.0220",
      "17 tokens are not in the cost, since the price of their model is not known: give",
      'one in hookscope.toml, in a table [metrics.prices."provider/model"].',
      "",
    ]);
  });
});

test("the demo's made-up prices get into no ledger that was not asked for", async () => {
  await inWorkspace(async ({ write, hookscope }) => {
    await hookscope(["demo", "--json"]);
    expect((await hookscope(["cost"])).output).toBe(
      "Nothing was spent. `hookscope run` writes down what a turn costs.\n",
    );
    await write({ "my.toml": '[metrics]\nledger = "demo.db"\n' });
    await hookscope(["demo", "--json", "--config", "my.toml"]);
    const { output } = await hookscope(["cost", "--json", "--config", "my.toml"]);
    expect((JSON.parse(output) as readonly ReportRow[]).map(({ key, calls }) => [key, calls])).toEqual([
      ["scripted-model", 7],
    ]);
  });
});

test("ledger = false keeps none", async () => {
  await inWorkspace(async ({ run, write, hookscope }) => {
    await write({ "my.toml": "[metrics]\nledger = false\n" });
    await run("--config", "my.toml");
    expect((await hookscope(["cost"])).output).toContain("Nothing was spent.");
    expect((await hookscope(["cost", "--config", "my.toml"])).output).toBe(
      "No ledger is kept: the configuration says `ledger = false`.\n",
    );
  });
});

test("a ledger that cannot be opened does not keep a turn from running, unless budgets depend on it", async () => {
  await inWorkspace(async ({ run, write }) => {
    const ledger = '[metrics]\nledger = "/proc/nowhere/ledger.db"\n';
    await write({
      "my.toml": ledger,
      "budget.toml": `${ledger}[[metrics.budgets]]\nname = "day"\nscope = "all"\nusd = 5\n`,
    });
    const without = await run("--config", "my.toml");
    expect(without.exitCode).toBe(0);
    expect(without.errors).toMatch(/^hookscope: METRICS_LEDGER_UNUSABLE: [^\n]+ not kept for `hookscope cost`\.\n/);
    const withBudget = await run("--config", "budget.toml");
    expect([withBudget.exitCode, withBudget.output]).toEqual([1, ""]);
    expect(withBudget.errors).toMatch(/^hookscope: METRICS_LEDGER_UNUSABLE: [^\n]+\n$/);
  });
});

test.for([
  ["2026-11-30", "2026-11-30T00:00:00.000Z"],
  ["2026-11-30T12:00:00Z", "2026-11-30T12:00:00.000Z"],
  ["36h", "2026-11-29T00:00:00.000Z"],
  ["7d", "2026-11-23T12:00:00.000Z"],
  ["2w", "2026-11-16T12:00:00.000Z"],
] as const)("--since %s is from %s on", ([text, time]) => {
  expect(readSince(text, Date.parse("2026-11-30T12:00:00Z")).toISOString()).toBe(time);
});

test.for(["yesterday", "7", "2026", "30.11.2026", "-1d"])("--since %s is refused", (text) => {
  expect(() => readSince(text, 0)).toThrow("it must be a day, as 2026-11-30, or a span such as 12h, 7d or 4w.");
});
