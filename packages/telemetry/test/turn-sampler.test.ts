import type { Attributes } from "@opentelemetry/api";
import { createTurnSampler } from "@hookscope/telemetry";
import { expect, test } from "vitest";

import { SampledTurns } from "./support/sampled-turns.ts";
import { codeOf } from "./support/stores.ts";

const HOUR = 3_600_000;

const NOTHING_KEPT = {
  block: 0,
  timeout: 0,
  failure: 0,
  slow: 0,
  cost: 0,
  share: 0,
  followed: 0,
  unfinished: 0,
};

test("a turn in which nothing happened is left out, all of it, and counted", () => {
  const turns = new SampledTurns();
  const turn = turns.startTurn("plain");
  turns.hook(turn, "audit");
  turns.end(turns.start("chat m", { parent: turn }));
  turns.end(turn);
  expect(turns.names).toEqual([]);
  expect(turns.counts).toEqual({
    kept: NOTHING_KEPT,
    sampledOut: { turns: 1, spans: 3 },
    bufferFull: { spans: 0 },
    held: { turns: 0, spans: 0, bytes: 0 },
  });
});

const HOOK_ROWS: readonly (readonly [string, Attributes])[] = [
  ["block", { "agent_hook.decision": "block" }],
  ["timeout", { "agent_hook.execution": "timeout" }],
  ["failure", { "agent_hook.execution": "error" }],
];

test.for(HOOK_ROWS)("a hook's %s keeps the whole turn, from its first span on", ([reason, attributes]) => {
  const turns = new SampledTurns();
  const turn = turns.startTurn("t");
  turns.hook(turn, "first");
  turns.hook(turn, "second", attributes);
  turns.hook(turn, "third");
  turns.end(turn);
  expect(turns.names).toEqual(["pre_tool_call first", "pre_tool_call second", "pre_tool_call third", "invoke_agent t"]);
  expect(turns.counts.kept).toEqual({ ...NOTHING_KEPT, [reason]: 1 });
  expect(turns.exported.at(-1)?.attributes["agent_turn.kept_because"]).toBe(reason);
});

const TURN_ROWS: readonly (readonly [string, Attributes])[] = [
  ["block", { "agent_turn.has_block": true }],
  ["timeout", { "agent_turn.has_timeout": true, "agent_turn.has_failure": true }],
  ["failure", { "agent_turn.has_failure": true }],
  ["cost", { "agent_turn.cost_usd": 1 }],
];

test.for(TURN_ROWS)("%s on the turn's own span keeps it: no hook's span need have said so", ([reason, attributes]) => {
  const turns = new SampledTurns();
  const turn = turns.startTurn("t");
  turns.hook(turn, "first");
  turns.end(turn, { attributes });
  expect(turns.names).toEqual(["pre_tool_call first", "invoke_agent t"]);
  expect(turns.counts.kept).toEqual({ ...NOTHING_KEPT, [reason]: 1 });
  expect(turns.exported.at(-1)?.attributes["agent_turn.kept_because"]).toBe(reason);
});

test("a turn that ended with ERROR is kept", () => {
  const turns = new SampledTurns();
  const turn = turns.startTurn("t");
  turns.end(turn, { error: "no model answers" });
  expect(turns.names).toEqual(["invoke_agent t"]);
  expect(turns.counts.kept).toEqual({ ...NOTHING_KEPT, failure: 1 });
});

test("a tool that failed and a model call that was tried again keep nothing by themselves", () => {
  const turns = new SampledTurns();
  const turn = turns.startTurn("t");
  turns.end(turns.start("execute_tool shell", { parent: turn, attributes: { "agent_tool.outcome": "failed" } }), {
    error: "exit code 1",
  });
  turns.end(turns.start("chat m", { parent: turn }), { error: "overloaded" });
  turns.end(turn);
  expect(turns.names).toEqual([]);
});

test.for(["blocked", "denied"])("a tool call that was %s keeps the turn", (outcome) => {
  const turns = new SampledTurns();
  const turn = turns.startTurn("t");
  turns.end(turns.start("execute_tool shell", { parent: turn }), { attributes: { "agent_tool.outcome": outcome } });
  turns.end(turn);
  expect(turns.names).toEqual(["execute_tool shell", "invoke_agent t"]);
});

test("a turn is kept from its limit of time on, and from its limit of cost on", () => {
  const turns = new SampledTurns({ slowTurnMs: 1_000, costlyTurnUsd: 0.5 });
  for (const [name, at, cost] of [
    ["quick", 999, 0.49],
    ["slow", 1_000, 0],
    ["costly", 999, 0.5],
  ] as const) {
    turns.end(turns.startTurn(name), { at, attributes: { "agent_turn.cost_usd": cost } });
  }
  expect(turns.names).toEqual(["invoke_agent slow", "invoke_agent costly"]);
  expect(turns.counts.kept).toEqual({ ...NOTHING_KEPT, slow: 1, cost: 1 });
});

