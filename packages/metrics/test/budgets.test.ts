import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";

import { createLedger, createMetrics, type BudgetOptions } from "../src/index.ts";
import { ManualClock, modelCall, rig, TURN, usage, type Rig } from "./support.ts";

const PRICES = { m1: { input_mtok: 1, output_mtok: 1 } };
const DAY = 24 * 3_600_000;
const ADMISSION = { session_id: TURN.session_id, platform: "chat", profile: "support", text: "hi" };
const CALL = { tool_name: "shell", args: {}, risk: "low", call_id: "c" } as const;
const dollars = (usd: number): ReturnType<typeof modelCall> =>
  modelCall({ model: "m1", usage: usage({ input_tokens: usd * 1_000_000 }) });

function budgeted(
  budget: Partial<BudgetOptions>,
  more: Parameters<typeof rig>[0] = {},
  clock = new ManualClock(),
): Rig {
  return rig({ prices: PRICES, budgets: [{ name: "b", scope: "session", usd: 5, ...budget }], ...more }, { clock });
}

async function decisions({ bus }: Rig, turn = TURN): Promise<readonly [message: string, tool: string]> {
  const admission = { ...ADMISSION, session_id: turn.session_id, profile: turn.profile };
  const message = await bus.dispatch("post_gateway_admission", admission);
  const tool = await bus.dispatch("pre_tool_call", CALL, { turn });
  return [message.decision, tool.decision];
}

test("the hook is there only where there is a budget", () => {
  expect(createMetrics().hooks.map(({ name }) => name)).toEqual(["usage", "cost"]);
  expect(budgeted({}).metrics.hooks.map(({ name }) => name)).toEqual(["usage", "cost", "budget"]);
});

test("from its limit on a budget blocks messages and asks about tool calls, and says how much was spent", async () => {
  const subject = budgeted({});
  await subject.fire("post_api_request", dollars(4.5));
  expect(await decisions(subject)).toEqual(["continue", "continue"]);
  expect(subject.metrics.budget.exceeded(TURN)).toBeUndefined();
  await subject.fire("post_api_request", dollars(0.5));
  const message = 'The budget "b" ($5.00 per session) is spent: $5.00.';
  expect(await subject.bus.dispatch("post_gateway_admission", ADMISSION)).toMatchObject({
    decision: "block",
    reason: message,
    cause: "policy",
  });
  expect(await subject.bus.dispatch("pre_tool_call", CALL, { turn: TURN })).toMatchObject({
    decision: "ask_user",
    question: `${message} Go on?`,
  });
  expect(subject.metrics.budget.exceeded(TURN)).toEqual({ budget: "b", spentUsd: 5, limitUsd: 5, message });
});

test("what a spent budget does is set for messages and tool calls apart", async () => {
  const blocking = budgeted({ onToolCall: "block", onMessage: "allow" });
  await blocking.fire("post_api_request", dollars(6));
  expect(await decisions(blocking)).toEqual(["continue", "block"]);
  const watching = budgeted({ onToolCall: "allow" });
  await watching.fire("post_api_request", dollars(6));
  expect(await decisions(watching)).toEqual(["block", "continue"]);
});

test("of two spent budgets one that blocks goes before one that asks", async () => {
  const subject = rig({
    prices: PRICES,
    budgets: [
      { name: "asks", scope: "session", usd: 1 },
      { name: "blocks", scope: "all", usd: 2, onToolCall: "block" },
    ],
  });
  await subject.fire("post_api_request", dollars(3));
  expect(await subject.bus.dispatch("pre_tool_call", CALL, { turn: TURN })).toMatchObject({
    decision: "block",
    reason: 'The budget "blocks" ($2.00 per day) is spent: $3.00.',
  });
});

