import type { Span } from "@opentelemetry/api";
import { expect, test } from "vitest";

import { SampledTurns } from "./support/sampled-turns.ts";

const BLOCK = { "agent_hook.decision": "block" };
const MINUTE = 60_000;

test("5,000 open turns of 8 spans stay within the bounds after every span, and every span is accounted for", () => {
  const limits = { maxTurns: 1_000, maxSpans: 5_000, maxBytes: 8_000_000 };
  const turns = new SampledTurns({ ...limits, slowTurnMs: Infinity });
  const open = Array.from({ length: 5_000 }, (_, index) => turns.startTurn(`t${index}`));
  let isBounded = true;
  for (let round = 0; round < 8; round += 1) {
    for (const turn of open) {
      turns.hook(turn, "audit", { "agent_hook.reason": "x".repeat(100) });
      const { held } = turns.counts;
      isBounded &&= held.turns <= limits.maxTurns && held.spans <= limits.maxSpans && held.bytes <= limits.maxBytes;
    }
  }
  expect(isBounded).toBe(true);
  for (const turn of open) turns.end(turn);
  const { sampledOut, bufferFull, held } = turns.counts;
  expect(held).toEqual({ turns: 0, spans: 0, bytes: 0 });
  expect(sampledOut.turns).toBe(5_000);
  expect(sampledOut.spans + bufferFull.spans).toBe(5_000 * 9);
  expect(turns.thrownAway.reduce((sum, count) => sum + count, 0)).toBe(bufferFull.spans);
});

test("the turn that holds most gives way: one that waits for a person keeps its few spans, and says so in full", () => {
  const turns = new SampledTurns({ maxSpans: 100, slowTurnMs: Infinity });
  const waiting = turns.startTurn("waiting");
  turns.hook(waiting, "policy", { "agent_hook.decision": "ask_user" });
  const endless = turns.startTurn("endless");
  for (let index = 0; index < 1_000; index += 1) turns.hook(endless, `audit ${index}`);
  turns.hook(waiting, "second", BLOCK);
  turns.end(waiting);
  expect(turns.names).toEqual(["pre_tool_call policy", "pre_tool_call second", "invoke_agent waiting"]);
  expect(turns.exported.at(-1)?.attributes["agent_turn.spans_lost"]).toBe(undefined);
  expect(turns.thrownAway).toEqual(Array.from({ length: 10 }, () => 100));
});

test("a turn that lost spans and is blocked later is kept from there on, and says how many are missing", () => {
  const turns = new SampledTurns({ maxSpans: 10, slowTurnMs: Infinity });
  const turn = turns.startTurn("t");
  for (let index = 0; index < 12; index += 1) turns.hook(turn, `audit ${index}`);
  turns.hook(turn, "policy", BLOCK);
  turns.end(turn);
  expect(turns.names).toEqual(["pre_tool_call audit 11", "pre_tool_call policy", "invoke_agent t"]);
  expect(turns.exported.at(-1)?.attributes).toEqual({
    "gen_ai.operation.name": "invoke_agent",
    "agent_turn.id": "t",
    "agent_turn.kept_because": "block",
    "agent_turn.spans_lost": 11,
  });
  expect(turns.counts.bufferFull).toEqual({ spans: 11 });
});

test("few long spans fill the buffer as many short ones do: the turn with most bytes gives way", () => {
  const turns = new SampledTurns({ maxBytes: 100_000, slowTurnMs: Infinity });
  const many = turns.startTurn("many");
  for (let index = 0; index < 10; index += 1) turns.hook(many, `audit ${index}`);
  const long = turns.startTurn("long");
  turns.hook(long, "short");
  turns.hook(long, "long", { "agent_hook.reason": "x".repeat(49_000) });
  expect(turns.counts.bufferFull).toEqual({ spans: 2 });
  expect(turns.counts.held).toMatchObject({ turns: 2, spans: 10 });
});

test("a turn past the limit of turns holds nothing until another one has ended", () => {
  const turns = new SampledTurns({ maxTurns: 2, slowTurnMs: Infinity });
  const [first, second, third] = ["first", "second", "third"].map((id) => turns.startTurn(id)) as [Span, Span, Span];
  turns.hook(third, "early");
  turns.hook(first, "early");
  expect(turns.thrownAway).toEqual([1]);
  turns.end(second);
  turns.hook(third, "now");
  turns.hook(third, "policy", BLOCK);
  turns.end(third);
  expect(turns.names).toEqual(["pre_tool_call now", "pre_tool_call policy", "invoke_agent third"]);
  expect(turns.exported.at(-1)?.attributes["agent_turn.spans_lost"]).toBe(1);
});

test("before anything is thrown away turns that are slow already make room by being kept: leaks included", () => {
  const turns = new SampledTurns({ maxTurns: 2, maxSpans: 3, slowTurnMs: MINUTE });
  const never = turns.startTurn("never ends");
  turns.hook(never, "a");
  turns.hook(never, "b");
  const fresh = turns.startTurn("fresh", { at: MINUTE - 1 });
  turns.hook(fresh, "c", {}, MINUTE - 1);
  expect(turns.names).toEqual([]);
  turns.startTurn("later", { at: MINUTE });
  expect(turns.names).toEqual(["pre_tool_call a", "pre_tool_call b"]);
  turns.hook(fresh, "d", {}, MINUTE);
  turns.hook(fresh, "e", {}, MINUTE);
  expect(turns.counts).toMatchObject({ bufferFull: { spans: 0 }, held: { turns: 2, spans: 3 } });
});