test("a turn that waits an hour for a person and is then blocked is kept whole", () => {
  const turns = new SampledTurns({ slowTurnMs: Infinity });
  const turn = turns.startTurn("t");
  turns.hook(turn, "audit");
  const tool = turns.start("execute_tool shell", { parent: turn });
  turns.hook(tool, "policy", { "agent_hook.decision": "ask_user" });
  const approval = turns.start("approval shell", { parent: tool });
  for (let index = 0; index < 2_000; index += 1) {
    turns.end(turns.startTurn(`other ${index}`, { at: index }), { at: index + 1 });
  }
  expect(turns.names).toEqual([]);
  turns.end(approval, { at: HOUR, attributes: { "agent_approval.choice": "deny" } });
  turns.end(tool, { at: HOUR, attributes: { "agent_tool.outcome": "denied" } });
  turns.end(turn, { at: HOUR, attributes: { "agent_turn.has_block": true } });
  expect(turns.names).toEqual([
    "pre_tool_call audit",
    "pre_tool_call policy",
    "approval shell",
    "execute_tool shell",
    "invoke_agent t",
  ]);
  expect(turns.counts.sampledOut).toEqual({ turns: 2_000, spans: 2_000 });
});

test("once a turn has a reason its spans wait no longer", () => {
  const turns = new SampledTurns();
  const turn = turns.startTurn("t");
  turns.hook(turn, "policy", { "agent_hook.decision": "block" });
  expect(turns.names).toEqual(["pre_tool_call policy"]);
  turns.hook(turn, "audit");
  expect(turns.names).toEqual(["pre_tool_call policy", "pre_tool_call audit"]);
});

test("the share goes by the trace's id: everybody with the same share keeps the same, with a larger one also those", () => {
  const random = ["0", "3fffffffffffff", "4", "8", "c", "ffffffffffffff"];
  const ids = random.map((digits) => "1".padStart(18, "0") + digits.padEnd(14, "0"));
  const keptBy = (share: number): readonly string[] => {
    const turns = new SampledTurns({ share });
    turns.traceIds.push(...ids);
    ids.forEach((_, index) => turns.end(turns.startTurn(String(index))));
    return turns.names.map((name) => name.replace("invoke_agent ", ""));
  };
  expect(keptBy(0)).toEqual([]);
  expect(keptBy(0.25)).toEqual(["4", "5"]);
  expect(keptBy(0.5)).toEqual(["3", "4", "5"]);
  expect(keptBy(0.75)).toEqual(["2", "3", "4", "5"]);
  expect(keptBy(1)).toEqual(["0", "1", "2", "3", "4", "5"]);
});

test("a share of random traces is about that part of them, and is never held back", () => {
  const turns = new SampledTurns({ share: 0.25 });
  for (let index = 0; index < 4_000; index += 1) turns.end(turns.startTurn("t"));
  const { kept, sampledOut } = turns.counts;
  expect(kept.share + sampledOut.turns).toBe(4_000);
  expect(turns.names.length).toBe(kept.share);
  // Seven standard deviations of 27 around 1,000.
  expect(Math.abs(kept.share - 1_000)).toBeLessThan(190);
});

test("a reason of its own is named before the share", () => {
  const turns = new SampledTurns({ share: 1 });
  const plain = turns.startTurn("plain");
  turns.end(plain);
  const blocked = turns.startTurn("blocked");
  turns.hook(blocked, "policy", { "agent_hook.decision": "block" });
  turns.end(blocked);
  expect(turns.counts.kept).toEqual({ ...NOTHING_KEPT, share: 1, block: 1 });
  expect(
    turns.exported.filter(({ name }) => name.startsWith("invoke_agent")).map(({ attributes }) => attributes),
  ).toEqual([
    { "gen_ai.operation.name": "invoke_agent", "agent_turn.id": "plain", "agent_turn.kept_because": "share" },
    { "gen_ai.operation.name": "invoke_agent", "agent_turn.id": "blocked", "agent_turn.kept_because": "block" },
  ]);
});

test("of several reasons the first is named, on the span and in the counts", () => {
  const turns = new SampledTurns();
  const turn = turns.startTurn("t");
  turns.hook(turn, "policy", { "agent_hook.execution": "timeout" });
  turns.hook(turn, "policy", { "agent_hook.decision": "block" });
  turns.end(turn, { attributes: { "agent_turn.has_block": true } });
  expect(turns.counts.kept).toEqual({ ...NOTHING_KEPT, timeout: 1 });
  expect(turns.exported.at(-1)?.attributes["agent_turn.kept_because"]).toBe("timeout");
});

test("a turn that a flush kept and that is blocked afterwards is named for the block", async () => {
  const turns = new SampledTurns();
  const turn = turns.startTurn("t");
  await turns.sampler.forceFlush();
  turns.end(turn, { attributes: { "agent_turn.has_block": true } });
  expect(turns.counts.kept).toEqual({ ...NOTHING_KEPT, block: 1 });
});

test.for([
  { share: -0.1 },
  { share: 1.1 },
  { share: Number.NaN },
  { slowTurnMs: 0 },
  { costlyTurnUsd: -1 },
  { maxTurns: 0 },
  { maxSpans: 1.5 },
  { maxBytes: Infinity },
])("%o is refused", (options) => {
  expect(codeOf(() => createTurnSampler({ next: [] }, options))).toBe("TELEMETRY_OPTION_INVALID");
});