test.for([
  [{ scope: "session", usd: 0.0014 }, "$0.0014 per session"],
  [{ scope: "session", usd: 1, period: "day" }, "$1.00 per session and day"],
  [{ scope: "profile", usd: 0.01, period: "total" }, "$0.01 per profile"],
  [{ scope: "all", usd: 1_000, period: "month" }, "$1000.00 per month"],
  [{ scope: "all", usd: 12.345, period: "total" }, "$12.35 in all"],
] as const)("the message has the limit in words: %j", async ([budget, words]) => {
  const subject = budgeted(budget);
  await subject.fire("post_api_request", dollars(2_000));
  expect(subject.metrics.budget.exceeded(TURN)?.message).toBe(`The budget "b" (${words}) is spent: $2000.00.`);
});

test("a session's budget counts its subagents, and stops them too", async () => {
  const subject = budgeted({});
  const child = { ...TURN, turn_id: "t2", session_id: "s2", parent_session_id: "session-1", parent_turn_id: "turn-1" };
  await subject.fire("post_api_request", dollars(3));
  await subject.fire("post_api_request", dollars(3), child);
  expect(await decisions(subject)).toEqual(["block", "ask_user"]);
  expect((await decisions(subject, child))[1]).toBe("ask_user");
  expect(await decisions(subject, { ...TURN, session_id: "another" })).toEqual(["continue", "continue"]);
});

test("a profile's budget counts all of its sessions; one for a single profile leaves the others alone", async () => {
  const each = budgeted({ scope: "profile" });
  await each.fire("post_api_request", dollars(3));
  await each.fire("post_api_request", dollars(3), { ...TURN, session_id: "s2" });
  expect(await decisions(each, { ...TURN, session_id: "s3" })).toEqual(["block", "ask_user"]);
  expect(await decisions(each, { ...TURN, profile: "sales" })).toEqual(["continue", "continue"]);
  const one = budgeted({ scope: "all", profile: "sales" });
  await one.fire("post_api_request", dollars(9));
  expect(await decisions(one)).toEqual(["continue", "continue"]);
});

test("a day's budget is whole again on the next UTC day, a month's on the first of the next", async () => {
  const clock = new ManualClock();
  const day = budgeted({ scope: "all" }, {}, clock);
  await day.fire("post_api_request", dollars(6));
  expect(await decisions(day)).toEqual(["block", "ask_user"]);
  clock.time += DAY;
  expect(await decisions(day)).toEqual(["continue", "continue"]);
  const monthClock = new ManualClock();
  monthClock.time -= 2 * DAY;
  const month = budgeted({ scope: "all", period: "month" }, {}, monthClock);
  await month.fire("post_api_request", dollars(6));
  monthClock.time += DAY;
  expect(await decisions(month)).toEqual(["block", "ask_user"]);
  monthClock.time += 2 * DAY;
  expect(await decisions(month)).toEqual(["continue", "continue"]);
});

test("a clock that is set back over midnight and goes on gives nothing of a day's budget back", async () => {
  const clock = new ManualClock();
  const subject = budgeted({ scope: "all" }, {}, clock);
  await subject.fire("post_api_request", dollars(6));
  clock.time -= DAY;
  expect(await decisions(subject)).toEqual(["block", "ask_user"]);
  expect(await subject.lines("agent_budget_spent_ratio")).toEqual(['agent_budget_spent_ratio{budget="b"} 1.2']);
  clock.time += DAY;
  expect(await decisions(subject)).toEqual(["block", "ask_user"]);
});

test("the ratio is that of the session nearest to its limit, until it is torn down", async () => {
  const subject = budgeted({});
  expect(await subject.lines("agent_budget_spent_ratio")).toEqual(['agent_budget_spent_ratio{budget="b"} 0']);
  await subject.fire("post_api_request", dollars(1));
  await subject.fire("post_api_request", dollars(4), { ...TURN, session_id: "s2" });
  expect(await subject.lines("agent_budget_spent_ratio")).toEqual(['agent_budget_spent_ratio{budget="b"} 0.8']);
  await subject.fire("on_session_finalize", { session_id: "s2", reason: "closed" });
  expect(await subject.lines("agent_budget_spent_ratio")).toEqual(['agent_budget_spent_ratio{budget="b"} 0.2']);
});

