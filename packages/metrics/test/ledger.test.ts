import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, expect, test } from "vitest";

import { createLedger, type Ledger } from "../src/index.ts";
import { modelCall, rig, TURN, usage } from "./support.ts";

let folder: string;
let path: string;
const open: Ledger[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "ledger-"));
  path = join(folder, "ledger.db");
});

afterEach(() => {
  for (const ledger of open.splice(0)) ledger.close();
  rmSync(folder, { recursive: true, force: true });
});

function ledgerAt(file: string): Ledger {
  const ledger = createLedger({ path: file });
  open.push(ledger);
  return ledger;
}

const PRICES = { m1: { input_mtok: 1, output_mtok: 1 }, m2: { input_mtok: 3, output_mtok: 3 } };
const call = (model: string, input_tokens = 1_000_000): ReturnType<typeof modelCall> =>
  modelCall({ model, response_model: model, usage: usage({ input_tokens }) });
const tokens = (input: number): object => ({ input, output: 0, cache_read: 0, cache_write: 0, reasoning: 0 });

test("cost and tokens survive a restart and go on adding up", async () => {
  const first = createLedger({ path });
  await rig({ ledger: first, prices: PRICES }).fire("post_api_request", call("m1"));
  first.close();
  const second = ledgerAt(path);
  await rig({ ledger: second, prices: PRICES }).fire("post_api_request", call("m1"));
  expect(second.report({ by: "model" })).toEqual([
    { key: "m1", calls: 2, turns: 1, cost_usd: 2, tokens: tokens(2_000_000), unpriced_tokens: 0 },
  ]);
});

test("a report is by model, profile, session or day, and the most expensive comes first", async () => {
  const ledger = ledgerAt(path);
  const { fire, clock } = rig({ ledger, prices: PRICES });
  await fire("post_api_request", call("m1"));
  await fire("post_api_request", call("m2"), { ...TURN, turn_id: "t2", session_id: "s2", profile: "sales" });
  clock.time += 24 * 3_600_000;
  await fire("post_api_request", call("m1"), { ...TURN, turn_id: "t3" });
  const keys = (by: "model" | "profile" | "session" | "day", since?: Date): readonly (readonly [string, number])[] =>
    ledger.report({ by, since }).map(({ key, cost_usd }) => [key, cost_usd]);
  expect(keys("model")).toEqual([
    ["m2", 3],
    ["m1", 2],
  ]);
  expect(keys("profile")).toEqual([
    ["sales", 3],
    ["support", 2],
  ]);
  expect(keys("session")).toEqual([
    ["s2", 3],
    ["session-1", 2],
  ]);
  expect(keys("day")).toEqual([
    ["2026-11-30", 4],
    ["2026-12-01", 1],
  ]);
  expect(keys("day", new Date("2026-12-01T23:00:00Z"))).toEqual([["2026-12-01", 1]]);
});

test("what a subagent spends is in the session a person began, however deep", async () => {
  const ledger = ledgerAt(path);
  const { fire } = rig({ ledger, prices: PRICES });
  await fire("post_api_request", call("m1"));
  const child = { ...TURN, turn_id: "t2", session_id: "s2", parent_session_id: "session-1", parent_turn_id: "turn-1" };
  await fire("post_api_request", call("m1"), child);
  const grandchild = { ...child, turn_id: "t3", session_id: "s3", parent_session_id: "s2", parent_turn_id: "t2" };
  await fire("post_api_request", call("m1"), grandchild);
  expect(ledger.report({ by: "session" }).map(({ key, calls, turns }) => [key, calls, turns])).toEqual([
    ["session-1", 3, 3],
  ]);
});

test("an unpriced call is in the report with its tokens and without a cost", async () => {
  const ledger = ledgerAt(path);
  await rig({ ledger }).fire(
    "post_api_request",
    modelCall({ provider: "ollama", model: "mine", response_model: "mine" }),
  );
  expect(ledger.report({ by: "model" })).toEqual([
    {
      key: "mine",
      calls: 1,
      turns: 1,
      cost_usd: 0,
      tokens: { input: 1_000, output: 100, cache_read: 0, cache_write: 0, reasoning: 0 },
      unpriced_tokens: 1_100,
    },
  ]);
});

test("two processes may write into one ledger", async () => {
  const [one, two] = [ledgerAt(path), ledgerAt(path)];
  await rig({ ledger: one, prices: PRICES }).fire("post_api_request", call("m1"));
  await rig({ ledger: two, prices: PRICES }).fire("post_api_request", call("m1"));
  expect([one, two].map((ledger) => ledger.report({ by: "model" })[0]?.cost_usd)).toEqual([2, 2]);
});

test("processes that make the same ledgers at the same moment all get them", async () => {
  const makers = [1, 2, 3].map(() =>
    fork(join(import.meta.dirname, "fixtures/make-ledgers.ts"), [folder], {
      execArgv: ["--conditions=@hookscope/source", "--no-warnings"],
    }),
  );
  await Promise.all(makers.map((maker) => once(maker, "message")));
  const failures = makers.map(async (maker) => (await once(maker, "message"))[0] as unknown);
  for (const maker of makers) maker.send("go");
  expect(await Promise.all(failures)).toEqual([[], [], []]);
});

test("a file that is no ledger is refused with its name and left as it was", () => {
  writeFileSync(path, "not a database at all, but long enough to be read as one".repeat(20));
  const text = readFileSync(path, "utf8");
  expect(() => createLedger({ path })).toThrow(expect.objectContaining({ code: "METRICS_LEDGER_UNUSABLE" }));
  expect(readFileSync(path, "utf8")).toBe(text);
  const other = join(folder, "other.db");
  const database = new DatabaseSync(other);
  database.exec("create table mine (a)");
  database.close();
  const before = readFileSync(other);
  expect(() => createLedger({ path: other })).toThrow(
    `METRICS_LEDGER_UNUSABLE: ${other} cannot be used as the ledger: it is a database, but not a ledger.`,
  );
  expect(readFileSync(other).equals(before)).toBe(true);
});

test("a ledger's files are for their owner alone", async () => {
  await rig({ ledger: ledgerAt(path), prices: PRICES }).fire("post_api_request", call("m1"));
  expect(readdirSync(folder).map((name) => [name, statSync(join(folder, name)).mode & 0o777])).toEqual([
    ["ledger.db", 0o600],
    ["ledger.db-shm", 0o600],
    ["ledger.db-wal", 0o600],
  ]);
});

test("a path that cannot be written is refused with its name", () => {
  const nowhere = join(folder, "missing", "ledger.db");
  expect(() => createLedger({ path: nowhere })).toThrow(
    `METRICS_LEDGER_UNUSABLE: ${nowhere} cannot be used as the ledger: ENOENT: no such file or directory, open '${nowhere}'.`,
  );
});

test("a ledger that fails makes a visible failure of the hook, after the metrics were counted", async () => {
  const ledger = createLedger({ path });
  const { metrics, bus, fire, lines } = rig({ ledger, prices: PRICES });
  metrics.observe(bus);
  ledger.close();
  expect(() => ledger.report({ by: "model" })).toThrow(expect.objectContaining({ code: "METRICS_LEDGER_CLOSED" }));
  await fire("post_api_request", call("m1"));
  const seen = await lines("agent_cost_usd_total", "agent_hook_failures_total");
  expect(seen.filter((line) => !line.endsWith(" 0"))).toEqual([
    'agent_hook_failures_total{point="post_api_request",hook="cost",execution="error"} 1',
    'agent_cost_usd_total{provider="anthropic",model="m1",agent="reviewer",profile="support"} 1',
  ]);
});