test("the ratio of a period that is over is 0", async () => {
  const clock = new ManualClock();
  const subject = budgeted({ scope: "profile" }, {}, clock);
  await subject.fire("post_api_request", dollars(4));
  clock.time += DAY;
  expect(await subject.lines("agent_budget_spent_ratio")).toEqual(['agent_budget_spent_ratio{budget="b"} 0']);
});

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

test("with a ledger a budget remembers across restarts, and sees what another process spends within a second", async () => {
  const folder = mkdtempSync(join(tmpdir(), "budget-"));
  folders.push(folder);
  const clock = new ManualClock();
  const ledgers = [1, 2].map(() => createLedger({ path: join(folder, "ledger.db") }));
  const [one, two] = ledgers.map((ledger) => budgeted({ scope: "all" }, { ledger }, clock)) as [Rig, Rig];
  await one.fire("post_api_request", dollars(3));
  expect(two.metrics.budget.exceeded(TURN)).toBeUndefined();
  await one.fire("post_api_request", dollars(3));
  expect(two.metrics.budget.exceeded(TURN)).toBeUndefined();
  clock.time += 1_000;
  expect(two.metrics.budget.exceeded(TURN)?.spentUsd).toBe(6);
  expect(one.metrics.budget.exceeded(TURN)?.spentUsd).toBe(6);
  const later = budgeted({ scope: "all" }, { ledger: ledgers[1] as never }, clock);
  expect(await decisions(later)).toEqual(["block", "ask_user"]);
  for (const ledger of ledgers) ledger.close();
});

test("a ledger that cannot be read does not stop tool calls: what this process spent counts", async () => {
  const ledger = createLedger({ path: ":memory:" });
  const subject = budgeted({}, { ledger });
  ledger.close();
  expect(await decisions(subject)).toEqual(["continue", "continue"]);
  await subject.fire("post_api_request", dollars(6));
  expect(await decisions(subject)).toEqual(["block", "ask_user"]);
  expect(subject.warnings[0]).toBe(
    "the ledger cannot be read, so budgets count this process only: MetricsError: METRICS_LEDGER_CLOSED: the ledger was closed; create it again to go on.",
  );
});

const MISTAKES: readonly (readonly [budgets: unknown, message: string])[] = [
  [[{ scope: "all", usd: 1 }], "budget number 1: name is undefined; it must be a text."],
  [[{ name: "b", scope: "all", usd: 0 }], "budget b: usd is 0; it must be US dollars, a finite number above 0."],
  [[{ name: "b", scope: "all", usd: "5" }], 'budget b: usd is "5"; it must be US dollars, a finite number above 0.'],
  ["5 dollars", 'budget list: it is "5 dollars"; it must be a list of budgets.'],
  [[{ name: "b", scope: "team", usd: 1 }], "budget b: scope is team; it must be one of session, profile, all."],
  [
    [{ name: "b", scope: "all", usd: 1, period: "week" }],
    "budget b: period is week; it must be one of day, month, total.",
  ],
  [
    [{ name: "b", scope: "all", usd: 1, onToolCall: "stop" }],
    "budget b: onToolCall is stop; it must be one of ask, block, allow.",
  ],
  [
    [{ name: "b", scope: "all", usd: 1, limit: 3 }],
    'budget b: a field is "limit"; it must be one of name, scope, period, usd, profile, onMessage, onToolCall.',
  ],
  [
    [
      { name: "b", scope: "all", usd: 1 },
      { name: "b", scope: "session", usd: 1 },
    ],
    'budget b: its name is "b"; it must be used once.',
  ],
];

test.for(MISTAKES)("a budget that cannot be used is refused with its name: %j", ([budgets, message]) => {
  expect(() => createMetrics({ budgets: budgets as never })).toThrow(
    expect.objectContaining({ code: "METRICS_BUDGET_INVALID", message: `METRICS_BUDGET_INVALID: ${message}` }),
  );
});
